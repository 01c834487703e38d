import { beforeAll, describe, expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { audited } from './support/audit.ts';
import { bookIds } from './support/books.ts';
import type { Client } from './support/client.ts';
import { isUndecided, points, startSurvivor, type Survivor } from './support/crash.ts';

/**
 * Kills a server (-9) at every crash point of every change of a list. The change is whole or
 * absent.
 */

let survivor: Survivor;
let books: string[];

beforeAll(async () => {
  survivor = await startSurvivor();
  books = (await bookIds(survivor)).slice(0, 4);
});

const create = async (owner: Client): Promise<string> => {
  const { list } = await owner.mutate('createList', { name: 'Best', audience: 'EVERYONE' }, 'list { id }');
  return (list as { id: string } | null)?.id ?? '';
};

/** Returns the number of entries of each list of a reader, with their books and notes. */
const stateOf = async (owner: Client) => {
  const entries = 'entries { count { value } nodes { id } edges { note } }';
  const { viewer } = await owner.data(`{ viewer { lists { nodes { ${entries} } } } }`);
  return viewer.lists.nodes.map(({ entries: { count, nodes, edges } }: ListAnswer['list']) => ({
    count: count.value,
    books: nodes.map(({ id }) => books.indexOf(id)),
    notes: edges.flatMap(({ note }) => note ?? []),
  })) as object[];
};

interface ListAnswer {
  readonly list: {
    readonly entries: {
      readonly count: { readonly value: number };
      readonly nodes: readonly { readonly id: string }[];
      readonly edges: readonly { readonly note: string | null }[];
    };
  };
}

const WHOLE = { count: 3, books: [0, 1, 2], notes: ['First'] };

/**
 * The changes, with the lists of the reader after each change; before it, the reader has {@link
 * WHOLE} or none.
 */
const CHANGES: Record<string, { input: (listId: string) => Record<string, unknown>; after: object[] }> = {
  createList: {
    input: () => ({ name: 'Best', audience: 'EVERYONE' }),
    after: [{ count: 0, books: [], notes: [] }],
  },
  addToList: {
    input: (listId) => ({ listId, bookId: books[3], after: books[0], note: 'New' }),
    after: [{ count: 4, books: [0, 3, 1, 2], notes: ['First', 'New'] }],
  },
  moveInList: {
    input: (listId) => ({ listId, bookId: books[0], after: books[1] }),
    after: [{ count: 3, books: [1, 0, 2], notes: ['First'] }],
  },
  updateListEntry: {
    input: (listId) => ({ listId, bookId: books[0], note: 'Other' }),
    after: [{ ...WHOLE, notes: ['Other'] }],
  },
  removeFromList: {
    input: (listId) => ({ listId, bookId: books[0] }),
    after: [{ count: 2, books: [1, 2], notes: [] }],
  },
  deleteList: { input: (listId) => ({ listId }), after: [] },
};

describe.each(Object.keys(CHANGES))('%s, killed at every point', (verb) => {
  const all = points('list', ['compare-and-set', 'list', 'owner']);
  const owners = new Map<string, { owner: Client; listId: string }>();
  const before = verb === 'createList' ? [] : [WHOLE];

  beforeAll(async () => {
    for (const point of all) {
      const owner = await survivor.client().registerSomebody(point);
      const listId = verb === 'createList' ? '' : await create(owner);
      if (listId !== '')
        for (const [index, bookId] of books.slice(0, 3).entries())
          await owner.mutate('addToList', { listId, bookId, ...(index === 0 && { note: 'First' }) }, 'changed');
      owners.set(point, { owner, listId });
    }
    await survivor.crashAtEach(all, (client, point) => {
      const { owner, listId } = owners.get(point)!;
      client.token = owner.token;
      return client.mutate(verb, CHANGES[verb]!.input(listId), 'changed');
    });
  });

  test.each(all)('%s: whole or absent', async (point) => {
    const { owner } = owners.get(point)!;
    expect(await stateOf(owner)).toEqual(isUndecided(point) ? before : CHANGES[verb]!.after);
  });
});

test('nothing has drifted', async () => {
  expect((await audited(survivor.app, everyAudit)).drift).toEqual([]);
});
