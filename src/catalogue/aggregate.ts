import pLimit, { type LimitFunction } from 'p-limit';
import { z } from 'zod';
import { recordDecision } from '../administration/operations.ts';
import { inBatches } from '../cassandra/batches.ts';
import { untilKnown } from '../cassandra/retries.ts';
import { HIGHEST_TOKEN, LOWEST_TOKEN } from '../cassandra/ring.ts';
import { batch, page, type Bound } from '../cassandra/statement.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { aggregate } from '../aggregates/aggregate.ts';
import { versionAfter, versioned, type Content } from '../aggregates/state.ts';
import { subjectOf } from '../graphql/ids.ts';
import { inBulk, repeated } from '../bulk-import/in-bulk.ts';
import { beginJob } from '../jobs/operations.ts';
import { beginArrivals, BOOKS_ARRIVED, hasNewTerm } from './book-references.ts';
import { recordGenres } from './genres.ts';
import { genresChanged, listingOf, wordsIn } from './listing.ts';
import { listingWrites } from './lists.ts';
import { writeSpellings } from './spelling.ts';
import { seriesOf } from './series-names.ts';
import { bookStates, scanBooks, type BookState } from './tables.ts';

const REPAIRS_AT_ONCE = 8;

const bookKey = z.strictObject({ bookId: z.string() });

/** The fields of a book, from an import or an administrator. */
export type BookFields = Omit<
  BookState,
  | 'version'
  | 'changed_at'
  | 'change_id'
  | 'added_at'
  | 'removed_at'
  | 'former'
  | 'retitled'
  | 'relisted'
  | 'edited'
  | 'edited_by'
>;

/**
 * The fields of a book in a file: the required fields, and the optional fields that the file has.
 */
export type ImportedFields = Pick<BookFields, 'isbn' | 'title' | 'authors'> & Partial<BookFields>;

const NOTHING: BookFields = {
  isbn: null,
  title: '',
  original_title: null,
  authors: [],
  published_year: null,
  language_code: null,
  genres: [],
  publisher: null,
  pages: null,
  published_on: null,
  cover_url: null,
  average_rating: null,
  ratings_count: null,
  work_id: null,
  source_ids: [],
  other_isbns: [],
  series: null,
  description: null,
};

/** The kind of an administrator's edit, and the administrator. */
type Edit = Pick<BookState, 'edited' | 'edited_by'>;

/** The edit of an import. */
const BY_NOBODY: Edit = { edited: null, edited_by: null };

/** The remaining fields in the state of a new book. */
const NEW = { removed_at: null, former: null, retitled: false, relisted: false, ...BY_NOBODY };

/** Returns the fields of a book that the lists of likes contain. */
const namedBy = ({ title, authors }: Pick<BookFields, 'title' | 'authors'>) => ({ title, authors });

/** Returns the fields of a book that the lists of readers contain. */
export const summaryOf = ({
  title,
  authors,
  genres,
  publisher,
}: Pick<BookFields, 'title' | 'authors' | 'genres' | 'publisher'>) => ({ title, authors, genres, publisher });

/**
 * The source of truth of a book, and the lists that are projected from it: by author, genre, word,
 * work, further ISBN and id at other sources, and the lists of all books.
 */
export const books = aggregate({
  name: 'book',
  key: bookKey,
  table: bookStates,
  rowKey: ({ bookId }) => ({ book_id: bookId }),
  tombstone: { ...NOTHING, ...NEW, added_at: new Date(0) },
  projectionContext: () => Promise.resolve({}),
  shownAs: ({ bookId }) => [{ kind: 'BOOK', key: bookId }],
  // A state contains only one former listing and title, and only the latest edit.
  needsFormerProjection: ({ former, relisted, edited }) => former !== null || relisted || edited !== null,
  projections: (app, { bookId }, state, _owner, { occasion }) => {
    const lists = async () => {
      const writes = await listingWrites(app.cassandra, bookId, state);
      for (const part of inBatches(writes, listOf)) await batch(app.cassandra, part);
      const listed = listingOf(state);
      if (listed) await writeSpellings(app, wordsIn(listed), occasion === 'REPAIR' ? 'ALL' : 'NEW');
    };
    const subject = { type: 'Book', key: bookId } as const;
    const jobOf = (kind: string) => () =>
      beginJob(app, subject, kind, `book ${String(state.version)}`, state.changed_at);
    if (occasion === 'REPAIR') return [{ lists }];
    const genres = genresChanged(state);
    const { edited, edited_by, changed_at, change_id } = state;
    const decision =
      edited && edited_by
        ? () => {
            const decided = { kind: `BOOK_${edited}`, at: changed_at, administratorId: edited_by, reason: '' } as const;
            return recordDecision(app, subjectOf(subject), change_id, decided);
          }
        : undefined;
    return [
      { lists, ...(decision && { decision }) },
      {
        // Genres are counted from the lists, so this stage follows them.
        ...(genres.length > 0 && { genres: () => recordGenres(app, genres) }),
        ...(state.retitled && { retitle: jobOf('RETITLE') }),
        ...(state.relisted && { relist: jobOf('RELIST') }),
        ...(state.relisted && (genres.length > 0 || !state.former) && { move: jobOf('MOVE_COPIES') }),
        // The job finds the lines imported so far. A line that is imported later finds the book in
        // the lists.
        ...(hasNewTerm(bookId, state) && { arrival: jobOf(BOOKS_ARRIVED) }),
      },
    ];
  },
});

/** The partition columns of the lists. A row has one of them. */
const PARTITIONS = [
  'author',
  'genre',
  'series',
  'magnitude',
  'initial',
  'period',
  'year',
  'prefix',
  'work_id',
  'isbn',
  'source_id',
];

/** The partition of a row of a list. */
const listOf = ({ label, params }: Bound) => `${label} ${JSON.stringify(PARTITIONS.map((name) => params[name]))}`;

/**
 * Returns the next state of a book with some fields changed; `undefined` if nothing changes.
 * @param at the moment of the change
 */
export function changedBook(
  state: BookState | undefined,
  fields: Partial<BookFields> & { readonly removed_at?: Date | null },
  at: Date,
  edit = BY_NOBODY,
): Content<BookState> | undefined {
  if (state && isSame(state, { ...state, ...fields })) return undefined;
  const before = state ?? { ...NOTHING, removed_at: null };
  const after = { ...before, ...fields };
  const former = state ? listingOf(state) : null;
  const isKnown = before.title !== '';
  const isOther = (part: (fields: BookFields) => object) =>
    JSON.stringify(part(before)) !== JSON.stringify(part(after));
  return {
    ...after,
    ...edit,
    added_at: state && former ? state.added_at : at,
    former,
    retitled: isKnown && isOther(namedBy),
    relisted: isKnown && isOther(summaryOf),
  };
}

const isSame = (one: BookState, other: BookState) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Writes the books of a file. Only an existing book that differs is changed by a transaction. If
 * the process is killed before the lists of a new book are written, a repeated import writes them.
 * Rows of one list are written together.
 * @param limit the limit of concurrent writes
 */
export async function putBooks(
  app: AppContext,
  books: readonly { readonly bookId: string; readonly fields: ImportedFields }[],
  limit: LimitFunction,
): Promise<void> {
  const lists = await inBulk(app, books, ({ bookId, fields }) => putBook(app, bookId, fields), limit);
  await inBulk(app, inBatches(lists.flat(), listOf), (writes) => batch(app.cassandra, writes), limit);
  const words = books.flatMap(({ fields }) => [...wordsIn({ original_title: null, ...fields })]);
  await repeated(app, () => writeSpellings(app, words, 'NEW'));
  const genres = books.flatMap(({ fields }) => fields.genres ?? []);
  await repeated(app, () => recordGenres(app, genres));
  const written = books.flatMap(({ bookId }, index) => (lists[index]?.length ? bookId : []));
  await repeated(app, () => beginArrivals(app, written));
}

/** Rewrites the lists of some books, as the data move of a migration. */
const rewriteLists =
  (isConcerned: (state: BookState) => boolean): JobHandler =>
  async (app, _migration, position) => {
    const ring = { above: LOWEST_TOKEN, up_to: HIGHEST_TOKEN };
    const { rows: found, pageState } = await page(app.cassandra, scanBooks, ring, position);
    const concerned = found.filter(({ state }) => isConcerned(state));
    // The timestamp of a row is the version of its book, so a replacement needs a newer version.
    await pLimit(REPAIRS_AT_ONCE).map(concerned, ({ book_id: bookId }) => books.repair(app, { bookId }));
    return pageState;
  };

/**
 * The data move of the migration `0001-works`, which fills the lists of editions and the rows by
 * words in other forms.
 */
export const fillEditions = rewriteLists(() => true);

/** The data move of the migration `0014-series`, which fills the lists of series. */
export const fillSeries = rewriteLists((state) => seriesOf(state).length > 0);

/** Returns the fields of a file for a book. The book keeps its ids at other sources. */
const addedTo = (state: BookState | undefined, fields: ImportedFields): ImportedFields => ({
  ...fields,
  source_ids: [...new Set([...(state?.source_ids ?? []), ...(fields.source_ids ?? [])])],
});

/** @returns the writes to the lists; none if a transaction has written them */
async function putBook(app: AppContext, bookId: string, fields: ImportedFields): Promise<Bound[]> {
  const now = app.clock();
  const added = { ...NOTHING, ...fields, ...NEW, added_at: now };
  const state = versioned<BookState>(added, versionAfter(app, undefined, now));
  const found = await untilKnown(app.cassandra, () =>
    bookStates.compareAndSet(app.cassandra, { book_id: bookId }, null, state),
  );
  if (found.applied) return listingWrites(app.cassandra, bookId, state);
  const current = found.current?.state;
  if (current && isSame(current, { ...current, ...addedTo(current, fields) }))
    return listingWrites(app.cassandra, bookId, current);
  await books.change(app, { bookId }, current, (latest, at) => changedBook(latest, addedTo(latest, fields), at));
  return [];
}
