import { useMutation } from '@apollo/client/react';
import { useRef } from 'react';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { ListItemDocument, type ItemCondition } from '../documents.generated.ts';
import { given, text } from '../form-values.ts';
import { currencyOf, wordsOf } from '../format.ts';
import { notify } from '../notices.ts';
import { navigate } from '../router.tsx';

const CONDITIONS = ['NEW', 'LIKE_NEW', 'GOOD', 'FAIR', 'POOR'] as const satisfies readonly ItemCondition[];

interface Props {
  readonly bookId: string;
  readonly bookTitle: string;
  readonly currencies: readonly string[];
}

/** The offer of a copy. The same key is sent again until the copy is listed, so it is listed once. */
export function SellForm({ bookId, bookTitle, currencies }: Props) {
  const [list] = useMutation(ListItemDocument);
  const key = useRef(newKey());
  const send = async (values: FormData) => {
    const { data } = await list({
      variables: {
        bookId,
        price: { amount: text(values, 'amount'), currency: text(values, 'currency') },
        condition: values.get('condition') as ItemCondition,
        title: given(values, 'title'),
        place: given(values, 'place'),
        idempotencyKey: key.current,
      },
    });
    const problems = data?.listItem.userErrors ?? [];
    if (problems.length > 0) return problems;
    key.current = newKey();
    notify('Your copy is for sale.');
    // The page without the form has the new copy, and sells it no second time.
    navigate('/sell', { replaces: true });
    return [];
  };
  return (
    <Form label="Sell a copy" button="Offer the copy" send={send}>
      <p>{bookTitle}</p>
      <Field name="amount" label="Price" inputMode="decimal" hint="For example 12.50" />
      <Choice
        name="currency"
        label="Currency"
        defaultValue={currencies.includes('EUR') ? 'EUR' : currencies[0]}
        options={currencies.map((code) => [code, `${currencyOf(code)} (${code})`])}
      />
      <Choice
        name="condition"
        label="Condition"
        defaultValue="GOOD"
        options={CONDITIONS.map((value) => [value, wordsOf(value)])}
      />
      <Field name="title" label="Title of the copy" hint="The title of the book, unless you give another." />
      <Field name="place" label="Place" hint="Where you have the copy, such as a city." />
    </Form>
  );
}

const newKey = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-');
