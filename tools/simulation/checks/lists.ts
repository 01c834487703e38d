import { types } from 'cassandra-driver';
import { isMade } from '../../../src/lists/aggregate.ts';
import type { BookListState } from '../../../src/lists/tables.ts';
import { isPossible, type Effect } from '../../support/history.ts';
import { effectOnList } from '../acts/lists.ts';
import type { ListVerb } from '../acts/verbs.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { DELETED, listText } from '../lists.ts';
import { differences } from './differences.ts';

/** A list, read from its partition. */
interface StoredList {
  readonly state: BookListState | undefined;
  /** In the order of their positions. */
  readonly entries: readonly Row[];
  readonly books: readonly Row[];
}

function listIn(rows: readonly Row[]): StoredList {
  const placed = rows.toSorted((one, other) => (show(one['place']) < show(other['place']) ? -1 : 1));
  const of = (part: string) => placed.filter((row) => row['part'] === part);
  const state = of('LIST')[0]?.['state'] as BookListState | undefined;
  return { state, entries: of('ENTRY'), books: of('BOOK') };
}

/** Returns the lists by their ids, including attempts to make one. */
const listsIn = (cluster: Cluster): Map<string, StoredList> =>
  new Map(
    [...Map.groupBy(cluster.scan('book_lists'), (row) => show(row['list_id']))].map(([listId, rows]) => [
      listId,
      listIn(rows),
    ]),
  );

/**
 * Compares the entries of each list with its books and its count, and the lists with those of each
 * reader.
 */
export function* driftOfLists(cluster: Cluster, erased: ReadonlySet<string>): Generator<string> {
  const stored = listsIn(cluster);
  for (const [listId, { state, entries, books }] of stored) {
    const placed = (bookId: unknown, position: unknown) => `${show(bookId)} of ${listId} at ${show(position)}`;
    yield* differences(
      'the books of book_lists',
      entries.map(({ book_id, place }) => placed(book_id, place)),
      books.map(({ place, position }) => placed(place, position)),
    );
    const twice = entries.filter(
      ({ book_id }, index) => entries.findIndex((each) => each['book_id'] === book_id) < index,
    );
    for (const { book_id } of twice) yield `the list ${listId} has a book twice: ${show(book_id)}`;
    const count = state?.entry_count ?? 0;
    if (count !== entries.length) yield `the list ${listId} has the count ${count}, but ${entries.length} entries`;
    if (state && erased.has(show(state.owner_id))) yield `book_lists still has a list of a deleted reader: ${listId}`;
  }

  const listed = (ownerId: unknown, createdAt: unknown, listId: unknown) =>
    `${show(listId)} of ${show(ownerId)} since ${show(createdAt)}`;
  yield* differences(
    'lists_by_user',
    [...stored].flatMap(([listId, { state }]) =>
      state?.owner_id ? [listed(state.owner_id, state.created_at, listId)] : [],
    ),
    cluster.scan('lists_by_user').map(({ user_id, created_at, list_id }) => listed(user_id, created_at, list_id)),
  );
}

/** Returns the state of a list that callers see; `undefined` if it was not made. */
function shownText({ state, entries }: StoredList): string | undefined {
  if (!state || !isMade(state)) return undefined;
  const all = entries.map(({ book_id, note }) => ({ bookId: show(book_id), note: show(note) }));
  return state.owner_id === null && all.length === 0
    ? DELETED
    : listText(state.name, all, state.taken_down_at !== null);
}

/**
 * Returns the effect of a call on a list whose versions are known: a call that changes something
 * makes the next version. The state is the number of the version. So a call with an unknown outcome
 * can have few effects; without the versions, there are too many ways to try.
 */
const effectAmong =
  (versions: readonly string[]): Effect<ListVerb | 'end', string> =>
  (state, verb) => {
    if (verb === 'end') return { state, answer: state };
    const version = versions[Number(state)] ?? '';
    const { state: next, answer = '' } = effectOnList(version, verb);
    if (next === version) return { state, answer };
    const number = Number(state) + 1;
    return next === versions[number] ? { state: String(number), answer } : { state, answer: 'not decided' };
  };

/**
 * Checks that every list whose creation was answered exists, and that every existing one was
 * requested. The calls about each list must be linearizable and explain each of its versions.
 */
export function* impossibleLists(
  cluster: Cluster,
  { lists, listCalls, leaving }: Library,
  now: number,
): Generator<string> {
  const stored = listsIn(cluster);
  for (const { listId, ownerId, initial } of lists) {
    if (listId === undefined || leaving.has(ownerId)) continue;
    const text = shownText(stored.get(listId) ?? listIn([]));
    // A version with the same content as the previous one is not a caller's change.
    const versions = cluster
      .versionsOf('book_lists', { list_id: types.Uuid.fromString(listId) })
      .flatMap((rows) => shownText(listIn(rows)) ?? [])
      .filter((each, index, all) => each !== all[index - 1]);
    const last = { verb: 'end', begun: now, ended: now + 1, answer: String(versions.length - 1) } as const;
    if (text === undefined) yield `book_lists lacks ${listId}`;
    else if (versions[0] !== initial || versions.at(-1) !== text)
      yield `the list ${listId} in book_lists differs from the decided one: ${text}`;
    else if (!isPossible([...(listCalls.get(listId) ?? []), last], '0', effectAmong(versions)))
      yield `the calls about the list ${listId} are not linearizable`;
  }

  const known = new Set(lists.map(({ listId }) => listId));
  const tried = new Set(lists.flatMap(({ listId, description }) => (listId === undefined ? description : [])));
  for (const [listId, { state, entries }] of stored) {
    if (known.has(listId) || !state?.owner_id) continue;
    // Each attempt makes at most one list.
    if (!tried.delete(state.description) || entries.length > 0) yield `book_lists has a surplus list: ${listId}`;
  }
}
