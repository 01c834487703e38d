import { useMutation } from '@apollo/client/react';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { UpdateReadingDocument, type BookPageFragment } from '../documents.generated.ts';
import { dayOf, today } from '../format.ts';
import { notifyUnless } from '../notices.ts';

interface Props {
  readonly bookId: string;
  readonly readings: NonNullable<BookPageFragment['viewerReading']>['readings'];
}

/** The times at which the reader read a book, newest first. The days of each can be corrected. */
export function ReadingDays({ bookId, readings }: Props) {
  const [update] = useMutation(UpdateReadingDocument);
  const correct = async (readingId: string, values: FormData) => {
    // An empty day is one that nobody knows.
    const [startedOn, finishedOn] = ['startedOn', 'finishedOn'].map((name) => (values.get(name) as string) || null);
    const { data } = await update({ variables: { bookId, readingId, startedOn, finishedOn } });
    return notifyUnless(data?.change.userErrors, 'The days are corrected.');
  };
  return (
    <ul className="rows" aria-label="Times that I read it">
      {readings.map(({ id, startedOn, finishedOn }) => (
        <li key={id}>
          <span>
            {finishedOn ? `Finished on ${dayOf(finishedOn)}` : 'Finished at an unknown time'}
            {startedOn && `, begun on ${dayOf(startedOn)}`}
          </span>
          <details>
            <summary>Correct the days</summary>
            <Form label="Days of a reading" button="Save the days" send={(values) => correct(id, values)}>
              <Field name="startedOn" label="Begun on" type="date" max={today()} defaultValue={startedOn ?? ''} />
              <Field
                name="finishedOn"
                label="Finished on"
                type="date"
                max={today()}
                defaultValue={finishedOn ?? ''}
                hint="Leave a day empty if you do not know it."
              />
            </Form>
          </details>
        </li>
      ))}
    </ul>
  );
}
