import { useMutation, useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { SetReadingGoalDocument, YearDocument, type YearOfReadingFragment } from '../documents.generated.ts';
import { text } from '../form-values.ts';
import { counted } from '../format.ts';
import { notify } from '../notices.ts';
import { useSession } from '../session.ts';
import { booksOf, Genres, Highlights, Months } from './year-parts.tsx';
import { Sharing } from './year-sharing.tsx';
import { diaryPath, yearIn, YearLinks, yearPath } from './years.tsx';

type Statistics = NonNullable<YearOfReadingFragment['statistics']>;

/** A year of the reader: the goal and how far it is reached, months, genres, its highlights. */
export function Year({ year: asked }: { readonly year: string }) {
  const year = yearIn(asked);
  const isReader = useSession() !== undefined;
  const { data, loading, error } = useQuery(YearDocument, {
    variables: { year },
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const statistics = data?.viewer?.statistics;
  if (!isReader) return <NeedsLogin title="My year" />;
  return (
    <Page title={`My year ${year}`}>
      <p>
        <YearLinks year={year} pathOf={yearPath} />
      </p>
      <Answer isLoading={loading && !data} error={error}>
        {statistics && (
          <>
            <Goal key={year} statistics={statistics} />
            <Months statistics={statistics} pathOf={(month) => diaryPath(year, month)} />
            <Genres statistics={statistics} />
            <Highlights statistics={statistics} rating={counted(statistics.dearest?.viewerRating ?? 0, 'star')} />
            <Sharing readerId={data.viewer?.id ?? ''} statistics={statistics} />
          </>
        )}
      </Answer>
    </Page>
  );
}

/** The number of books that the reader wants to read, and how many of them are read. */
function Goal({ statistics: { year, goal, books } }: { readonly statistics: Statistics }) {
  const [setGoal] = useMutation(SetReadingGoalDocument);
  const send = async (values: FormData) => {
    const wanted = text(values, 'books').trim();
    if (wanted !== '' && !/^[1-9]\d{0,3}$|^10000$/.test(wanted))
      return [
        { code: 'INVALID_INPUT', message: 'A goal is a whole number of books, from 1 to 10,000.', path: ['books'] },
      ];
    const { data } = await setGoal({ variables: { year, books: wanted === '' ? null : Number(wanted) } });
    const problems = data?.setReadingGoal.userErrors ?? [];
    if (problems.length === 0)
      notify(wanted === '' ? 'You have no goal any more.' : `Your goal is ${booksOf(Number(wanted))}.`);
    return problems;
  };
  return (
    <Section title="Goal">
      {goal !== null && (
        <p>
          <progress value={Math.min(books, goal)} max={goal} aria-label="Progress towards the goal" /> {books} of{' '}
          {booksOf(goal)}
        </p>
      )}
      <Form label="Goal" button="Set the goal" send={send}>
        <Field
          name="books"
          label="Books to read"
          inputMode="numeric"
          defaultValue={goal ?? ''}
          hint="Leave it empty for no goal."
        />
      </Form>
    </Section>
  );
}
