import type { MaybePromise } from '../cassandra/maybe-promise.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { connection, type CountedConnection, type Cursor, type PageArguments } from '../graphql/connections.ts';
import { invalidInput, UserError } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import type { Audience } from '../graphql/generated/schema-types.ts';
import { isAdministrator, requireViewer } from '../identity/operations.ts';
import { hiddenReaders, isFor, shownReader } from '../identity/privacy.ts';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { GONE, isMade, lists, NOT_TAKEN_DOWN, withoutEntries } from './aggregate.ts';
import { listIdInput, nameInput, textInput } from './inputs.ts';
import { listLoader } from './loaders.ts';
import { listsByUser, type BookListState } from './tables.ts';

/** Makes, changes and deletes lists of books, and reads a list as the API shows it. */

/** The maximum number of lists of a reader. */
const LISTS_MAX = 100;

/** A list of books that a reader has made. */
export interface BookList {
  readonly type: 'BookList';
  readonly id: string;
  /** The name of the list; '' once it is deleted. */
  readonly title: string;
  readonly description: string | null;
  /** Null once the list or its owner's account is deleted. */
  readonly ownerId: string | null;
  readonly audience: Audience;
  readonly createdAt: Date;
  readonly entryCount: number;
  /** The time of its take-down; null if it was not taken down. */
  readonly takenDownAt: Date | null;
  readonly takenDownReason: string | null;
}

/** The payload of the mutations of lists. */
export interface BookListAnswer {
  /** Null if the list was deleted. */
  readonly list: BookList | null;
  readonly changed: boolean;
}

export const listOf = (id: string, state: BookListState): BookList => ({
  type: 'BookList',
  id,
  title: state.name,
  description: state.description === '' ? null : state.description,
  ownerId: state.owner_id,
  audience: state.audience,
  createdAt: state.created_at,
  entryCount: state.entry_count,
  takenDownAt: state.taken_down_at,
  takenDownReason: state.taken_down_reason,
});

/** Returns a list by id, even if it is deleted or hidden; null if there never was one. */
export async function listIncludingDeleted(context: RequestContext, listId: string): Promise<BookList | null> {
  const state = (await listLoader(context).load(listId))?.state;
  return state && isMade(state) ? listOf(listId, state) : null;
}

/** Returns a list by id; null if there is none, or if the caller may not see it. */
export async function shownList(context: RequestContext, listId: string): Promise<BookList | null> {
  // This begins a read that runs at the same time as the next one.
  hiddenReaders(context);
  const list = await listIncludingDeleted(context, listId);
  return list && (await isListShown(context, list)) ? list : null;
}

/**
 * Returns true if the caller may see a list. A deleted list is visible to nobody. Only its owner
 * and administrators see a list that was taken down.
 */
export async function isListShown(context: RequestContext, list: BookList): Promise<boolean> {
  if (list.ownerId === null || !(await isForCaller(context, list))) return false;
  if (list.ownerId === context.viewerId) return true;
  if (list.takenDownAt && !(await isAdministrator(context))) return false;
  return (await shownReader(context, list.ownerId)) !== null;
}

/** Returns true if the caller belongs to the audience of a list, regardless of blocks. */
export const isForCaller = (context: RequestContext, { ownerId, audience }: BookList): MaybePromise<boolean> =>
  ownerId !== null && isFor(context, ownerId, audience);

/**
 * Makes a list of the viewer without entries.
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used, and about `name` if they
 * have the maximum number of lists
 */
export async function createList(
  context: RequestContext,
  input: { name: string; description?: string | null; audience: Audience },
): Promise<BookListAnswer> {
  const viewer = await requireViewer(context);
  const read = readInput({
    name: () => nameInput(input.name),
    description: () => textInput('description', 'A description', input.description),
  });
  await requireListsLeft(context, viewer.id);

  const listId = context.randomId();
  const { state, changed } = await lists.change(context, { listId, ownerId: viewer.id }, undefined, (before, at) =>
    before && isMade(before)
      ? undefined
      : { ...GONE, ...NOT_TAKEN_DOWN, ...read, owner_id: viewer.id, audience: input.audience, created_at: at },
  );
  return { list: state ? listOf(listId, state) : null, changed };
}

/** Lists that are created at the same moment may exceed the maximum. */
async function requireListsLeft({ cassandra }: AppContext, userId: string): Promise<void> {
  const slice = { descending: true, from: undefined, limit: LISTS_MAX };
  if ((await listsByUser.read(cassandra, { user_id: userId }, slice)).length < LISTS_MAX) return;
  throw invalidInput(['name'], `You have ${LISTS_MAX} lists, which is the maximum. Delete one first.`);
}

/**
 * Changes the name, the description or the audience of a list of the viewer. Fields that are not
 * given are kept.
 * @returns `changed`: false if nothing is different
 * @throws {UserError} `INVALID_INPUT` about fields that cannot be used; `NOT_FOUND` and `FORBIDDEN`
 *   about `listId`; `FORBIDDEN` also if the list was taken down
 */
export async function updateList(
  context: RequestContext,
  input: { listId: string; name?: string | null; description?: string | null; audience?: Audience | null },
): Promise<BookListAnswer> {
  const viewer = await requireViewer(context);
  const { name, description, audience } = input;
  const { listId, fields } = readInput({
    listId: () => listIdInput(input.listId),
    fields: () =>
      readInput<Partial<Pick<BookListState, 'name' | 'description'>>>({
        ...(name != null && { name: () => nameInput(name) }),
        ...(description !== undefined && { description: () => textInput('description', 'A description', description) }),
      }),
  });
  const wanted = { ...fields, ...(audience != null && { audience }) };

  const expected = await changeableListNow(context, viewer.id, listId);
  const { changed, state } = await lists.change(context, { listId, ownerId: viewer.id }, expected, (found) => {
    requireOwner(viewer.id, found);
    requireNotTakenDown(found);
    const next = { ...found, ...wanted };
    const isSame =
      next.name === found.name && next.description === found.description && next.audience === found.audience;
    return isSame ? undefined : next;
  });
  return answerOf(context, listId, state, changed);
}

/**
 * Deletes a list of the viewer with its entries.
 * @throws {UserError} `INVALID_INPUT`, `NOT_FOUND` and `FORBIDDEN` about `listId`
 */
export async function deleteList(context: RequestContext, input: { listId: string }): Promise<BookListAnswer> {
  const viewer = await requireViewer(context);
  const listId = listIdInput(input.listId);

  const expected = await ownListNow(context, viewer.id, listId);
  const { changed } = await lists.change(
    context,
    { listId, ownerId: viewer.id },
    expected,
    (found) => {
      requireOwner(viewer.id, found);
      return { ...found, ...GONE, ...NOT_TAKEN_DOWN };
    },
    undefined,
    withoutEntries(listId),
  );
  return answerOf(context, listId, undefined, changed);
}

/**
 * Takes a list down permanently, so that only its owner and administrators see it.
 * @returns `changed`: false if it was taken down already, or deleted meanwhile
 */
export async function takeListDown(
  context: RequestContext,
  { id: listId, ownerId }: BookList & { readonly ownerId: string },
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<BookListAnswer> {
  const key = { listId, ownerId };

  const expected = await lists.read(context, key);
  const { changed, state } = await lists.change(context, key, expected, (found, at) =>
    found?.owner_id && !found.taken_down_at
      ? { ...found, taken_down_at: at, taken_down_by: by, taken_down_reason: reason }
      : undefined,
  );
  return answerOf(context, listId, state, changed);
}

/** Answers a change from the decided state, independent of earlier reads of the request. */
export function answerOf(
  context: RequestContext,
  listId: string,
  state: BookListState | undefined,
  changed: boolean,
): BookListAnswer {
  listLoader(context).clear(listId);
  return { list: state ? listOf(listId, state) : null, changed };
}

/**
 * Reads the state of a list that must be the viewer's.
 * @throws {UserError} `NOT_FOUND` and `FORBIDDEN` about `listId`
 */
async function ownListNow(context: RequestContext, viewerId: string, listId: string): Promise<BookListState> {
  const state = await lists.read(context, { listId, ownerId: viewerId });
  // Only callers who may see a list learn that it exists.
  const isHidden = state?.owner_id !== viewerId && (await shownList(context, listId)) === null;
  if (isHidden) throw noList();
  requireOwner(viewerId, state);
  return state;
}

/**
 * Reads the state of a list that must be the viewer's, and that they can change.
 * @throws {UserError} `NOT_FOUND` and `FORBIDDEN` about `listId`
 */
export async function changeableListNow(
  context: RequestContext,
  viewerId: string,
  listId: string,
): Promise<BookListState> {
  const state = await ownListNow(context, viewerId, listId);
  requireNotTakenDown(state);
  return state;
}

function requireNotTakenDown({ taken_down_at }: BookListState): void {
  if (!taken_down_at) return;
  const message = 'An administrator took this list down. You can delete it, but not change it.';
  throw new UserError('FORBIDDEN', message, ['input', 'listId']);
}

const noList = () => new UserError('NOT_FOUND', 'There is no such list.', ['input', 'listId']);

function requireOwner(ownerId: string, state: BookListState | undefined): asserts state is BookListState {
  if (state?.owner_id == null) throw noList();
  if (state.owner_id !== ownerId)
    throw new UserError('FORBIDDEN', 'This list is somebody else’s.', ['input', 'listId']);
}

/** A list among those of its owner. */
export interface BookListEdge {
  readonly cursor: Cursor;
  readonly listId: string;
}

/**
 * Returns a page of a reader's lists that the caller may see, newest first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function listsOf(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<CountedConnection<BookListEdge>> {
  const isShown = async ({ list_id }: { readonly list_id: string }) => (await shownList(context, list_id)) !== null;
  const list = {
    ...listsByUser.list(context.cassandra, { user_id: userId }),
    name: `lists ${userId}`,
    descending: true,
    filter: { keep: isShown, rowsMin: FILTERED_ROWS_MIN },
  };
  return connection(page, list, ({ list_id }, cursor) => ({ cursor, listId: list_id }));
}

/** Returns a list that a page has just shown. */
export async function existingList(context: RequestContext, listId: string): Promise<BookList> {
  const list = await listIncludingDeleted(context, listId);
  if (!list) throw new Error(`A row refers to the list ${listId}, which does not exist`);
  return list;
}
