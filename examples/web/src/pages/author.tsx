import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { BookCard } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { AuthorDocument } from '../documents.generated.ts';

/** The books of an author, most popular first. */
export function Author({ name }: { readonly name: string }) {
  const { data, error, fetchMore } = useQuery(AuthorDocument, { variables: { name } });
  const author = data?.author;
  return (
    <Page title={author?.name ?? name}>
      <Answer isLoading={!data && !error} error={error}>
        {author === null && <p>The catalogue has no book by this author.</p>}
        {author && (
          <>
            <ul className="cards" aria-label="Books of the author">
              {author.books.edges.map(({ node }) => (
                <BookCard key={node.id} book={node} />
              ))}
            </ul>
            <More
              isLast
              label="Show more books"
              page={author.books.pageInfo}
              load={(after) => fetchMore({ variables: { after } })}
            />
          </>
        )}
      </Answer>
    </Page>
  );
}
