import pLimit from 'p-limit';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { bind, each, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { ImportFate } from '../graphql/generated/schema-types.ts';
import { imports } from './aggregate.ts';
import { parseLine, type ImportedLine } from './lines.ts';
import { LINES_PER_BOOK_MAX } from './merge-lines.ts';
import { retryOnConflict, revisionOf, writeIf } from './revisions.ts';
import {
  linePlaces,
  selectImports,
  selectImportsOf,
  selectSomeLines,
  updateFate,
  updateLine,
  type ImportLineRow,
  type LibraryImportState,
  type LinePlace,
} from './tables.ts';
import { hasReader, mayBeListed, projectLine, type LineKey, type OwnState } from './unmatched-lines.ts';

/** Reads and writes the stored lines of imports. */

const LINES_AT_ONCE = 32;
const PLACES_PER_READ = 1_000;

/** The part of a stored line that the job decides. */
export type LineOutcome = Pick<ImportLineRow, 'fate' | 'reason' | 'book_id' | 'candidates' | 'former'>;

export const PENDING: LineOutcome = { fate: 'PENDING', reason: '', book_id: null, candidates: [], former: [] };

/** A line at the time of a read. */
export type StoredLine = LineKey & { readonly content: ImportedLine; readonly row: LineOutcome };

export type LineOfBook = StoredLine & { readonly row: { readonly book_id: string } };

export const hasBook = (stored: StoredLine): stored is LineOfBook => stored.row.book_id !== null;

/** The books to which a line may have been applied. */
export const booksOf = ({ row: { former, book_id } }: StoredLine): readonly string[] =>
  book_id === null ? former : [...former, book_id];

/** An import at the time of a read, to work on its lines. */
export interface FoundImport {
  readonly importId: string;
  /** The revision of all lines, read before the state and the lines. */
  readonly revision: number | null;
  readonly state: OwnState;
}

/**
 * Maps items concurrently, with a limit.
 * @throws the error of the first item that failed, after all others are done
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const settled = await pLimit(LINES_AT_ONCE).map(items, (item) => Promise.allSettled([work(item)]));
  return settled.flat().map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Yields the fates and books of the lines of an import that follow a given line, in order. */
export async function* placesOf({ cassandra }: AppContext, import_id: string, after = 0) {
  for (let from = after; ;) {
    const slice = { descending: false, from: { line: from }, limit: PLACES_PER_READ };
    const some = await linePlaces.read(cassandra, { import_id }, slice);
    yield* some;
    const last = some.at(-1);
    if (!last || some.length < PLACES_PER_READ) return;
    from = last.line;
  }
}

/** Returns the lines of an import about each book, in order. */
export async function placesByBook(app: AppContext, importId: string): Promise<Map<string, LinePlace[]>> {
  const found = Map.groupBy(await Array.fromAsync(placesOf(app, importId)), ({ book_id }) => book_id ?? '');
  // Lines without a book are left out.
  found.delete('');
  return found;
}

/** The lines about a book that are imported: the first ones, up to the limit. */
export const firstOf = (places: readonly LinePlace[] = []) => places.slice(0, LINES_PER_BOOK_MAX);

/** Reads the lines of an import about some books, up to the limit for each book. */
export async function linesAbout(app: AppContext, importId: string, bookIds: readonly string[]): Promise<StoredLine[]> {
  const places = await placesByBook(app, importId);
  const numbers = bookIds.flatMap((bookId) => firstOf(places.get(bookId)).map(({ line }) => line));
  return linesAmong(app, importId, numbers);
}

/** Reads lines by their numbers, without those that are missing or could not be parsed. */
export async function linesAmong(
  { cassandra }: AppContext,
  import_id: string,
  lines: readonly number[],
): Promise<StoredLine[]> {
  const parts = keysInParts(lines).map((some) => rows(cassandra, selectSomeLines, { import_id, lines: some }));
  const found = (await Promise.all(parts)).flat().filter(({ fate }) => fate !== 'FAILED');
  return found.map(({ line, said, ...row }) => ({ importId: import_id, line, content: parseLine(said), row }));
}

/** Reads an import that has a reader, to work on its lines. */
export async function findImport(app: AppContext, importId: string): Promise<FoundImport | undefined> {
  const revision = await revisionOf(app, importId);
  const state = await importNow(app, importId);
  return state && { importId, revision, state };
}

/** Reads the state of an import that has a reader. */
export async function importNow(app: AppContext, importId: string): Promise<OwnState | undefined> {
  const state = await imports.read(app, { importId });
  return hasReader(state) ? state : undefined;
}

/** True for an import whose lines are applied to the reader's library, or are being applied. */
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

/** A line at the time of a read, and its new outcome. */
export type LineChange = StoredLine & { readonly outcome: LineOutcome };

/** Returns the change that makes a line be processed again. */
export const restarted = (line: StoredLine): LineChange => ({ ...line, outcome: { ...line.row, fate: 'PENDING' } });

/**
 * Stores the outcomes of lines, and lists the unmatched ones. Until they are listed, these are
 * pending and have their reason, so that a repetition finds them if this process dies.
 * @returns the import after that; `undefined` if another process has changed lines of it since it
 *   was read
 */
export async function record(
  app: AppContext,
  found: FoundImport,
  changes: readonly LineChange[],
): Promise<FoundImport | undefined> {
  if (changes.length === 0) return found;

  const { importId, revision: current, state } = found;
  const next = (current ?? 0) + 1;
  const unlisted = changes.filter(({ outcome }) => isUnlisted(outcome));
  const leaving = changes.filter(({ row, outcome }) => mayBeListed(row) && !isUnlisted(outcome));
  const project = (lines: readonly LineChange[], version: number) =>
    mapConcurrently(lines, (line) =>
      projectLine(app, line, { ...state, content: line.content, fate: line.outcome.fate, version }),
    );

  // Rows of these lines have the current revision at most. If this process dies before the lines
  // are changed, a repetition deletes the rows again.
  await project(leaving, next - 1);
  const writes = changes.map(({ line, outcome }) => {
    const fate = isUnlisted(outcome) ? 'PENDING' : outcome.fate;
    return bind(updateLine, { import_id: importId, line, ...outcome, fate });
  });
  if (!(await writeIf(app, importId, { current, next }, writes))) return undefined;
  if (unlisted.length === 0) return { ...found, revision: next };

  await project(unlisted, next);
  const listed = unlisted.map(({ line }) => bind(updateFate, { import_id: importId, line, fate: 'UNLISTED' }));
  const isListed = await writeIf(app, importId, { current: next, next: next + 1 }, listed);
  return isListed ? { ...found, revision: next + 1 } : undefined;
}

const isUnlisted = ({ fate }: { readonly fate: ImportFate }): boolean => fate === 'UNLISTED';

/** A revision that no import reaches. Rows that are deleted with it can never be written again. */
const HIGHEST_REVISION = 2 ** 30;

/**
 * Projects a line again.
 * @returns the revision of the new rows, higher than `above`
 */
export async function reprojectLine(app: AppContext, { importId, line }: LineKey, above: number): Promise<number> {
  // Rows of a deleted line may have any revision.
  let next = HIGHEST_REVISION;
  await retryOnConflict(app, async () => {
    const found = await findImport(app, importId);
    const [stored] = await linesAmong(app, importId, [line]);
    if (!found || !stored) return true;

    const { revision: current, state } = found;
    next = Math.max(current ?? 0, above) + 1;
    if (!(await writeIf(app, importId, { current, next }, []))) return false;
    const { content, row } = stored;
    await projectLine(app, stored, { ...state, content, fate: row.fate, version: next });
    return true;
  });
  return next;
}
