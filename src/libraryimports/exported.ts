import type { AppContext } from '../context/context.ts';
import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import type { OwnReview } from '../reviews/exported.ts';
import { linesOf, parseLine, type ImportedLine } from './lines.ts';
import { lastDay } from './merge-lines.ts';
import { importNow, importsOfReader, isImported, linesAmong, mapConcurrently } from './stored-lines.ts';
import { unlistedRow, type OwnState } from './unmatched-lines.ts';

/**
 * The lines of a reader's imports that are not applied yet, as the export writes them. Only their
 * keys are held in memory; a reader has at most 100,000.
 */

/** A line without a book, or on a shelf of the reader's own without a status. */
export interface OwnLine {
  readonly content: ImportedLine;
  /** The status for the shelf; null if there is none. */
  readonly status: ReadingStatus | null;
  /** Null if the catalogue lacks the book, or the reader has to choose it. */
  readonly bookId: string | null;
}

/** A review in a file. */
export type FileReview = Pick<OwnReview, 'text' | 'hasSpoilers'>;

/** The reviews of a reader's files that they have not published. */
export interface UnpublishedReviews {
  readonly has: (bookId: string) => boolean;
  /** Reads the reviews of some books, by book. */
  readonly among: (bookIds: readonly string[]) => Promise<ReadonlyMap<string, FileReview>>;
}

/**
 * Finds the reviews of a reader's files that they have not published: for each book the review that
 * would be published, from the newest import.
 */
export async function unpublishedReviews(app: AppContext, userId: string): Promise<UnpublishedReviews> {
  const places = new Map<string, { readonly importId: string; readonly line: number; readonly day: string }>();
  for await (const { importId, state } of importsNow(app, userId)) {
    if (state.publishes_reviews || state.reviews === 0) continue;
    for await (const { line, said, book_id } of linesOf(app.cassandra, importId)) {
      if (book_id === null) continue;
      const content = parseLine(said);
      if (content.review === null) continue;
      const [known, day] = [places.get(book_id), lastDay(content)];
      if (!known || (known.importId === importId && day > known.day)) places.set(book_id, { importId, line, day });
    }
  }

  const reviewOf = async (bookId: string): Promise<(readonly [string, FileReview])[]> => {
    const place = places.get(bookId);
    const [stored] = place ? await linesAmong(app, place.importId, [place.line]) : [];
    const { review: text = null, hasSpoilers = false } = stored?.content ?? {};
    return text === null ? [] : [[bookId, { text, hasSpoilers }]];
  };
  return {
    has: (bookId) => places.has(bookId),
    among: async (bookIds) => new Map((await mapConcurrently(bookIds, reviewOf)).flat()),
  };
}

/**
 * Yields the lines without a book, and those of books that the import has given no status: on a
 * shelf of the reader's own, or with only a review that is not published. If several imports have
 * lines about a book, those of the newest one are used.
 * @param reviews those that are not published
 */
export async function* ownLines(
  app: AppContext,
  userId: string,
  reviews: Pick<UnpublishedReviews, 'has'>,
): AsyncGenerator<OwnLine> {
  const newest = new Map<string, string>();
  for await (const { importId, state } of importsNow(app, userId)) {
    for await (const row of linesOf(app.cassandra, importId)) {
      if (row.fate === 'FAILED') continue;
      const [content, bookId] = [parseLine(row.said), row.book_id];
      const { title_sort, author_key, status } = unlistedRow({ importId, line: row.line }, { ...state, content });
      const isOnOwnShelf = content.shelf !== null && status === null;
      if (bookId !== null && !isOnOwnShelf && !reviews.has(bookId)) continue;

      const key = bookId ?? `${title_sort}\n${author_key}`;
      const found = newest.get(key);
      // Lines about two editions have different data, but only one of their reviews is used.
      const isForReview = bookId !== null && !isOnOwnShelf;
      if (found !== undefined && (isForReview || found !== importId)) continue;
      newest.set(key, importId);
      yield { content, status, bookId };
    }
  }
}

/** Yields the imports of a reader that are not undone, last begun first. */
async function* importsNow(
  app: AppContext,
  userId: string,
): AsyncGenerator<{ readonly importId: string; readonly state: OwnState }> {
  for (const importId of await importsOfReader(app, userId)) {
    const state = await importNow(app, importId);
    if (isImported(state)) yield { importId, state };
  }
}
