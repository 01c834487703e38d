import { useMutation, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { AddToListDocument, ListsToChooseDocument } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { notify } from '../notices.ts';
import { NewListFields, useNewList } from '../parts/new-list.tsx';

/** The choice of a list that is yet to be made. */
const NEW = '';

/** A form that adds a book to one of the reader's lists, or to a new one, which it makes. */
export function AddToList({ bookId }: { readonly bookId: string }) {
  const { data, error } = useQuery(ListsToChooseDocument, { fetchPolicy: 'cache-and-network' });
  const make = useNewList();
  const [add] = useMutation(AddToListDocument);
  const [choice, setChoice] = useState<string>();
  const lists = data?.viewer?.lists.edges ?? [];
  const chosen = choice ?? lists[0]?.node.id ?? NEW;

  const send = async (values: FormData) => {
    const made = chosen === NEW ? await make(values) : undefined;
    if (made && !('id' in made)) return made;
    const listId = made?.id ?? chosen;
    // A list that is made is not made again, even if the book is not added.
    setChoice(listId);

    const note = text(values, 'note').trim();
    const { data: added } = await add({ variables: { listId, bookId, note: note === '' ? null : note } });
    const { list, changed, userErrors = [] } = added?.addToList ?? {};
    if (!list) return userErrors;
    if (!changed && note !== '') {
      const message = `The book is on “${list.title}” already. Its note is changed on the page of the list.`;
      return [{ code: 'INVALID_INPUT', message, path: ['note'] }];
    }
    const isOn = changed ? `The book is on “${list.title}”.` : `The book is on “${list.title}” already.`;
    notify(made ? `The list “${list.title}” is made, and the book is on it.` : isOn);
    return [];
  };
  return (
    <Answer isLoading={!data && !error} error={error}>
      {data && (
        <Form
          label="Add to a list"
          button={chosen === NEW ? 'Make the list with the book' : 'Add the book'}
          send={send}
        >
          {lists.length > 0 && (
            <Choice
              name="listId"
              label="List"
              value={chosen}
              onChange={({ target }) => setChoice(target.value)}
              options={[...lists.map(({ node }) => [node.id, node.title] as const), [NEW, 'A new list …']]}
            />
          )}
          {chosen === NEW && <NewListFields />}
          <Field name="note" label="Note" maxLength={1_000} hint="What you want to say about the book on this list." />
        </Form>
      )}
    </Answer>
  );
}
