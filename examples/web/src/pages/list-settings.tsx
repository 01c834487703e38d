import { useMutation } from '@apollo/client/react';
import { AUDIENCES } from '../components/audiences.ts';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import {
  DeleteListDocument,
  UpdateListDocument,
  type Audience,
  type ListPageFragment,
} from '../documents.generated.ts';
import { given, text } from '../form-values.ts';
import { notify, notifyUnless } from '../notices.ts';
import { navigate } from '../router.tsx';

/** What the owner of a list says about it, and its end. */
export function ListSettings({ list }: { readonly list: ListPageFragment }) {
  const { id: listId, title, description, audience } = list;
  const [update] = useMutation(UpdateListDocument);
  const [remove] = useMutation(DeleteListDocument);
  const save = async (values: FormData) => {
    const { data } = await update({
      variables: {
        listId,
        name: text(values, 'name'),
        description: given(values, 'description') ?? null,
        audience: values.get('audience') as Audience,
      },
    });
    return notifyUnless(data?.updateList.userErrors, 'The list is changed.');
  };
  const end = async () => {
    const { data } = await remove({ variables: { listId } });
    const problems = data?.deleteList.userErrors ?? [];
    if (problems.length > 0) return problems;
    notify(`The list “${title}” is deleted.`);
    navigate('/lists');
    return [];
  };
  return (
    <>
      <details>
        <summary>Change the list</summary>
        <Form label="The list" button="Save" send={save}>
          <Field name="name" label="Name" defaultValue={title} />
          <Field name="description" label="Description" defaultValue={description ?? ''} />
          <Choice name="audience" label="Who may see it" defaultValue={audience ?? 'EVERYONE'} options={AUDIENCES} />
        </Form>
      </details>
      <details>
        <summary>Delete the list</summary>
        <Form label="Deletion" button="Delete the list with its notes" send={end} />
      </details>
    </>
  );
}
