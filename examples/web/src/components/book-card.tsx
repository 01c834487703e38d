import type { ReactNode } from 'react';
import type { BookCardFragment } from '../documents.generated.ts';
import { wordsOf } from '../format.ts';
import { Link } from '../router.tsx';
import { Cover } from './cover.tsx';
import { LikeButton } from './like-button.tsx';
import { StatusButton } from './status-button.tsx';

/** A book in a list, with a line of the list's own below it, or else its shelf. */
export function BookCard({ book, note }: { readonly book: BookCardFragment; readonly note?: ReactNode }) {
  const status = book.viewerReading?.status;
  const line = note ?? (status && wordsOf(status));
  return (
    <li className="card">
      <Link to={bookPath(book.id)}>
        <Cover title={book.title} authors={book.authors} url={book.coverUrl} />
        <span className="title">{book.title}</span>
      </Link>
      <span className="authors">{book.authors.join(', ')}</span>
      {line && <span className="note">{line}</span>}
      <LikeButton likeable={book} />
      <StatusButton book={book} />
    </li>
  );
}

export const bookPath = (id: string): string => `/book/${encodeURIComponent(id)}`;

export const authorPath = (name: string): string => `/author/${encodeURIComponent(name)}`;

export const seriesPath = (name: string): string => `/series/${encodeURIComponent(name)}`;
