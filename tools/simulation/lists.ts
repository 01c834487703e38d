import { GONE, NOT_TAKEN_DOWN } from '../../src/lists/aggregate.ts';
import {
  BOOKS,
  ENTRIES,
  insertBook,
  insertEntry,
  listsByUser,
  listStates,
  type BookListState,
} from '../../src/lists/tables.ts';
import { POSITION_LENGTH_MAX } from '../../src/lists/positions.ts';
import { bind } from '../../src/cassandra/statement.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { World } from './world.ts';

/** The lists of books that callers know. */

/** A list that a caller made, or tried to make. */
export interface MadeList {
  /** Unset if the caller does not know it. */
  readonly listId: string | undefined;
  readonly ownerId: string;
  /** No two lists have the same description. */
  readonly description: string;
  /** The state before the first call about it. */
  readonly initial: string;
  /** True once its deletion was confirmed to a caller. */
  isDeleted: boolean;
}

/** A visible entry of a list; the note is '' if there is none. */
export interface ListedEntry {
  readonly bookId: string;
  readonly note: string;
}

/** The state of a list that is deleted. */
export const DELETED = 'deleted';

/** The beginning of the text of a list that was taken down. */
export const TAKEN_DOWN = 'taken down, ';

/** Returns the state of a list, as a text. */
export const listText = (name: string, entries: readonly ListedEntry[], isTakenDown = false): string =>
  `${isTakenDown ? TAKEN_DOWN : ''}${name}: ${entries.map(({ bookId, note }) => `${bookId}=${note}`).join(' ')}`;

/** The name of every list that was not renamed. */
export const LIST_NAME = 'Best';

/**
 * Makes a list of some books whose positions have their maximum length, as if its owner had moved
 * entries for years. The next entry between two of them needs room.
 */
export function seedList(world: World, cluster: Cluster, ownerId: string, books: readonly string[]): MadeList {
  const [list_id, added_at] = [world.uuid(), new Date(world.now)];
  const decided = { version: 1, changed_at: added_at, change_id: world.uuid() };
  const description = 'made before';
  const named = { name: LIST_NAME, description, audience: 'EVERYONE', owner_id: ownerId } as const;
  const counted = { created_at: added_at, entry_count: books.length };
  const state: BookListState = { ...GONE, ...NOT_TAKEN_DOWN, ...named, ...counted, ...decided };
  const entries = books.flatMap((book_id, index) => {
    const place = String(index + 1).padStart(POSITION_LENGTH_MAX, 'U');
    return [
      bind(insertEntry, { list_id, ...ENTRIES, place, book_id, note: '', added_at }),
      bind(insertBook, { list_id, ...BOOKS, place: book_id, position: place }),
    ];
  });
  for (const { query, params } of [
    listStates.bind({ list_id }, null, state),
    bind(listsByUser.insert, { user_id: ownerId, created_at: added_at, list_id, version: 1n }),
    ...entries,
  ])
    cluster.seed(query, params);
  const initial = listText(
    LIST_NAME,
    books.map((bookId) => ({ bookId, note: '' })),
  );
  return { listId: list_id, ownerId, description, initial, isDeleted: false };
}
