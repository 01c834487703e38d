import { useMutation } from '@apollo/client/react';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { UpdateListEntryDocument } from '../documents.generated.ts';
import { changeEntries, noted } from '../entries.ts';
import { text } from '../form-values.ts';
import { notify } from '../notices.ts';

interface Props {
  readonly listId: string;
  readonly book: { readonly id: string; readonly title: string };
  readonly note: string | null;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** A form for the note about a book of the reader's own list, folded away. */
export function Note({ listId, book: { id: bookId, title }, note, isOpen, setOpen }: Props) {
  const [update] = useMutation(UpdateListEntryDocument);
  const save = async (values: FormData) => {
    const next = text(values, 'note').trim() || null;
    const { data } = await update({
      variables: { listId, bookId, note: next },
      update: (cache, { data: answer }) => {
        if (answer?.change.userErrors.length === 0) changeEntries(cache, listId, noted(bookId, next));
      },
    });
    const problems = data?.change.userErrors ?? [];
    if (problems.length > 0) return problems;
    notify(next === null ? `${title} has no note any more.` : `The note about ${title} is saved.`);
    setOpen(false);
    return [];
  };
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {note === null ? 'Write a note' : 'Change the note'} <span className="hidden">about {title}</span>
      </summary>
      {isOpen && (
        <Form label={`Note about ${title}`} button="Save the note" send={save}>
          <Field name="note" label="Note" defaultValue={note ?? ''} hint="Leave it empty for no note." />
        </Form>
      )}
    </details>
  );
}
