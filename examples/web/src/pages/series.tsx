import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { BookCard } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { SeriesDocument } from '../documents.generated.ts';

/** The books of a series, in its order. */
export function Series({ name }: { readonly name: string }) {
  const { data, error, fetchMore } = useQuery(SeriesDocument, { variables: { name } });
  const series = data?.series;
  return (
    <Page title={series?.name ?? name}>
      <Answer isLoading={!data && !error} error={error}>
        {series === null && <p>The catalogue has no book of this series.</p>}
        {series && (
          <>
            <ul className="cards" aria-label="Books of the series">
              {series.books.edges.map(({ node, position }) => (
                <BookCard key={node.id} book={node} note={position === null ? undefined : `Book ${position}`} />
              ))}
            </ul>
            <More
              isLast
              label="Show more books"
              page={series.books.pageInfo}
              load={(after) => fetchMore({ variables: { after } })}
            />
          </>
        )}
      </Answer>
    </Page>
  );
}
