import { LikeButton } from '../components/like-button.tsx';
import { More } from '../components/more.tsx';
import type { BookCopiesFragment } from '../documents.generated.ts';
import { priceOf, wordsOf } from '../format.ts';
import { Link } from '../router.tsx';
import { readerPath } from './book-likers.tsx';

interface Props {
  readonly book: BookCopiesFragment;
  readonly load: (after: string) => Promise<unknown>;
}

/** The copies of a book that readers sell, last listed first. */
export function Copies({ book: { copies }, load }: Props) {
  return (
    <>
      {copies.edges.length === 0 && <p>Nobody sells a copy right now.</p>}
      <ul className="rows" aria-label="Copies">
        {copies.edges.map(({ node: copy }) => (
          <li key={copy.id}>
            <span>
              <strong>{priceOf(copy.price)}</strong> {wordsOf(copy.condition)}
              {copy.seller && (
                <>
                  {' '}
                  by <Link to={readerPath(copy.seller.id)}>{copy.seller.fullName}</Link>
                </>
              )}
              <span className="note">{copy.title}</span>
            </span>
            <LikeButton likeable={copy} />
          </li>
        ))}
      </ul>
      <More label="Show more copies" page={copies.pageInfo} load={load} />
    </>
  );
}
