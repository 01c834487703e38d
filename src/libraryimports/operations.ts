import { createHash } from 'node:crypto';
import { inParts } from '../cassandra/batches.ts';
import { bind, each } from '../cassandra/statement.ts';
import { perRequest, type RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { badUserInput, invalidInput, UserError } from '../graphql/errors.ts';
import { keyInput, uuidOf } from '../graphql/ids.ts';
import { readInput } from '../graphql/inputs.ts';
import type { ImportFate, LibrarySource, ReadingStatus } from '../graphql/schema.generated.ts';
import { bookIdInput, requireBook } from '../catalogue/operations.ts';
import { mustBeVerified, requireViewer, type Account } from '../identity/operations.ts';
import { doJobsOf } from '../jobs/operations.ts';
import { charactersIn } from '../text/text.ts';
import { imports } from './aggregate.ts';
import { LINES_MAX, tableIn } from './file.ts';
import { importedLine, SHELF_LENGTH_MAX, titleOf, type ReadLine } from './lines.ts';
import { importLoader } from './loaders.ts';
import { chooseBook } from './one-line.ts';
import { becomes } from './shelf-names.ts';
import { linesOf } from './sources.ts';
import { importNow, importsAmong, importsOfReader, PENDING, revisionOf, writeIf } from './stored-lines.ts';
import {
  importLines,
  importsByUser,
  insertLine,
  selectFates,
  type ImportLineRow,
  type LibraryImportState,
} from './tables.ts';

/** Imports a reader's own library, and tells what became of each line. */

const SHELVES_MAX = 100;
/** The maximum number of lines of all imports of a reader that were not undone. */
const ALL_LINES_MAX = 100_000;

/** An import of the viewer. */
export interface LibraryImport {
  readonly type: 'LibraryImport';
  readonly id: string;
  readonly state: LibraryImportState;
}

/** A line of an import, and what became of it. */
export type ImportRow = Omit<ImportLineRow, 'said'> & { readonly title: string; readonly authors: string[] };

/** A file of another service that was read. */
export interface Library {
  readonly source: LibrarySource;
  readonly lines: readonly ReadLine[];
  readonly shelves: LibraryImportState['shelves'];
  /** The SHA-256 of the file, in hexadecimal digits. */
  readonly checksum: string;
}

/**
 * Reads a file of another service.
 * @param now no day is later than this
 * @throws `BAD_USER_INPUT` for a file that cannot be imported
 */
export async function readLibrary(bytes: Buffer, now: Date): Promise<Library> {
  const { source, lines } = await linesOf(await tableIn(bytes), now);
  const shelves = shelvesIn(lines);
  if (shelves.length > SHELVES_MAX)
    throw badUserInput(
      `The file has ${shelves.length} shelves, and an import can have at most ${SHELVES_MAX}. Send the file in parts, each with the first line.`,
    );

  return { source, lines, shelves, checksum: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * Begins to import a file. The same file again is the same import, which then looks again for the
 * books that the catalogue did not have.
 * @returns the id of the import
 * @throws `BAD_USER_INPUT` if the reader would have too many lines, and nothing is stored then;
 *   `UNAUTHENTICATED` for a caller who is signed out
 * @throws {UserError} `EMAIL_NOT_VERIFIED`
 */
export async function receiveLibrary(context: RequestContext, library: Library): Promise<string> {
  await mustBeVerified(context);
  const viewer = await requireViewer(context);
  const { source, lines, shelves, checksum } = library;
  const reviews = lines.filter(({ said }) => said && said.review !== null).length;
  const key = { importId: uuidOf(`${viewer.id} ${checksum}`) };
  await refuseTooMany(context, viewer.id, key.importId, lines.length);
  const revision = await revisionOf(context, key.importId);
  const { state } = await imports.change(context, key, undefined, (before, at) => {
    if (before?.status === 'DONE') return { ...before, status: 'RUNNING' };
    const isKnown = before !== undefined && before.user_id !== null;
    if (isKnown && before.status !== 'UNDONE') return undefined;
    const begun_at = isKnown ? before.begun_at : at;
    const of = { user_id: viewer.id, source, status: 'RECEIVING', begun_at, publishes_reviews: false } as const;
    return { ...of, lines: lines.length, shelves, reviews };
  });

  if (state?.status === 'RECEIVING') {
    await storeLines(context, key.importId, lines, revision);
    await imports.change(context, key, state, (before) =>
      before?.status === 'RECEIVING' ? { ...before, status: 'RUNNING' } : undefined,
    );
  }
  await doJobsOf(context, { type: 'LibraryImport', key: key.importId });
  return key.importId;
}

/** @throws `BAD_USER_INPUT` if the reader would have too many lines with those of another file */
async function refuseTooMany(context: RequestContext, user_id: string, importId: string, more: number): Promise<void> {
  const others = (await importsOfReader(context, user_id)).filter((id) => id !== importId);
  let lines = more;
  for (const { state } of await importsAmong(context, others)) if (state.status !== 'UNDONE') lines += state.lines;
  if (lines > ALL_LINES_MAX)
    throw badUserInput(
      `With this file your imports would have ${lines} lines; at most ${ALL_LINES_MAX} are kept. Undo an earlier import first.`,
    );
}

/** The shelves of a file, in the order in which they appear, with the number of their lines. */
function shelvesIn(lines: readonly ReadLine[]): LibraryImportState['shelves'] {
  const names = lines.flatMap(({ said }) => said?.shelf ?? []);
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].map(([name, { length }]) => ({ name, lines: length, becomes: becomes(name) }));
}

/**
 * Stores the lines of a file.
 * @param revision that of the lines before the import was begun. When others have changed lines
 *   since, a job goes through them, and another call has stored all of them
 */
async function storeLines(
  context: RequestContext,
  import_id: string,
  lines: readonly ReadLine[],
  revision: number | null,
): Promise<void> {
  const writes = lines.map(({ line, said, problem }) =>
    bind(insertLine, {
      import_id,
      line,
      said: JSON.stringify(said ?? null),
      ...PENDING,
      ...(problem !== undefined && { fate: 'FAILED' as const, reason: problem }),
    }),
  );
  for (const part of inParts(writes, (each) => each))
    if (!(await writeIf(context, import_id, { current: revision, next: revision }, part))) return;
}

/** Returns an import of the viewer; null if it is nobody's or another reader's. */
export async function importById(context: RequestContext, id: string): Promise<LibraryImport | null> {
  const found = await importLoader(context).load(id);
  const state = found?.state;
  return state && state.user_id !== null && state.user_id === context.viewerId
    ? { type: 'LibraryImport', id, state }
    : null;
}

/** Returns a page of the imports of a reader, last begun first. */
export function importsOf({ cassandra }: RequestContext, user_id: string, page: PageArguments) {
  const list = { name: `libraryImports ${user_id}`, descending: true, ...importsByUser.list(cassandra, { user_id }) };
  return connection(page, list, ({ import_id: importId }, cursor) => ({ cursor, importId }));
}

/** The part of the work that is done for a line whose book is found and not yet in the readings. */
const DONE_WITH_BOOK = 0.5;

/** The lines of an import. */
interface CountedLines {
  /** The number of lines of each fate. */
  readonly fates: ReadonlyMap<ImportFate, number>;
  /** The work that is done, in lines. */
  readonly done: number;
}

/** The lines are counted once per request. */
const countedLines = perRequest(({ cassandra }) => {
  const counted = new Map<string, Promise<CountedLines>>();
  const count = async (import_id: string): Promise<CountedLines> => {
    const fates = new Map<ImportFate, number>();
    let done = 0;
    for await (const { fate, book_id } of each(cassandra, selectFates, { import_id })) {
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
      if (fate !== 'PENDING') done += 1;
      else if (book_id !== null) done += DONE_WITH_BOOK;
    }
    return { fates, done };
  };
  return (importId: string) => {
    const counting = counted.get(importId) ?? count(importId);
    counted.set(importId, counting);
    return counting;
  };
});

/** Returns the number of lines of an import that met a fate. */
export const linesWith = async (context: RequestContext, { id }: LibraryImport, fate: ImportFate): Promise<number> =>
  (await countedLines(context)(id)).fates.get(fate) ?? 0;

/** Returns the part of the work of an import, or of its undo, that is done, from 0 to 1. */
export async function progressOf(context: RequestContext, { id, state }: LibraryImport): Promise<number> {
  if (state.status === 'UNDONE') return 1;
  const { fates, done } = await countedLines(context)(id);
  return (state.status === 'UNDOING' ? (fates.get('PENDING') ?? 0) : done) / state.lines;
}

/** Rows of one fate may be few among many. */
const FATE_ROWS_MIN = 200;

/**
 * Returns a page of the lines of an import, in the order of the file.
 * @param fate only those with this fate; all if it is not given
 */
export function rowsOf(
  { cassandra }: RequestContext,
  { id }: LibraryImport,
  fate: ImportFate | null | undefined,
  page: PageArguments,
): Promise<CountedConnection<{ cursor: Cursor; node: ImportRow }>> {
  const filter = fate == null ? undefined : { keep: (row: ImportLineRow) => row.fate === fate, rowsMin: FATE_ROWS_MIN };
  const name = `import ${id} ${fate ?? ''}`;
  const list = { ...importLines.list(cassandra, { import_id: id }), name, descending: false, filter };
  return connection(page, list, ({ said, ...row }, cursor) => {
    const line = importedLine.nullable().parse(JSON.parse(said));
    return { cursor, node: { ...row, title: line ? titleOf(line) : '', authors: line?.authors ?? [] } };
  });
}

const importIdInput = (id: string): string => keyInput('importId', id, 'LibraryImport', 'an import');

function lineInput(line: number): number {
  if (line < 1 || line > LINES_MAX)
    throw invalidInput(['line'], `A line has a number from 1 to ${LINES_MAX}, as \`ImportRow.line\` gives it.`);
  return line;
}

function chosenInput(bookId: string | null | undefined): string | null {
  if (bookId === undefined)
    throw invalidInput(['bookId'], 'Send the id of a book, or null for no book of the catalogue.');
  return bookId === null ? null : bookIdInput(bookId);
}

function shelfInput(shelf: string): string {
  if (shelf === '' || charactersIn(shelf) > SHELF_LENGTH_MAX)
    throw invalidInput(['shelf'], 'Send the name of a shelf as `LibraryImport.shelves` gives it.');
  return shelf;
}

const noImport = () => new UserError('NOT_FOUND', 'None of your imports has this id.', ['input', 'importId']);

/**
 * Returns an import of the viewer that no job is going through.
 * @throws {UserError} `NOT_FOUND` about `importId`; `INVALID_INPUT` about it while it is under way
 *   or after it was undone
 */
function settled<State extends LibraryImportState>(viewerId: string, state: State | undefined): State {
  if (state?.user_id !== viewerId) throw noImport();
  if (state.status === 'UNDONE') throw invalidInput(['importId'], 'This import was undone. Send its file again.');
  if (state.status === 'RECEIVING')
    throw invalidInput(
      ['importId'],
      'The file of this import did not arrive whole. Send it again, or undo the import.',
    );
  if (state.status !== 'DONE') throw invalidInput(['importId'], 'This import is still under way. Wait for its end.');
  return state;
}

/**
 * Says which status a shelf of the reader's own becomes, and imports its lines.
 * @throws {UserError} as {@link settled} does; `INVALID_INPUT` about `shelf`
 */
export async function mapImportShelf(
  context: RequestContext,
  input: { importId: string; shelf: string; becomes: ReadingStatus },
) {
  const viewer = await requireViewer(context);
  const { shelf, ...key } = readInput({
    importId: () => importIdInput(input.importId),
    shelf: () => shelfInput(input.shelf),
  });
  const expected = await imports.read(context, key);
  await imports.change(context, key, expected, (found) => {
    const state = settled(viewer.id, found);
    if (!state.shelves.some(({ name }) => name === shelf))
      throw invalidInput(['shelf'], 'No line of the file is on this shelf; `shelves` lists those that there are.');
    const shelves = state.shelves.map((each) => (each.name === shelf ? { ...each, becomes: input.becomes } : each));
    return { ...state, status: 'RUNNING', shelves };
  });
  return importAfterJobs(context, viewer, key.importId);
}

/**
 * Makes the reviews in the file those of the viewer here, for all who may see them.
 * @throws {UserError} as {@link settled} does
 */
export async function publishImportedReviews(context: RequestContext, input: { importId: string }) {
  const viewer = await requireViewer(context);
  const key = { importId: importIdInput(input.importId) };
  const expected = await imports.read(context, key);
  await imports.change(context, key, expected, (found) => {
    const state = settled(viewer.id, found);
    return state.publishes_reviews ? undefined : { ...state, status: 'RUNNING', publishes_reviews: true };
  });
  return importAfterJobs(context, viewer, key.importId);
}

/**
 * Says which book a line is about, and imports it. What the line brought to another book is taken
 * back.
 * @param input `bookId`: null if the line is about no book of the catalogue
 * @throws {UserError} as {@link settled} does; `INVALID_INPUT` about `line`; `NOT_FOUND` about
 *   `bookId`
 */
export async function resolveImportRow(
  context: RequestContext,
  input: { importId: string; line: number; bookId?: string | null },
) {
  const viewer = await requireViewer(context);
  const { importId, line, bookId } = readInput({
    importId: () => importIdInput(input.importId),
    line: () => lineInput(input.line),
    bookId: () => chosenInput(input.bookId),
  });
  const stateNow = async () => settled(viewer.id, await importNow(context, importId));
  await stateNow();
  if (bookId !== null) await requireBook(context, bookId);
  await chooseBook(context, importId, line, bookId, stateNow);
  return importAfterJobs(context, viewer, importId);
}

/**
 * Takes back what an import brought, or ends one whose file did not arrive whole. Whatever the
 * reader has changed since stays.
 * @throws {UserError} as {@link settled} does
 */
export async function undoImport(context: RequestContext, input: { importId: string }) {
  const viewer = await requireViewer(context);
  const key = { importId: importIdInput(input.importId) };
  const expected = await imports.read(context, key);
  await imports.change(context, key, expected, (found) => {
    const isOwn = found?.user_id === viewer.id;
    if (isOwn && (found.status === 'UNDOING' || found.status === 'UNDONE')) return undefined;
    // Nothing has followed yet from the lines that are stored.
    if (isOwn && found.status === 'RECEIVING') return { ...found, status: 'UNDONE' };
    return { ...settled(viewer.id, found), status: 'UNDOING' };
  });
  // The undo runs the other imports again.
  return importAfterJobs(context, viewer, key.importId, await importsOfReader(context, viewer.id));
}

async function importAfterJobs(
  context: RequestContext,
  viewer: Account,
  importId: string,
  others: readonly string[] = [],
) {
  const all = new Set([importId, ...others]);
  await doJobsOf(context, ...[...all].map((key) => ({ type: 'LibraryImport', key }) as const));
  importLoader(context).clear(importId);
  return { libraryImport: await importById(context, importId), viewer };
}
