import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { BookCard } from '../components/book-card.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { ReaderYearDocument } from '../documents.generated.ts';
import { dayOf, monthOf } from '../format.ts';
import { Link } from '../router.tsx';
import { Genres, Highlights, Months } from './year-parts.tsx';
import { yearIn } from './years.tsx';

/** The year of a reader who shares it, or who shows what they read to the one who looks. */
export function ReaderYear({ id, year: asked }: { readonly id: string; readonly year: string }) {
  const year = yearIn(asked);
  const { data, loading, error } = useQuery(ReaderYearDocument, { variables: { id, year } });
  const reader = data?.user;
  const statistics = reader?.statistics;
  return (
    <Page title={reader ? `${reader.fullName}: ${year} in books` : `${year} in books`}>
      <Answer isLoading={loading} error={error}>
        {reader && (
          <p>
            <Link to={`/reader/${id}`}>More of {reader.fullName}</Link>
          </p>
        )}
        {!statistics && !error && <p>This year is not shared.</p>}
        {statistics && (
          <>
            <Months statistics={statistics} />
            <Genres statistics={statistics} />
            <Highlights statistics={statistics} />
            {statistics.months.map(
              ({ month, finished }) =>
                finished.length > 0 && (
                  <Section key={month} title={monthOf(month)}>
                    <ul className="cards">
                      {finished.map(({ finishedOn, book }) => (
                        <BookCard key={`${finishedOn} ${book.id}`} book={book} note={dayOf(finishedOn)} />
                      ))}
                    </ul>
                  </Section>
                ),
            )}
          </>
        )}
      </Answer>
    </Page>
  );
}
