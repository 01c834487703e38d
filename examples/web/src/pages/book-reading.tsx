import { useMutation } from '@apollo/client/react';
import { Choice, Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import {
  MarkAsReadDocument,
  SetReadingStatusDocument,
  UnmarkAsReadDocument,
  type BookPageFragment,
  type ReadingStatus,
} from '../documents.generated.ts';
import { today, wordsOf } from '../format.ts';
import { notifyUnless } from '../notices.ts';
import { ReadingDays } from './reading-days.tsx';

const STATUSES = ['WANT_TO_READ', 'READING', 'GIVEN_UP'] as const satisfies readonly ReadingStatus[];

/** The reader's own reading: the shelf and the progress, and the days of a book that was read. */
export function ReadingForm({ book: { id: bookId, viewerReading } }: { readonly book: BookPageFragment }) {
  const [setStatus] = useMutation(SetReadingStatusDocument);
  const [markAsRead] = useMutation(MarkAsReadDocument);
  const [unmark] = useMutation(UnmarkAsReadDocument);

  const shelve = async (values: FormData) => {
    const status = values.get('status') as ReadingStatus;
    const progress = values.get('progress') as string;
    const { data } = await setStatus({
      variables: { bookId, status, ...(progress !== '' && { progress: Number(progress) }) },
    });
    return notifyUnless(data?.setReadingStatus.userErrors, `The book is on your shelf “${wordsOf(status)}”.`);
  };
  const finish = async (values: FormData) => {
    const startedOn = values.get('startedOn') as string;
    // Without a day the book was read, and nobody knows when.
    const finishedOn = (values.get('finishedOn') as string) || null;
    const { data } = await markAsRead({ variables: { bookId, finishedOn, ...(startedOn && { startedOn }) } });
    return notifyUnless(data?.markAsRead.userErrors, 'The book is marked as read.');
  };
  const takeBack = async () => {
    const { data } = await unmark({ variables: { bookId } });
    return notifyUnless(data?.unmarkAsRead.userErrors, 'The book is no longer marked as read.');
  };
  const status = viewerReading?.status;
  return (
    <Section title="My reading">
      {status && (
        <p>
          {wordsOf(status)}
          {status === 'READING' && `, ${viewerReading.progress} %`}
        </p>
      )}
      {viewerReading && viewerReading.readings.length > 0 && (
        <ReadingDays bookId={bookId} readings={viewerReading.readings} />
      )}
      <div className="columns">
        <Form label="My shelf" button="Put on the shelf" send={shelve}>
          <Choice
            name="status"
            label="Shelf"
            defaultValue={status && status !== 'READ' ? status : 'WANT_TO_READ'}
            options={STATUSES.map((value) => [value, wordsOf(value)])}
          />
          <Field name="progress" label="Progress in percent" type="number" min={0} max={100} />
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
        {status === 'READ' && <Form label="Not read" button="I have not read it" send={takeBack} />}
      </div>
    </Section>
  );
}
