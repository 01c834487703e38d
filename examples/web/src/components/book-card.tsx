import type { BookCardFragment } from '../documents.generated.ts';
import { Link } from '../router.tsx';
import { Cover } from './cover.tsx';

/** A book in a list, with a line of the list's own below it. */
export function BookCard({ book, note }: { readonly book: BookCardFragment; readonly note?: string | undefined }) {
  return (
    <li className="card">
      <Link to={bookPath(book.id)}>
        <Cover title={book.title} authors={book.authors} url={book.coverUrl} />
        <span className="title">{book.title}</span>
      </Link>
      <span className="authors">{book.authors.join(', ')}</span>
      <span className="note">{note ?? likesText(book.likeCount)}</span>
    </li>
  );
}

export const bookPath = (id: string): string => `/book/${encodeURIComponent(id)}`;

export const likesText = (count: number): string => `♥ ${count.toLocaleString('en')}`;
