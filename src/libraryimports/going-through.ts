import type { Importing } from '../aggregates/importing.ts';
import { booksNow } from '../catalogue/operations.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { inTurn } from '../jobs/operations.ts';
import { imports, jobCauseOf, NOT_AGAIN } from './aggregate.ts';
import { keepBook, onePastTheLimit } from './keeping.ts';
import { matchThese } from './matching-lines.ts';
import { raiseRevision, untilRecorded, whileAsRead } from './revisions.ts';
import { LINES_PER_BOOK_MAX } from './said-together.ts';
import {
  booksOf,
  findImport,
  firstOf,
  hasBook,
  importsOfReader,
  isImported,
  linesAmong,
  onEach,
  PENDING,
  placesByBook,
  placesOf,
  record,
  type FoundImport,
  type StoredLine,
} from './stored-lines.ts';
import { takeBack } from './taking-back.ts';
import type { LibraryImportState, LinePlace } from './tables.ts';

/**
 * The jobs of an import, which go through the lines that are pending some at a time, and may repeat
 * any of them. The book of a line is decided first, and then added to the readings: whatever dies
 * or is repeated, the line tells what an undo has to take back. All books are decided before any is
 * added, because several lines may be about one.
 */

const LINES_PER_PAGE = 200;

/** The result of work on some lines. */
interface Worked {
  /** False if others have changed lines of the import meanwhile. */
  readonly isRecorded: boolean;
  /** The line after which the work goes on; `undefined` if all is done. */
  readonly last: number | undefined;
}

type Work = (app: AppContext, found: FoundImport, after: number) => Promise<Worked>;

/**
 * Matches the pending lines that have no book yet, and then adds what the pending lines say to the
 * readings of the reader.
 */
export const importSome: JobHandler = inTurn([
  {
    name: 'match',
    work: async (app, importId, position) => {
      // A server that is still in a former run adds nothing any more.
      if (position === '') await raiseRevision(app, importId);
      return goThrough(app, importId, position, isImported, matchSome);
    },
  },
  {
    name: 'keep',
    work: async (app, importId, position, _subject, cause) => {
      const next = await goThrough(app, importId, position, isImported, keepSome);
      if (next === undefined) await end(app, importId, cause, 'RUNNING', 'DONE');
      return next;
    },
  },
]);

/**
 * Takes back what the lines added, and has other imports say again what they say of the same books.
 */
export const undoSome: JobHandler = async (app, importId, position, _subject, cause) => {
  // A server that does not know of the undo yet can no longer decide or add anything.
  if (position === '') await raiseRevision(app, importId);
  const next = await goThrough(app, importId, position, ({ status }) => status === 'UNDOING', takeBackSome);
  if (next === undefined) await end(app, importId, cause, 'UNDOING', 'UNDONE');
  return next;
};

/** Works on some lines of an import in a state; returns the next position of the job. */
async function goThrough(
  app: AppContext,
  importId: string,
  position: string,
  isIn: (state: LibraryImportState) => boolean,
  work: Work,
): Promise<string | undefined> {
  let last: number | undefined;
  await untilRecorded(app, async () => {
    const found = await findImport(app, importId);
    if (!found || !isIn(found.state)) return true;
    const worked = await work(app, found, Number(position));
    ({ last } = worked);
    return worked.isRecorded;
  });
  return last?.toString();
}

/**
 * Ends the work on an import.
 * @param cause the change that asked for the job: when another one has asked since, the import ends
 *   with the job of that
 */
async function end(
  app: AppContext,
  importId: string,
  cause: string | undefined,
  during: LibraryImportState['status'],
  after: LibraryImportState['status'],
): Promise<void> {
  await imports.amend(app, { importId }, (latest) => {
    const isAskedByThis = latest.status === during && jobCauseOf(latest) === cause;
    return Promise.resolve(isAskedByThis ? { ...latest, ...NOT_AGAIN, status: after } : undefined);
  });
}

/**
 * Decides which books the lines are about that have none yet, and takes back what former books got.
 */
const matchSome: Work = async (app, found, after) => {
  const { importId, state } = found;
  const { lines, last } = await pageAfter(app, importId, after, state.again === null ? isPending : () => true);
  const leaving = lines.filter(({ row }) => row.former.length > 0);
  if (leaving.length > 0) return { isRecorded: await leaveFormer(app, found, leaving), last: after };

  const isToDo = ({ said, row }: StoredLine) => isPending(row) || isAskedAgain(state, said, row);
  return { isRecorded: await matchThese(app, found, lines.filter(isToDo)), last };
};

/** Returns true if the reader has asked to import a line once more. */
const isAskedAgain = (
  { again, again_shelf }: LibraryImportState,
  said: StoredLine['said'],
  { book_id }: StoredLine['row'],
): boolean =>
  again === 'ALL' ||
  (again === 'SHELF' && said.shelf === again_shelf) ||
  (again === 'REVIEWS' && said.review !== null && book_id !== null);

const isPending = ({ fate }: Pick<LinePlace, 'fate'>): boolean => fate === 'PENDING';

/**
 * Reads a page of lines.
 * @param after the number of the line before the page
 * @returns the lines that could be read, and the number of the last line of the page; `undefined`
 *   for it at the end
 */
async function pageAfter(app: AppContext, importId: string, after: number, isOnPage: (place: LinePlace) => boolean) {
  const numbers: number[] = [];
  for await (const place of placesOf(app, importId, after)) {
    if (isOnPage(place)) numbers.push(place.line);
    if (numbers.length === LINES_PER_PAGE) break;
  }
  const last = numbers.length === LINES_PER_PAGE ? numbers.at(-1) : undefined;
  return { lines: await linesAmong(app, importId, numbers), last };
}

/** Takes back what lines brought to books that they are about no more. */
const leaveFormer = (app: AppContext, found: FoundImport, leaving: readonly StoredLine[]): Promise<boolean> =>
  whileAsRead(app, found, async (condition) => {
    const books = await takeBack(app, found, leaving, ({ row }) => row.former, condition);
    // Other lines of this import may say something of these books as well.
    const places = await placesByBook(app, found.importId);
    const numbers = new Set(books.flatMap((bookId) => firstOf(places.get(bookId)).map(({ line }) => line)));
    for (const { line } of leaving) numbers.delete(line);
    const others = await linesAmong(app, found.importId, [...numbers]);
    const changes = [
      ...leaving.map((line) => ({ ...line, becomes: { ...line.row, former: [] } })),
      ...others.map((line) => ({ ...line, becomes: { ...line.row, fate: 'PENDING' as const } })),
    ];
    return (await record(app, found, changes)) !== undefined;
  });

/** Adds what the pending lines say of some books to the readings of the reader. */
const keepSome: Work = async (app, found, after) => {
  const { importId, state } = found;
  const { bookIds, numbers, past, last } = await booksAfter(app, importId, after);
  const lines = (await linesAmong(app, importId, numbers)).filter(hasBook);
  const linesOf = Map.groupBy(
    lines.filter(({ line }) => !past.has(line)),
    ({ row }) => row.book_id,
  );
  const books = await booksNow(app, bookIds);
  const isOlder = await olderThan(app, found);
  const isRecorded = await whileAsRead(app, found, async (condition) => {
    const importing: Importing = { userId: state.user_id, importId, condition, isOlder };
    const kept = await onEach([...linesOf], ([bookId, ofBook]) =>
      keepBook(app, importing, state, ofBook, books.get(bookId)),
    );
    const changes = [...kept.flat(), ...lines.filter(({ line }) => past.has(line)).map(onePastTheLimit)];
    return (await record(app, found, changes)) !== undefined;
  });
  return { isRecorded, last };
};

/** The next books with pending lines. */
interface NextBooks {
  readonly bookIds: readonly string[];
  /** The lines to read: all that are imported of these books, and those past the limit. */
  readonly numbers: readonly number[];
  /** The pending lines that are past the limit of their book. */
  readonly past: ReadonlySet<number>;
  readonly last: number | undefined;
}

async function booksAfter(app: AppContext, importId: string, after: number): Promise<NextBooks> {
  const places = await placesByBook(app, importId);
  const pending = [...places]
    .flatMap(([bookId, all]) => all.map((place, index) => ({ ...place, bookId, isPast: index >= LINES_PER_BOOK_MAX })))
    .filter(({ fate, line }) => fate === 'PENDING' && line > after)
    .toSorted((one, other) => one.line - other.line);
  const books = new Set<string>();
  const numbers = new Set<number>();
  const past = new Set<number>();
  for (const { line, bookId, isPast } of pending) {
    if (numbers.size >= LINES_PER_PAGE) return { bookIds: [...books], numbers: [...numbers], past, last: after };

    after = line;
    numbers.add(line);
    if (isPast) past.add(line);
    else if (!books.has(bookId)) for (const place of firstOf(places.get(bookId))) numbers.add(place.line);
    if (!isPast) books.add(bookId);
  }
  return { bookIds: [...books], numbers: [...numbers], past, last: undefined };
}

/**
 * Returns a function that tells which imports of a reader were begun before one. An import that it
 * does not know was begun after this read.
 */
async function olderThan(app: AppContext, { importId, state }: FoundImport): Promise<Importing['isOlder']> {
  const all = await importsOfReader(app, state.user_id);
  const older = new Set(all.slice(all.indexOf(importId) + 1));
  return (id) => older.has(id);
}

const takeBackSome: Work = async (app, found, after) => {
  const { lines, last } = await pageAfter(app, found.importId, after, () => true);
  const isRecorded = await whileAsRead(app, found, async (condition) => {
    await takeBack(app, found, lines, booksOf, condition);
    const changes = lines.map((line) => ({ ...line, becomes: PENDING }));
    return (await record(app, found, changes)) !== undefined;
  });
  return { isRecorded, last };
};
