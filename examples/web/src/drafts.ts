import { session } from './auth.ts';

/** Reviews that are written and not sent yet, of each reader and book, in this browser. */

export interface Draft {
  readonly text: string;
  readonly hasSpoilers: boolean;
}

const PREFIX = 'draft ';
const keyOf = (bookId: string) => `${PREFIX}${session()?.readerId} ${bookId}`;

export function keepDraft(bookId: string, draft: Draft): void {
  localStorage.setItem(keyOf(bookId), JSON.stringify(draft));
}

/** Returns what the reader has written about a book; undefined if there is no draft. */
export function draftOf(bookId: string): Draft | undefined {
  const kept = localStorage.getItem(keyOf(bookId));
  return kept === null ? undefined : (JSON.parse(kept) as Draft);
}

export function forgetDraft(bookId: string): void {
  localStorage.removeItem(keyOf(bookId));
}

/** Forgets the drafts of all readers of this browser. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
