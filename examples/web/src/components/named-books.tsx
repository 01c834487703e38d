import type { BookCardFragment } from '../documents.generated.ts';
import { Link } from '../router.tsx';
import { Answer } from './answer.tsx';
import { BookCard } from './book-card.tsx';
import { More } from './more.tsx';
import { Page } from './page.tsx';

interface Props {
  /** The name in the address, which is shown until the answer has the catalogue's own spelling. */
  readonly name: string;
  /** The name of the list for screen readers. */
  readonly label: string;
  /** The text for a name that no book has. */
  readonly none: string;
  /** The author or series; null if no book names it, undefined until the answer is there. */
  readonly found: Found | null | undefined;
  readonly error: unknown;
  /** Asks for the page after a cursor. */
  readonly load: (after: string) => Promise<unknown>;
}

interface Found {
  readonly name: string;
  readonly books: {
    readonly edges: readonly { readonly node: BookCardFragment; readonly position?: string | null }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}

/** A page of the books of an author or a series, with their numbers in the series. */
export function NamedBooks({ name, label, none, found, error, load }: Props) {
  return (
    <Page title={found?.name ?? name}>
      <Answer isLoading={found === undefined && !error} error={error}>
        {found === null && (
          <p>
            {none} Look at <Link to="/search">all books</Link>.
          </p>
        )}
        {found && (
          <>
            <ul className="cards" aria-label={label}>
              {found.books.edges.map(({ node, position }) => (
                <BookCard key={node.id} book={node} note={position == null ? undefined : `Book ${position}`} />
              ))}
            </ul>
            <More isLast label="Show more books" page={found.books.pageInfo} load={load} />
          </>
        )}
      </Answer>
    </Page>
  );
}
