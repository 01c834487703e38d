import { useMutation, useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { AddToListDocument, ListsDocument } from '../documents.generated.ts';
import { notify } from '../notices.ts';
import { Link } from '../router.tsx';

/** A form that adds a book to one of the reader's lists, which are asked for when it opens. */
export function AddToList({ bookId }: { readonly bookId: string }) {
  const { data, error } = useQuery(ListsDocument, { fetchPolicy: 'cache-and-network' });
  const [add] = useMutation(AddToListDocument);
  const lists = data?.viewer?.lists?.edges ?? [];

  const send = async (values: FormData) => {
    const note = (values.get('note') as string).trim();
    const listId = values.get('list') as string;
    const { data: added } = await add({ variables: { listId, bookId, note: note === '' ? null : note } });
    const { list, changed, userErrors = [] } = added?.addToList ?? {};
    if (!list) return userErrors;
    if (!changed && note !== '') {
      const message = `The book is on “${list.title}” already. Its note is changed on the page of the list.`;
      return [{ code: 'INVALID_INPUT', message, path: ['note'] }];
    }
    notify(changed ? `The book is on “${list.title}”.` : `The book is on “${list.title}” already.`);
    return [];
  };
  return (
    <Answer isLoading={!data && !error} error={error}>
      {lists.length === 0 ? (
        <p>
          <Link to="/lists">Make a list first</Link>
        </p>
      ) : (
        <Form label="Add to a list" button="Add the book" send={send}>
          <Choice name="list" label="List" options={lists.map(({ node }) => [node.id, node.title])} />
          <Field name="note" label="Note" maxLength={1_000} />
        </Form>
      )}
    </Answer>
  );
}
