import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { BookCard } from '../components/book-card.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { HomeDocument } from '../documents.generated.ts';
import { progressOf } from '../format.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { onShelf } from '../shelves.ts';

/** The number of popular books, besides those that are trending. */
const POPULAR_MAX = 6;

/** The first page: one request for all of its lists. */
export function Home() {
  const isReader = useSession() !== undefined;
  const { data, loading, error } = useQuery(HomeDocument, {
    variables: { isReader },
    fetchPolicy: 'cache-and-network',
  });
  const reading = onShelf(data?.viewer?.shelf?.edges, 'READING');
  const viewed = data?.viewer?.recentlyViewed?.edges ?? [];
  const trending = data?.trending?.edges ?? [];
  const isTrending = new Set(trending.map(({ node }) => node?.__typename === 'Book' && node.id));
  const popular = data?.books?.edges.filter(({ node }) => !isTrending.has(node.id)).slice(0, POPULAR_MAX) ?? [];
  return (
    <Page title="Good to read">
      {!isReader && (
        <p className="lead">
          Find books, see who likes them, and keep what you have read. <Link to="/register">Sign up</Link> to begin.
        </p>
      )}
      <Answer isLoading={loading && !data} error={error}>
        {reading.length > 0 && (
          <Section title="Reading now">
            <ul className="cards">
              {reading.map(({ node }) => (
                <BookCard key={node.id} book={node} note={progressOf(node)} />
              ))}
            </ul>
          </Section>
        )}
        {trending.length > 0 && (
          <Section title="Trending this week">
            <ul className="cards">
              {trending.map(
                ({ node, likes }) =>
                  node?.__typename === 'Book' && <BookCard key={node.id} book={node} note={`♥ ${likes} this week`} />,
              )}
            </ul>
          </Section>
        )}
        <Section title="Popular">
          <ul className="cards">
            {popular.map(({ node }) => (
              <BookCard key={node.id} book={node} />
            ))}
          </ul>
        </Section>
        {viewed.length > 0 && (
          <Section title="Recently viewed">
            <ul className="cards">
              {viewed.map(({ node }) => (
                <BookCard key={node.id} book={node} />
              ))}
            </ul>
          </Section>
        )}
      </Answer>
    </Page>
  );
}
