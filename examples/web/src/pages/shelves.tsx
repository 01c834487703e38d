import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { BookCard } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import {
  MoreOfShelfDocument,
  MoreReadDocument,
  MoreUnlistedDocument,
  ShelvesDocument,
  type ReadingStatus,
  type ShelfBooksFragment,
  type UnlistedBooksFragment,
} from '../documents.generated.ts';
import { dayOf, progressOf, wordsOf } from '../format.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { onShelf } from '../shelves.ts';
import { importPath } from './import.tsx';

/** The reader's shelves, and all books that they have read. */
export function Shelves() {
  const isReader = useSession() !== undefined;
  const { data, loading, error, fetchMore } = useQuery(ShelvesDocument, {
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const viewer = data?.viewer;
  // A book that was just taken back is still in the cache.
  const read = viewer?.readBooks?.edges.filter(({ node }) => node.viewerReading?.readings.length !== 0);
  const loadShelf = (status: ReadingStatus) => (after: string) =>
    fetchMore({ query: MoreOfShelfDocument, variables: { status, after } });
  if (!isReader) return <NeedsLogin title="My shelves" />;
  return (
    <Page title="My shelves">
      <p>
        <Link to="/year">My year</Link> · <Link to="/import">Import my library from elsewhere</Link>
      </p>
      <Answer isLoading={loading && !data} error={error}>
        <Shelf title="Reading now" status="READING" books={viewer?.reading} load={loadShelf('READING')} showsProgress />
        <Shelf title="Want to read" status="WANT_TO_READ" books={viewer?.wanted} load={loadShelf('WANT_TO_READ')} />
        <Section title="Read">
          {read?.length === 0 && (
            <p>
              No books yet. <Link to="/search">Find a book</Link>, and put it on a shelf.
            </p>
          )}
          <ul className="cards" aria-label="Read books">
            {read?.map(({ node, finishedOn }) => (
              <BookCard key={node.id} book={node} note={finishedOn ? dayOf(finishedOn) : 'at an unknown time'} />
            ))}
          </ul>
          {viewer?.readBooks && (
            <More
              label="Show more read books"
              page={viewer.readBooks.pageInfo}
              load={(readAfter) => fetchMore({ query: MoreReadDocument, variables: { readAfter } })}
            />
          )}
        </Section>
        <Shelf title="Given up" status="GIVEN_UP" books={viewer?.givenUp} load={loadShelf('GIVEN_UP')} showsProgress />
        {viewer?.unlistedBooks && viewer.unlistedBooks.edges.length > 0 && (
          <Unlisted
            books={viewer.unlistedBooks}
            load={(unlistedAfter) => fetchMore({ query: MoreUnlistedDocument, variables: { unlistedAfter } })}
          />
        )}
      </Answer>
    </Page>
  );
}

interface UnlistedProps {
  readonly books: NonNullable<UnlistedBooksFragment['unlistedBooks']>;
  readonly load: (after: string) => Promise<unknown>;
}

/** The books of imports that the catalogue does not have. */
function Unlisted({ books: { edges, pageInfo }, load }: UnlistedProps) {
  return (
    <Section title="Not in the catalogue yet">
      <p>These books of your imports move to your shelves as soon as the catalogue has them.</p>
      <ul className="rows">
        {edges.map(({ cursor, node: { title, authors, status, shelf, libraryImport } }) => (
          <li key={cursor}>
            <span>
              <strong>{title}</strong> {authors.join(', ')}
              {(status ?? shelf) && ` · ${status ? wordsOf(status) : (shelf ?? '')}`}
            </span>
            {libraryImport && (
              <Link to={importPath(libraryImport.id)} aria-label={`The import with ${title}`}>
                Import
              </Link>
            )}
          </li>
        ))}
      </ul>
      <More label="Show more of these books" page={pageInfo} load={load} />
    </Section>
  );
}

interface Props {
  readonly title: string;
  readonly status: ReadingStatus;
  readonly books: ShelfBooksFragment | null | undefined;
  readonly load: (after: string) => Promise<unknown>;
  readonly showsProgress?: boolean;
}

function Shelf({ title, status, books, load, showsProgress = false }: Props) {
  const edges = onShelf(books?.edges, status);
  if (!books || edges.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="cards">
        {edges.map(({ node }) => (
          <BookCard key={node.id} book={node} {...(showsProgress && { note: progressOf(node) })} />
        ))}
      </ul>
      <More label={`Show more of “${title}”`} page={books.pageInfo} load={load} />
    </Section>
  );
}
