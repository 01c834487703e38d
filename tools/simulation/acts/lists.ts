import { ENTRIES } from '../../../src/lists/tables.ts';
import { addToList, entriesOf, moveInList, removeFromList, updateListEntry } from '../../../src/lists/entries.ts';
import {
  createList,
  deleteList,
  listIncludingDeleted,
  updateList,
  type BookList,
  type BookListAnswer,
} from '../../../src/lists/operations.ts';
import { UserError } from '../../../src/graphql/errors.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { takeDown } from '../../../src/takedowns/operations.ts';
import type { Effect } from '../../support/history.ts';
import { show } from '../cluster/values.ts';
import { begin } from '../library.ts';
import { DELETED, LIST_NAME, listText, TAKEN_DOWN, type ListedEntry, type MadeList } from '../lists.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import type { ListVerb } from './verbs.ts';

const NAMES = [LIST_NAME, 'Worst'] as const;
const NOTES = ['', 'Good'] as const;

/** The answer to a call about a book that the list does not have, or about a deleted list. */
const NOT_FOUND = 'not found';
const UNCHANGED = 'unchanged';

/** The content of a list, parsed from its text. */
const listIn = (state: string) => {
  const [name = '', listed = ''] = state.split(': ');
  const entries = listed.split(' ').flatMap((entry): ListedEntry[] => {
    const [bookId = '', note = ''] = entry.split('=');
    return bookId === '' ? [] : [{ bookId, note }];
  });
  return { name, entries };
};

/**
 * Computes the next state of a list after a call. A call that changes entries learns their number.
 */
export const effectOnList: Effect<ListVerb, string> = (state, verb) => {
  if (verb === 'look') return { state, answer: state };
  if (state === DELETED) return { state, answer: NOT_FOUND };
  if (verb === 'delete') return { state: DELETED, answer: '0' };

  if (state.startsWith(TAKEN_DOWN)) return { state, answer: verb === 'take down' ? UNCHANGED : 'refused' };

  const { name, entries } = listIn(state);
  const next = nextOf(name, entries, verb);
  if (next === undefined) return { state, answer: NOT_FOUND };
  return next.text === state ? { state, answer: UNCHANGED } : { state: next.text, answer: String(next.count) };
};

/** @returns `undefined` if the list lacks a book that the call names */
function nextOf(name: string, entries: readonly ListedEntry[], verb: ListVerb) {
  if (verb === 'take down') return { text: listText(name, entries, true), count: entries.length };

  const told = (called: string, all: readonly ListedEntry[]) => ({ text: listText(called, all), count: all.length });
  const [does, bookId = '', word, after] = verb.split(' ');
  if (does === 'call') return told(bookId, entries);

  const entry = entries.find((each) => each.bookId === bookId);
  if (does === 'remove' || (does === 'add' && entry))
    return told(name, does === 'add' ? entries : entries.filter((each) => each !== entry));
  if (does !== 'add' && !entry) return undefined;
  if (does === 'note')
    return told(
      name,
      entries.map((each) => (each === entry ? { bookId, note: word ?? '' } : each)),
    );

  const others = entries.filter((each) => each !== entry);
  const before = others.findIndex((each) => each.bookId === after);
  if (after !== undefined && before < 0) return undefined;
  // Without a place, a book is added at the end and moved to the beginning.
  const index = after !== undefined ? before + 1 : does === 'add' ? others.length : 0;
  return told(name, others.toSpliced(index, 0, entry ?? { bookId, note: '' }));
}

/**
 * A reader makes a list, or changes a list or its entries; or the administrator takes a list down.
 */
export async function callLists(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const known = library.lists.flatMap(({ listId, ...list }) => (listId === undefined ? [] : [{ ...list, listId }]));
  const open = known.filter(({ isDeleted, ownerId }) => !isDeleted && !library.leaving.has(ownerId));
  if (open.length === 0 || world.chance(0.05)) return makeList(scene);

  // The list is mostly the newest one, so that calls concern the same list. A deleted list refuses
  // all changes.
  const { listId, ownerId } = world.chance(0.1) ? world.pick(known) : (open.at(-1) ?? world.pick(open));
  const verb = pickVerb(scene, listId);
  const begun = world.steps;
  const call = begin(library.listCalls, listId, verb, begun);
  const came = await attempt(scene, () => changeOrLook(scene, ownerId, listId, verb));
  // A page of entries is exact only if no call changes them meanwhile.
  const isAlone = call.others.every(({ ended }) => ended < begun);
  if (came.outcome === 'REFUSED' || (verb === 'look' && !isAlone)) call.withdraw();
  else if (came.outcome === 'DONE') call.end(world.steps, came.result);
  if (came.outcome === 'DONE' && verb === 'delete')
    for (const list of library.lists) if (list.listId === listId) list.isDeleted = true;
  return came.outcome;
}

async function makeList(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const ownerId = world.pick(library.readers);
  const description = `list ${library.lists.length}`;
  const audience = world.pick(['EVERYONE', 'EVERYONE', 'ONLY_ME'] as const);
  const made: MadeList = {
    listId: undefined,
    ownerId,
    description,
    initial: listText(LIST_NAME, []),
    isDeleted: false,
  };
  const index = library.lists.push(made) - 1;
  const came = await attempt(scene, () =>
    createList(contextOf(scene, ownerId), { name: LIST_NAME, description, audience }),
  );
  if (came.outcome === 'DONE') library.lists[index] = { ...made, listId: came.result.list?.id };
  return came.outcome;
}

function pickVerb({ world, cluster, library: { books } }: Scene, listId: string): ListVerb {
  // Most calls concern books of the list.
  const listed = cluster
    .scan('book_lists')
    .filter((row) => row['part'] === ENTRIES.part && show(row['list_id']) === listId)
    .map((row) => show(row['book_id']));
  const aBook = () => world.pick(listed.length > 0 && world.chance(0.8) ? listed : books);
  const place = (bookId: string) => {
    const after = aBook();
    return world.chance(0.6) && after !== bookId ? ` after ${after}` : '';
  };
  const placed = (does: 'add' | 'move', bookId: string): ListVerb => `${does} ${bookId}${place(bookId)}`;
  const add = () => placed('add', world.pick(books));
  const move = () => placed('move', aBook());
  const rarely = () => world.pick<ListVerb>(['delete', 'take down', 'look', 'look']);
  return world.pick<() => ListVerb>([
    ...[add, add, add, move, move, move],
    () => `remove ${aBook()}`,
    () => `note ${aBook()} ${world.pick(NOTES)}`,
    () => `call ${world.pick(NAMES)}`,
    () => (world.chance(0.2) ? rarely() : 'look'),
  ])();
}

async function changeOrLook(scene: Scene, ownerId: string, key: string, verb: ListVerb): Promise<string> {
  const context = contextOf(scene, ownerId);
  if (verb === 'look') {
    const list = await listIncludingDeleted(context, key);
    if (!list || list.ownerId === null) return DELETED;
    const { edges } = await entriesOf(context, list, { first: 100 });
    const entries = edges.map(({ bookId, note }) => ({ bookId, note: note ?? '' }));
    const told = listText(list.title, entries, list.takenDownAt !== null);
    return list.entryCount === edges.length ? told : `${told}, counted as ${list.entryCount}`;
  }
  try {
    const { list, changed } = await change(scene, ownerId, encodeId({ type: 'BookList', key }), verb);
    return changed ? String(list?.entryCount ?? 0) : UNCHANGED;
  } catch (error) {
    // A book that cannot be added is not in the catalogue.
    if (error instanceof UserError && error.code === 'NOT_FOUND' && !verb.startsWith('add')) return NOT_FOUND;
    throw error;
  }
}

async function change(scene: Scene, ownerId: string, listId: string, verb: ListVerb): Promise<BookListAnswer> {
  const context = contextOf(scene, ownerId);
  if (verb === 'delete') return deleteList(context, { listId });
  if (verb === 'take down') {
    const administrator = contextOf(scene, scene.library.administrator);
    const { node, changed } = await takeDown(administrator, { id: listId, reason: 'It offends' });
    return { list: node as BookList | null, changed };
  }

  const [does, named = '', word, place] = verb.split(' ');
  if (does === 'call') return updateList(context, { listId, name: named });
  const [bookId, after] = [named, place].map((key) => key && encodeId({ type: 'Book', key })) as [string, string?];
  const input = { listId, bookId, ...(after !== undefined && { after }) };
  if (does === 'add') return addToList(context, input);
  if (does === 'move') return moveInList(context, input);
  if (does === 'note') return updateListEntry(context, { ...input, note: word ?? '' });
  return removeFromList(context, input);
}
