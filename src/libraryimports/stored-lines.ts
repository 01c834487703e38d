import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { keysInParts } from '../cassandra/by-key.ts';
import { bind, each, first, rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { ImportFate } from '../graphql/generated/schema-types.ts';
import { imports } from './aggregate.ts';
import { lineOf } from './lines.ts';
import { revisionOf, untilRecorded, writeIf } from './revisions.ts';
import { LINES_PER_BOOK_MAX } from './said-together.ts';
import {
  linePlaces,
  selectImports,
  selectImportsOf,
  selectLineNow,
  selectSomeLines,
  updateFate,
  updateLine,
  type ImportLineRow,
  type LibraryImportState,
  type LinePlace,
} from './tables.ts';
import { listLine, mayBeListed, unlistLine, type OwnState, type PlacedLine } from './waiting.ts';

/** The lines of imports as they are stored. */

const LINES_AT_ONCE = 32;
const PLACES_PER_READ = 1_000;

/** The part of a line that says what became of it. */
export type Became = Pick<ImportLineRow, 'fate' | 'reason' | 'book_id' | 'candidates' | 'former'>;

export const PENDING: Became = { fate: 'PENDING', reason: '', book_id: null, candidates: [], former: [] };

/** A line as it is stored, and what it says. */
export type StoredLine = PlacedLine & { readonly row: Became };

/** A line whose book is decided. */
export type LineOfBook = StoredLine & { readonly row: { readonly book_id: string } };

export const hasBook = (stored: StoredLine): stored is LineOfBook => stored.row.book_id !== null;

/** The books to which a line has brought something, or is about to. */
export const booksOf = ({ row: { former, book_id } }: StoredLine): readonly string[] =>
  book_id === null ? former : [...former, book_id];

/** An import as somebody found it who works on its lines. */
export interface FoundImport {
  readonly importId: string;
  /** The revision of all lines, read before the state and the lines. */
  readonly revision: number | null;
  readonly state: OwnState;
}

/**
 * Runs work on some items at once.
 * @throws the error of the first item whose work failed, when all the others are done
 */
export async function onEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const settled = await pLimit(LINES_AT_ONCE).map(items, (item) => Promise.allSettled([work(item)]));
  return settled.flat().map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Yields the fates and books of the lines of an import after one of them, in order. */
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
  // The lines without a book are left out.
  found.delete('');
  return found;
}

/** The lines about a book that are imported. */
export const firstOf = (places: readonly LinePlace[] = []) => places.slice(0, LINES_PER_BOOK_MAX);

/** Reads lines by their numbers; without those that there are not, or that could not be read. */
export async function linesAmong(
  { cassandra }: AppContext,
  import_id: string,
  lines: readonly number[],
): Promise<StoredLine[]> {
  const parts = keysInParts(lines).map((some) => rows(cassandra, selectSomeLines, { import_id, lines: some }));
  const found = (await Promise.all(parts)).flat().filter(({ fate }) => fate !== 'FAILED');
  return found.map(({ line, said, ...row }) => ({ importId: import_id, line, said: lineOf({ said }), row }));
}

/** Finds an import of somebody, to work on its lines. */
export async function findImport(app: AppContext, importId: string): Promise<FoundImport | undefined> {
  const revision = await revisionOf(app, importId);
  const state = await importNow(app, importId);
  return state && { importId, revision, state };
}

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

/** A line as it was read, and what becomes of it. */
export type LineChange = StoredLine & { readonly becomes: Became };

/**
 * Stores what becomes of lines, and lists those that the catalogue does not have. Until they are
 * listed they are pending, with their reason, so that a repetition finds them if this process dies.
 * @returns the import as it is then; `undefined` if somebody has changed lines of it since it was
 *   found
 */
export async function record(
  app: AppContext,
  found: FoundImport,
  changes: readonly LineChange[],
): Promise<FoundImport | undefined> {
  const { importId, revision: current, state } = found;
  const changed = changes.filter(({ row, becomes }) => !isDeepStrictEqual(row, becomes));
  const unlisted = changes.filter(({ becomes }) => isUnlisted(becomes));
  if (changed.length === 0 && unlisted.length === 0) return found;

  const next = (current ?? 0) + 1;
  // If the lines are listed no more before they are changed, a repetition finds what is left to do.
  const listed = changed.filter(({ row, becomes }) => mayBeListed(row) && !isUnlisted(becomes));
  await onEach(listed, (line) => unlistLine(app, line, state, next - 1));
  const isRecorded = await writeIf(
    app,
    importId,
    { current, next },
    changed.map(({ line, becomes }) => {
      const row = isUnlisted(becomes) ? { ...becomes, fate: 'PENDING' as const } : becomes;
      return bind(updateLine, { import_id: importId, line, ...row });
    }),
  );
  if (!isRecorded) return undefined;

  await onEach(unlisted, (line) => listLine(app, line, state, next));
  const newlyListed = changed
    .filter(({ becomes }) => isUnlisted(becomes))
    .map(({ line }) => bind(updateFate, { import_id: importId, line, fate: 'UNLISTED' }));
  if (newlyListed.length === 0) return { ...found, revision: next };

  const isListed = await writeIf(app, importId, { current: next, next: next + 1 }, newlyListed);
  return isListed ? { ...found, revision: next + 1 } : undefined;
}

const isUnlisted = ({ fate }: { readonly fate: ImportFate }): boolean => fate === 'UNLISTED';

/** A revision that no import has: rows that are deleted with it stay deleted. */
const HIGHEST_REVISION = 2 ** 30;

/**
 * Lists a line anew if the catalogue does not have its book.
 * @returns the revision with which it did so, higher than `above`
 */
export async function relistLine(app: AppContext, importId: string, line: number, above: number): Promise<number> {
  // Rows of a line that is gone do not tell with which revision they were listed.
  let next = HIGHEST_REVISION;
  await untilRecorded(app, async () => {
    const state = await importNow(app, importId);
    const row = await first(app.cassandra, selectLineNow, { import_id: importId, line });
    if (!state || !row) return true;

    const current = row.revision;
    next = Math.max(current ?? 0, above) + 1;
    if (!(await writeIf(app, importId, { current, next }, []))) return false;
    if (isUnlisted(row)) await listLine(app, { importId, line, said: lineOf(row) }, state, next);
    return true;
  });
  return next;
}
