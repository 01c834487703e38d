import type { Content } from '../aggregates/state.ts';
import { bind, type Bound } from '../cassandra/statement.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type PageArguments } from '../graphql/connections.ts';
import { badUserInput, invalidInput, UserError } from '../graphql/errors.ts';
import { keyInput, uuidOf } from '../graphql/ids.ts';
import { readInput } from '../graphql/inputs.ts';
import type { LibrarySource, ReadingStatus } from '../graphql/generated/schema-types.ts';
import { bookIdInput, requireBook } from '../catalogue/operations.ts';
import { requireVerified, requireViewer, type Account } from '../identity/operations.ts';
import { doJobsOf } from '../jobs/operations.ts';
import { isLongerThan } from '../text/text.ts';
import { admitWithin } from '../throttling/operations.ts';
import { DAY_SECONDS } from '../time/units.ts';
import { imports, newsOfEnd, NO_RESTART, type ImportKey } from './aggregate.ts';
import { chooseBook } from './chosen-book.ts';
import { checksumOf, LINES_MAX, tableIn } from './file.ts';
import { SHELF_LENGTH_MAX, titleOf, type ReadLine } from './lines.ts';
import { importLoader } from './loaders.ts';
import { revisionOf, writeIf } from './revisions.ts';
import { statusForShelf } from './shelf-names.ts';
import { linesOf, surveyOf } from './sources.ts';
import { importsAmong, importsOfReader, PENDING } from './stored-lines.ts';
import { importsByUser, insertLine, type LibraryImportState } from './tables.ts';

/** Imports a reader's own library, with an outcome for each line. */

/** The maximum length of the lines that are stored together. */
const PART_LENGTH_MAX = 40_000;
/** The maximum number of lines that are imported before the answer. */
const WAITED_LINES_MAX = 200;
/** The maximum number of lines of all imports of a reader that were not undone. */
const ALL_LINES_MAX = 100_000;

/**
 * The maximum number of lines of a reader that are processed again within a day. They are counted
 * in hundreds. Files have their own limit.
 */
const LINES_PER_DAY = 200_000;
const LINES_PER_TIME = 100;

/** An import of the viewer. */
export interface LibraryImport {
  readonly type: 'LibraryImport';
  readonly id: string;
  readonly state: LibraryImportState;
}

/** A file of another service that can be imported. */
export interface Library {
  readonly source: LibrarySource;
  /** The number of lines. */
  readonly length: number;
  /** Reads the lines. Each call reads the file again, because its lines may not fit into memory. */
  readonly lines: () => AsyncIterable<ReadLine>;
  /** The SHA-256 of the file, in hexadecimal digits. */
  readonly checksum: string;
}

/**
 * Reads a file of another service to its end.
 * @param now no day is later than this
 * @throws `BAD_USER_INPUT` for a file that cannot be imported
 */
export async function readLibrary(bytes: Buffer, now: Date): Promise<Library> {
  const table = await tableIn(bytes);
  const survey = await surveyOf(table, now);
  const { source, lines: length } = survey;
  return { source: source.name, length, lines: () => linesOf(table, survey, now), checksum: await checksumOf(bytes) };
}

/**
 * Begins to import a file. If the same file is sent again, the lines of the same import are matched
 * again.
 * @returns the id of the import
 * @throws `BAD_USER_INPUT` if the reader would have too many lines (nothing is stored);
 *   `UNAUTHENTICATED` for a caller who is signed out
 * @throws {UserError} `EMAIL_NOT_VERIFIED`; `INVALID_INPUT` while the import of the same file is
 *   being undone
 */
export async function receiveLibrary(context: RequestContext, library: Library): Promise<string> {
  await requireVerified(context);
  const viewer = await requireViewer(context);
  const { source, length, checksum } = library;
  const key = { importId: uuidOf(`${viewer.id} ${checksum}`) };
  await requireLinesLeft(context, viewer.id, key.importId, length);
  const revision = await revisionOf(context, key.importId);
  const { state } = await imports.change(context, key, undefined, (before, at) => {
    if (before?.status === 'DONE') return { ...before, status: 'RUNNING', again: 'ALL' };
    if (before?.status === 'UNDOING')
      throw invalidInput([], 'The import of this file is being undone. Send the file again after that.');
    const isKnown = before !== undefined && before.user_id !== null;
    if (isKnown && before.status !== 'UNDONE') return undefined;
    const begun_at = isKnown ? before.begun_at : at;
    const of = { user_id: viewer.id, source, status: 'RECEIVING', begun_at, publishes_reviews: false } as const;
    return { ...of, ...NO_RESTART, lines: length, shelves: [], reviews: 0 };
  });

  if (state?.status === 'RECEIVING') {
    const summary = await storeLines(context, key.importId, library, revision);
    await imports.change(context, key, state, (before) =>
      summary && before?.status === 'RECEIVING' ? { ...before, ...summary, status: 'RUNNING' } : undefined,
    );
  }
  const working = doJobsOf(context, { type: 'LibraryImport', key: key.importId });
  // The answer to a long file does not wait for its lines.
  if (length <= WAITED_LINES_MAX) await working;
  else
    working.catch((err: unknown) => {
      context.logger.info({ err, ...key }, 'the workers continue an import');
    });
  return key.importId;
}

/** @throws `BAD_USER_INPUT` if the reader would have too many lines with this file */
async function requireLinesLeft(
  context: RequestContext,
  user_id: string,
  importId: string,
  more: number,
): Promise<void> {
  const others = (await importsOfReader(context, user_id)).filter((id) => id !== importId);
  let lines = more;
  for (const { state } of await importsAmong(context, others)) if (state.status !== 'UNDONE') lines += state.lines;
  if (lines > ALL_LINES_MAX)
    throw badUserInput(
      `With this file your imports would have ${lines} lines, and the maximum is ${ALL_LINES_MAX}. ` +
        'Undo an earlier import first.',
    );
}

/**
 * Stores the lines of a file as they are read.
 * @param revision the revision of the lines before the import was begun
 * @returns the shelves and the number of reviews; `undefined` if lines have changed: another call
 *   has stored all of them and a job processes them, or the account is deleted
 */
async function storeLines(
  context: RequestContext,
  import_id: string,
  library: Library,
  revision: number | null,
): Promise<Pick<LibraryImportState, 'shelves' | 'reviews'> | undefined> {
  const shelves = new Map<string, number>();
  let reviews = 0;
  let part: Bound[] = [];
  let size = 0;
  const storePart = () => writeIf(context, import_id, { current: revision, next: revision }, part);
  for await (const { line, content, problem } of library.lines()) {
    const text = JSON.stringify(content ?? null);
    if (size > 0 && size + text.length > PART_LENGTH_MAX) {
      if (!(await storePart())) return undefined;
      [part, size] = [[], 0];
    }

    const fate = problem === undefined ? PENDING : { ...PENDING, fate: 'FAILED' as const, reason: problem };
    const [title, authors] = content ? [titleOf(content), content.authors] : ['', []];
    part.push(bind(insertLine, { import_id, line, title, authors, said: text, ...fate }));
    size += text.length;
    if (content?.shelf != null) shelves.set(content.shelf, (shelves.get(content.shelf) ?? 0) + 1);
    if (content?.review != null) reviews++;
  }
  if (!(await storePart())) return undefined;
  return { reviews, shelves: [...shelves].map(([name, lines]) => ({ name, lines, becomes: statusForShelf(name) })) };
}

/** Returns an import of the viewer; null if it does not exist or is another reader's. */
export async function importById(context: RequestContext, id: string): Promise<LibraryImport | null> {
  const found = await importLoader(context).load(id);
  const state = found?.state;
  return state && state.user_id !== null && state.user_id === context.viewerId
    ? { type: 'LibraryImport', id, state }
    : null;
}

/** Returns the time at which an import last ended; `undefined` if it has not. */
export const endedAt = ({ id, state }: LibraryImport): Date | undefined => newsOfEnd({ importId: id }, state)?.at;

/** Returns a page of the imports of a reader, last begun first. */
export function importsOf({ cassandra }: RequestContext, user_id: string, page: PageArguments) {
  const list = { name: `libraryImports ${user_id}`, descending: true, ...importsByUser.list(cassandra, { user_id }) };
  return connection(page, list, ({ import_id: importId }, cursor) => ({ cursor, importId }));
}

const importIdInput = (id: string): string => keyInput('importId', id, 'LibraryImport', 'an import');

function lineInput(line: number): number {
  if (line < 1 || line > LINES_MAX)
    throw invalidInput(['line'], `Send a number from 1 to ${LINES_MAX}, as in \`ImportRow.line\`.`);
  return line;
}

function chosenInput(bookId: string | null | undefined): string | null {
  if (bookId === undefined)
    throw invalidInput(['bookId'], 'Send the id of a book, or null if the catalogue does not have the book.');
  return bookId === null ? null : bookIdInput(bookId);
}

function shelfInput(shelf: string): string {
  if (shelf === '' || isLongerThan(shelf, SHELF_LENGTH_MAX))
    throw invalidInput(['shelf'], 'Send the name of a shelf, as in `LibraryImport.shelves`.');
  return shelf;
}

/**
 * Returns the state of an import, which must be the viewer's and not in the hands of a job.
 * @throws {UserError} `NOT_FOUND` about `importId`; `INVALID_INPUT` about it while it is running or
 * after it was undone
 */
function settled<State extends LibraryImportState>(viewerId: string, state: State | undefined): State {
  if (state?.user_id !== viewerId) throw new UserError('NOT_FOUND', 'You have no such import.', ['input', 'importId']);
  if (state.status === 'UNDONE') throw invalidInput(['importId'], 'This import was undone. Send its file again.');
  if (state.status === 'RECEIVING')
    throw invalidInput(['importId'], 'The file of this import is incomplete. Send it again, or undo the import.');
  if (state.status !== 'DONE') throw invalidInput(['importId'], 'This import is still running. Try again later.');
  return state;
}

/** Admits the processing of stored lines, or refuses it over the limit per day. */
const admitLines = (context: RequestContext, userId: string, lines: number) =>
  admitWithin(
    context,
    {
      name: `import lines ${userId}`,
      limit: LINES_PER_DAY / LINES_PER_TIME,
      seconds: DAY_SECONDS,
      refusal: `You can have at most ${LINES_PER_DAY} lines of imports processed again per day.`,
    },
    Math.max(1, Math.ceil(lines / LINES_PER_TIME)),
  );

/**
 * Changes an import of the viewer, whose job then processes some lines.
 * @param next returns the next state, `undefined` to leave it
 * @param linesOf returns the number of these lines
 * @throws {UserError} `RATE_LIMITED`, or the error of `next`
 */
async function changeImport(
  context: RequestContext,
  viewer: Account,
  key: ImportKey,
  next: (found: LibraryImportState | undefined) => Content<LibraryImportState> | undefined,
  linesOf: (state: Content<LibraryImportState>) => number,
): Promise<void> {
  const expected = await imports.read(context, key);
  const wanted = next(expected);
  if (wanted) await admitLines(context, viewer.id, linesOf(wanted));
  await imports.change(context, key, expected, next);
}

/**
 * Sets the status for a shelf of the reader's own, and applies its lines.
 * @throws {UserError} as {@link settled} does; `INVALID_INPUT` about `shelf`; `RATE_LIMITED`
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
  const next = (found: LibraryImportState | undefined) => {
    const state = settled(viewer.id, found);
    if (!state.shelves.some(({ name }) => name === shelf))
      throw invalidInput(['shelf'], 'The import has no such shelf; `LibraryImport.shelves` lists its shelves.');
    const shelves = state.shelves.map((each) => (each.name === shelf ? { ...each, becomes: input.becomes } : each));
    return { ...state, status: 'RUNNING', again: 'SHELF', again_shelf: shelf, shelves } as const;
  };
  await changeImport(
    context,
    viewer,
    key,
    next,
    ({ shelves }) => shelves.find(({ name }) => name === shelf)?.lines ?? 0,
  );
  return importAfterJobs(context, viewer, key.importId);
}

/**
 * Publishes the reviews in the file as reviews of the viewer.
 * @throws {UserError} as {@link settled} does; `RATE_LIMITED`
 */
export async function publishImportedReviews(context: RequestContext, input: { importId: string }) {
  const viewer = await requireViewer(context);
  const key = { importId: importIdInput(input.importId) };
  const next = (found: LibraryImportState | undefined) => {
    const state = settled(viewer.id, found);
    if (state.publishes_reviews) return undefined;
    return { ...state, status: 'RUNNING', again: 'REVIEWS', publishes_reviews: true } as const;
  };
  await changeImport(context, viewer, key, next, ({ reviews }) => reviews);
  return importAfterJobs(context, viewer, key.importId);
}

/**
 * Sets the book of a line, applies the line to it, and reverts the line for its former book.
 * @param input `bookId`: null if the line is about no book of the catalogue
 * @throws {UserError} as {@link settled} does; `INVALID_INPUT` about `line`; `NOT_FOUND` about
 *   `bookId`; `RATE_LIMITED`
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
  settled(viewer.id, await imports.read(context, { importId }));
  if (bookId !== null) await requireBook(context, bookId);
  await admitLines(context, viewer.id, 1);
  await chooseBook(context, importId, line, bookId, (state) => settled(viewer.id, state));
  return importAfterJobs(context, viewer, importId, await importsOfReader(context, viewer.id));
}

/**
 * Reverts an import, or ends one whose file is incomplete. Everything that the reader has changed
 * since is kept.
 * @throws {UserError} as {@link settled} does; `RATE_LIMITED`
 */
export async function undoImport(context: RequestContext, input: { importId: string }) {
  const viewer = await requireViewer(context);
  const key = { importId: importIdInput(input.importId) };
  const next = (found: LibraryImportState | undefined) => {
    const isOwn = found?.user_id === viewer.id;
    if (isOwn && (found.status === 'UNDOING' || found.status === 'UNDONE')) return undefined;
    // No stored line is applied yet.
    if (isOwn && found.status === 'RECEIVING') return { ...found, status: 'UNDONE' as const };
    return { ...settled(viewer.id, found), status: 'UNDOING' as const };
  };
  await changeImport(context, viewer, key, next, ({ lines }) => lines);
  // Lines of other imports are applied instead.
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
