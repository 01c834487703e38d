import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { Answer } from '../components/answer.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { OwnBook } from '../components/own-book.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { DiaryDocument, type DiaryQuery, type OwnBookFragment } from '../documents.generated.ts';
import { focusOn } from '../focus.ts';
import { counted, dayOf, monthOf } from '../format.ts';
import { Link, useAddress } from '../router.tsx';
import { useSession } from '../session.ts';
import { diaryPath, monthId, yearIn, YearLinks, yearPath } from './years.tsx';

/** What the reader finished in a year, by month, last day first. */
export function Diary({ year: asked }: { readonly year: string }) {
  const year = yearIn(asked);
  const { hash } = useAddress();
  const isReader = useSession() !== undefined;
  const { data, loading, error } = useQuery(DiaryDocument, {
    variables: { year },
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const statistics = data?.viewer?.statistics;
  const isThere = statistics != null;
  useEffect(() => {
    const month = isThere ? document.getElementById(hash.slice(1)) : null;
    if (!month) return;
    month.scrollIntoView();
    focusOn(month);
  }, [isThere, hash]);

  if (!isReader) return <NeedsLogin title="My diary" />;
  const months = statistics?.months.filter(({ books }) => books > 0).toReversed() ?? [];
  const newest = data?.viewer?.newest?.edges[0]?.finishedOn?.slice(0, 4);
  return (
    <Page title={`My diary ${year}`}>
      <p>
        <YearLinks year={year} pathOf={diaryPath} /> · <Link to={yearPath(year)}>The year in numbers</Link> ·{' '}
        <Link to="/history/log">All that I did</Link>
      </p>
      <Answer isLoading={loading && !data} error={error}>
        {isThere && months.length === 0 && (
          <p>
            You finished no book in {year}.{' '}
            {newest !== undefined && newest !== String(year) && (
              <>
                The last one was in <Link to={diaryPath(Number(newest))}>{newest}</Link>.
              </>
            )}
          </p>
        )}
        {months.map((month) => (
          <Month key={month.month} year={year} of={month} />
        ))}
        {statistics?.isComplete === false && <p>The year has more books, which are not shown here.</p>}
        {isThere && <p className="note">Books that you read on an unknown day are only on your shelves.</p>}
      </Answer>
    </Page>
  );
}

type MonthOfYear = NonNullable<NonNullable<DiaryQuery['viewer']>['statistics']>['months'][number];

function Month({ year, of: { month, books, finished } }: { readonly year: number; readonly of: MonthOfYear }) {
  const name = `${monthOf(month)} ${year}`;
  const others = books - finished.length;
  return (
    <Section title={name} id={monthId(month)}>
      <ul className="rows" aria-label={`Books of ${name}`}>
        {finished.map(({ finishedOn, book }) => (
          <Entry key={`${finishedOn} ${book.id}`} finishedOn={finishedOn} book={book} />
        ))}
      </ul>
      {others > 0 && <p className="note">And {counted(others, 'earlier book')}.</p>}
    </Section>
  );
}

interface EntryProps {
  readonly finishedOn: string;
  readonly book: OwnBookFragment;
}

function Entry({ finishedOn, book }: EntryProps) {
  // The readings come newest first, and those on an unknown day last.
  const isAgain = book.viewerReading?.readings.at(-1)?.finishedOn !== finishedOn;
  return (
    <li>
      <OwnBook book={book}>{isAgain && <span className="note">Read again</span>}</OwnBook>
      <time dateTime={finishedOn}>{dayOf(finishedOn)}</time>
    </li>
  );
}
