import type { ReactNode } from 'react';
import type { OwnBookFragment } from '../documents.generated.ts';
import { Link } from '../router.tsx';
import { bookPath } from './book-card.tsx';
import { Cover } from './cover.tsx';
import { Rating } from './stars.tsx';

interface Props {
  readonly book: OwnBookFragment;
  /** What the list says of the book. */
  readonly children?: ReactNode;
}

/** A book in a list of the reader's own, with its cover and their rating. */
export function OwnBook({ book: { id, title, authors, coverUrl, viewerRating }, children }: Props) {
  return (
    <div className="own">
      <Cover title={title} authors={authors} url={coverUrl} />
      <div>
        <Link to={bookPath(id)}>{title}</Link>
        <span className="note">{authors.join(', ')}</span>
        {viewerRating !== null && <Rating value={viewerRating} />} {children}
      </div>
    </div>
  );
}
