import { useMutation } from '@apollo/client/react';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import {
  ChangePriceDocument,
  MarkAsSoldDocument,
  WithdrawItemDocument,
  type ListingFragment,
} from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notifyUnless } from '../notices.ts';

/** The changes of a copy that is for sale. */
export function ListingForms({ copy: { id: itemId, price, title } }: { readonly copy: ListingFragment }) {
  const [changePrice] = useMutation(ChangePriceDocument);
  const [sell] = useMutation(MarkAsSoldDocument, { variables: { itemId } });
  const [withdraw] = useMutation(WithdrawItemDocument, { variables: { itemId } });
  const sendPrice = async (values: FormData) => {
    const { data } = await changePrice({
      variables: { itemId, price: { amount: text(values, 'amount'), currency: price.currency } },
    });
    return notifyUnless(data?.change.userErrors, `The price of ${title} is changed.`);
  };
  const markAsSold = async () => notifyUnless((await sell()).data?.change.userErrors, `${title} is sold.`);
  const takeBack = async () => notifyUnless((await withdraw()).data?.change.userErrors, `${title} is off the market.`);
  return (
    <details>
      <summary>
        Change<span className="hidden"> {title}</span>
      </summary>
      <Form label={`Price of ${title}`} button="Change the price" send={sendPrice}>
        <Field name="amount" label={`Price in ${price.currency}`} inputMode="decimal" defaultValue={price.amount} />
      </Form>
      <Form label={`Sale of ${title}`} button="Mark as sold" send={markAsSold} />
      <Form label={`Withdrawal of ${title}`} button="Take it off the market" send={takeBack} />
    </details>
  );
}
