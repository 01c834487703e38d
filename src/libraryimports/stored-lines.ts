import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { onCondition, type Reservation } from '../aggregates/aggregate.ts';
import { keysInParts } from '../cassandra/by-key.ts';
import { letOthersPass } from '../cassandra/contention.ts';
import { appliedBatch, bind, each, first, rows, type Bound } from '../cassandra/statement.ts';
import { untilKnown } from '../cassandra/until-known.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { imports } from './aggregate.ts';
import { lineOf } from './lines.ts';
import {
  importLines,
  selectBooksOf,
  selectImports,
  selectImportsOf,
  selectLine,
  selectRevision,
  setRevision,
  updateLine,
  type ImportLineRow,
  type LibraryImportState,
} from './tables.ts';
import { listLine, unlistLine, type OwnState, type PlacedLine } from './waiting.ts';

/**
 * The lines of imports as they are stored. All lines of an import have one revision. They are
 * changed on condition that it is what was read, so nobody decides from lines that others have
 * changed: several servers may go through an import at once.
 */

const LINES_AT_ONCE = 32;

/** The part of a line that says what became of it. */
export type Became = Pick<ImportLineRow, 'fate' | 'reason' | 'book_id' | 'candidates'>;

export const PENDING: Became = { fate: 'PENDING', reason: '', book_id: null, candidates: [] };

/** A line as it is stored, and what it says. */
export type StoredLine = PlacedLine & { readonly row: Became };

/** A line whose book is decided. */
export type LineOfBook = StoredLine & { readonly row: { readonly book_id: string } };

export const hasBook = (stored: StoredLine): stored is LineOfBook => stored.row.book_id !== null;

/** Lines that could be read, with the revision of all lines of their import. */
export interface StoredLines<Line = StoredLine> {
  readonly importId: string;
  readonly revision: number | null;
  readonly lines: readonly Line[];
}

/**
 * Runs work on some lines at once.
 * @throws the error of the first line whose work failed, when all the others are done
 */
export async function onEach<Line, Result>(
  lines: readonly Line[],
  work: (line: Line) => Promise<Result>,
): Promise<Result[]> {
  const settled = await pLimit(LINES_AT_ONCE).map(lines, (line) => Promise.allSettled([work(line)]));
  return settled.flat().map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/**
 * Reads a page of lines.
 * @param after the number of the line before the page
 * @returns the lines that could be read, and the number of the last line of the page; `undefined`
 *   for it at the end
 */
export async function linesAfter(
  { cassandra }: AppContext,
  importId: string,
  after: number,
  limit: number,
): Promise<{ readonly stored: StoredLines; readonly last: number | undefined }> {
  const slice = { descending: false, from: { line: after }, limit };
  const page = await importLines.read(cassandra, { import_id: importId }, slice);
  const last = page.length === limit ? page.at(-1)?.line : undefined;
  return { stored: storedLines(importId, page), last };
}

/** Reads one line; none if there is none, or if it could not be read. */
export async function oneLine({ cassandra }: AppContext, importId: string, line: number): Promise<StoredLines> {
  const row = await first(cassandra, selectLine, { import_id: importId, line });
  return storedLines(importId, row ? [{ ...row, line }] : []);
}

/**
 * Returns all lines of an import about the books of some of its lines, by the books. The books of
 * these must be stored: of two calls at once, the later one then finds the lines of both.
 */
export async function linesByBook(
  app: AppContext,
  { importId, lines }: StoredLines<LineOfBook>,
): Promise<Map<string, LineOfBook[]>> {
  const found = Map.groupBy(lines, ({ row }) => row.book_id);
  const known = new Set(lines.map(({ line }) => line));
  for await (const { line, book_id } of each(app.cassandra, selectBooksOf, { import_id: importId })) {
    const ofBook = book_id === null || known.has(line) ? undefined : found.get(book_id);
    ofBook?.push(...(await oneLine(app, importId, line)).lines.filter(hasBook));
  }
  return found;
}

/** Returns the lines of an import about a book. */
export async function linesAbout(app: AppContext, importId: string, bookId: string): Promise<LineOfBook[]> {
  const found: LineOfBook[] = [];
  for await (const { line, book_id } of each(app.cassandra, selectBooksOf, { import_id: importId }))
    if (book_id === bookId) found.push(...(await oneLine(app, importId, line)).lines.filter(hasBook));
  return found;
}

const storedLines = (importId: string, rows: readonly ImportLineRow[]): StoredLines => ({
  importId,
  revision: rows[0]?.revision ?? null,
  lines: rows
    .filter(({ fate }) => fate !== 'FAILED')
    .map(({ line, said, fate, reason, book_id, candidates }) => ({
      importId,
      line,
      said: lineOf({ said }),
      row: { fate, reason, book_id, candidates },
    })),
});

/** Reads the state of an import of somebody. */
export async function importNow(app: AppContext, importId: string): Promise<OwnState | undefined> {
  const state = await imports.read(app, { importId });
  const { user_id = null } = state ?? {};
  return state && user_id !== null ? { ...state, user_id } : undefined;
}

/** True for an import whose lines are among the readings of its reader, or are being added. */
export const isImported = <State extends LibraryImportState>(state: State | undefined): state is State =>
  state?.status === 'DONE' || state?.status === 'RUNNING';

/** Returns the ids of all imports of a reader, last begun first. */
export async function importsOfReader({ cassandra }: AppContext, user_id: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { import_id } of each(cassandra, selectImportsOf, { user_id })) found.push(import_id);
  return found;
}

/** Reads the states of imports, without decisions in progress. */
export async function importsAmong({ cassandra }: AppContext, importIds: readonly string[]) {
  const parts = keysInParts(importIds);
  return (await Promise.all(parts.map((import_ids) => rows(cassandra, selectImports, { import_ids })))).flat();
}

/** Reads the revision of the lines of an import; null if none was changed. */
export async function revisionOf({ cassandra }: AppContext, importId: string): Promise<number | null> {
  const row = await first(cassandra, selectRevision, { import_id: importId, rows_max: 1 });
  return row?.revision ?? null;
}

/**
 * Writes to the lines of an import if they are still as they were read.
 * @returns false if somebody has changed lines of the import since
 */
export const writeIf = (
  { cassandra }: AppContext,
  importId: string,
  { current, next }: { readonly current: number | null; readonly next: number | null },
  writes: readonly Bound[],
): Promise<boolean> =>
  untilKnown(cassandra, () =>
    appliedBatch(cassandra, [bind(setRevision, { import_id: importId, current, next }), ...writes]),
  );

/**
 * Stores what became of lines, and lists those that the catalogue does not have.
 * @param after the lines of `before`, with what became of them
 * @returns the lines as stored; `undefined` if somebody has changed lines of the import since they
 *   were read
 */
export async function record(
  app: AppContext,
  state: OwnState,
  before: StoredLines,
  after: readonly StoredLine[],
): Promise<StoredLines | undefined> {
  const { importId } = before;
  const isSame = (each: StoredLine, index: number) => isDeepStrictEqual(each.row, before.lines[index]?.row);
  const changed = after.filter((each, index) => !isSame(each, index));
  const unlisted = after.filter(isUnlisted);
  if (changed.length === 0 && unlisted.length === 0) return before;

  const current = before.revision;
  const next = (current ?? 0) + 1;
  // If the lines are listed no more before they are changed, a repetition finds what is left to do.
  const found = before.lines.filter((each, index) => isUnlisted(each) && after[index]?.row.fate !== 'UNLISTED');
  await onEach(found, (each) => unlistLine(app, each, state, next - 1));
  const writes = changed.map(({ line, row }) => bind(updateLine, { import_id: importId, line, ...row }));
  if (!(await writeIf(app, importId, { current, next }, writes))) return undefined;

  await onEach(unlisted, (each) => listLine(app, each, state, next));
  return { importId, revision: next, lines: after };
}

const isUnlisted = ({ row }: StoredLine): boolean => row.fate === 'UNLISTED';

/**
 * Lists a line anew if the catalogue does not have its book.
 * @returns the revision with which it did so, higher than `above`
 */
export async function relistLine(app: AppContext, importId: string, line: number, above: number): Promise<number> {
  let next = above + 1;
  await untilRecorded(app, async () => {
    const state = await importNow(app, importId);
    const { revision: current, lines } = await oneLine(app, importId, line);
    const [stored] = lines;
    if (!state || !stored) return true;

    next = Math.max(current ?? 0, above) + 1;
    if (!(await writeIf(app, importId, { current, next }, []))) return false;
    if (isUnlisted(stored)) await listLine(app, stored, state, next);
    return true;
  });
  return next;
}

/** Thrown when lines were changed since somebody read them. */
class ChangedLinesError extends UserError {
  constructor() {
    super('INVALID_INPUT', 'The lines of the import were changed meanwhile.', ['input', 'importId']);
  }
}

/**
 * Changes readings, ratings and reviews only while the lines that this follows from are as they
 * were read. A server that stalls meanwhile then changes nothing, and may die at any moment.
 * @param work makes each change on the condition that it is given; returns false if others have
 *   changed lines of the import meanwhile
 * @returns false if others have changed lines of the import meanwhile
 */
export async function whileAsRead(
  app: AppContext,
  { importId, revision }: StoredLines,
  work: (condition: Reservation) => Promise<boolean>,
): Promise<boolean> {
  const latest = inRounds(() => revisionOf(app, importId));
  const condition = onCondition('lines', async () => {
    if ((await latest()) !== revision) throw new ChangedLinesError();
  });
  try {
    return await work(condition);
  } catch (error) {
    if (error instanceof ChangedLinesError) return false;
    throw error;
  }
}

/** Returns a function that reads for all who call it while it reads for others. */
function inRounds<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  const begin = () => {
    next = undefined;
    return read();
  };
  return () => {
    if (next) return next;
    next = latest.then(begin);
    latest = next.catch(() => undefined);
    return next;
  };
}

/** Makes all changes fail that follow from lines that were read before. */
export const raiseRevision = (app: AppContext, importId: string): Promise<void> =>
  untilRecorded(app, async () => {
    const current = await revisionOf(app, importId);
    return writeIf(app, importId, { current, next: (current ?? 0) + 1 }, []);
  });

/**
 * Repeats a try until it succeeds.
 * @param attempt reads lines and records them; returns false if others have changed lines meanwhile
 * @throws {ContentionError} if others are faster each time
 */
export async function untilRecorded({ cassandra }: AppContext, attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; !(await attempt()); tries++) await letOthersPass(cassandra, tries, 'the import');
}
