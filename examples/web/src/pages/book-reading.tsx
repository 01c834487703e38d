import { useApolloClient } from '@apollo/client/react';
import { inTurn, IN_TURN, type Changeable } from '../changes.ts';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import {
  MarkAsReadDocument,
  SetReadingStatusDocument,
  UnmarkAsReadDocument,
  type BookPageFragment,
} from '../documents.generated.ts';
import { progressOf, today, wordsOf } from '../format.ts';
import { notifyUnless } from '../notices.ts';
import { ReadingDays } from './reading-days.tsx';

/** The reader's own reading: the progress, and the days of a book that was read. */
export function ReadingForm({ book }: { readonly book: BookPageFragment }) {
  const { id: bookId, pages, viewerReading } = book;
  const client = useApolloClient();
  const thing: Changeable = { kind: 'reading', id: bookId };
  const status = viewerReading?.status;

  const proceed = async (values: FormData) => {
    const page = values.get('page') as string | null;
    const progress = page && pages ? Math.round((100 * Number(page)) / pages) : Number(values.get('progress'));
    const variables = { bookId, status: status === 'GIVEN_UP' ? status : ('READING' as const), progress };
    const { data } = await inTurn(thing, () =>
      client.mutate({ mutation: SetReadingStatusDocument, variables, context: IN_TURN }),
    );
    return notifyUnless(data?.change.userErrors, `You have read ${progress} % of the book.`);
  };
  const finish = async (values: FormData) => {
    const startedOn = values.get('startedOn') as string;
    // Without a day the book was read, and nobody knows when.
    const finishedOn = (values.get('finishedOn') as string) || null;
    const variables = { bookId, finishedOn, ...(startedOn && { startedOn }) };
    const { data } = await inTurn(thing, () =>
      client.mutate({ mutation: MarkAsReadDocument, variables, context: IN_TURN }),
    );
    return notifyUnless(data?.change.userErrors, 'The book is marked as read.');
  };
  const takeBack = async () => {
    const { data } = await inTurn(thing, () =>
      client.mutate({ mutation: UnmarkAsReadDocument, variables: { bookId }, context: IN_TURN }),
    );
    return notifyUnless(data?.change.userErrors, 'The book is no longer marked as read.');
  };
  return (
    <Section title="My reading">
      {status && (
        <p>
          {wordsOf(status)}
          {(status === 'READING' || status === 'GIVEN_UP') && `, ${progressOf(book)}`}
        </p>
      )}
      {viewerReading && viewerReading.readings.length > 0 && (
        <ReadingDays bookId={bookId} readings={viewerReading.readings} />
      )}
      <div className="columns">
        <Form label="My progress" button="Save my progress" send={proceed}>
          <Field
            name="progress"
            label="Progress in percent"
            type="number"
            min={0}
            max={100}
            defaultValue={viewerReading?.progress ?? 0}
          />
          {pages !== null && <Field name="page" label={`Or the page, of ${pages}`} type="number" min={0} max={pages} />}
        </Form>
        <Form label="Mark as read" button="Mark as read" send={finish}>
          <Field name="startedOn" label="Begun on" type="date" max={today()} />
          <Field
            name="finishedOn"
            label="Finished on"
            type="date"
            defaultValue={today()}
            hint="Leave it empty if you do not know when."
          />
        </Form>
        {viewerReading && viewerReading.readings.length > 0 && (
          <Form label="Not read" button="I have not read it" send={takeBack} />
        )}
      </div>
    </Section>
  );
}
