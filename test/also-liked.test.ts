import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { updatePrivacy } from '../src/accounts/changes.ts';
import { suspendAccount } from '../src/accounts/suspension.ts';
import { audit } from '../src/audit/audit.ts';
import { removeBook } from '../src/catalogue/operations.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { computeAlsoLiked } from '../src/likes/also-liked.worker.ts';
import { likeAudit } from '../src/likes/audit.ts';
import { like, unlike } from '../src/likes/operations.ts';
import { MINUTE_MS } from '../src/time/units.ts';
import { statementsOf } from '../tools/support/statements.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';
import { as, makeReaders } from './support/likers.ts';

/** The books that readers of a book also like, computed by the worker from the likes. */

let server: TestServer;
let other: TestServer;
let administrator: Client;
let aheadMs = 0;

beforeAll(async () => {
  const config = await ownKeyspace();
  const clock = () => new Date(Date.now() + aheadMs);
  [server, other] = [await startServer(config, { clock }), await startServer(config, { clock })];
  administrator = await registerAdministrator(server);
});

const newReaders = (count: number) => makeReaders(server.app, count);

async function likeAll(readers: readonly string[], ...ids: readonly string[]): Promise<void> {
  await Promise.all(
    readers.map(async (userId) => {
      for (const id of ids) await like(as(server.app, userId), { id });
    }),
  );
}

/** Runs the worker until nothing is due; one run ends after a part of a second. */
async function computeAll({ app }: TestServer = server): Promise<void> {
  for (let run = 0; run < 20; run++) await computeAlsoLiked(app);
}

interface Edge {
  readonly node: { readonly id: string };
  readonly sharedReaders: number;
  readonly score: number;
}

async function alsoLiked(id: string, first = 50): Promise<Edge[]> {
  const list = `alsoLiked(first: ${first}) { edges { node { id } sharedReaders score } nodes { id } }`;
  const { node } = await other.client().data(`{ node(id: "${id}") { ... on Book { ${list} } } }`);
  const { edges, nodes } = node.alsoLiked;
  expect(nodes).toEqual(edges.map((edge: Edge) => edge.node));
  return edges;
}

const listedIds = async (id: string) => (await alsoLiked(id)).map(({ node }) => node.id);

describe('the books that readers of a book also like', () => {
  test('are those with at least five shared readers, most similar first', async () => {
    const [id, alike, popular, few] = await ownBooks(server.app, 4);
    const readers = await newReaders(8);
    await likeAll(readers, id!);
    await likeAll(readers.slice(0, 6), alike!, popular!);
    await likeAll(await newReaders(12), popular!);
    await likeAll(readers.slice(0, 4), few!);
    expect(await alsoLiked(id!)).toEqual([]);

    await computeAll();
    expect(await alsoLiked(id!)).toEqual([
      { node: { id: alike }, sharedReaders: 6, score: 6 / Math.sqrt(8 * 6) },
      { node: { id: popular }, sharedReaders: 6, score: 6 / Math.sqrt(8 * 18) },
    ]);
    expect(await listedIds(alike!)).toEqual([id, popular]);
    expect(await alsoLiked(few!)).toEqual([]);
  });

  const HIDDEN: Record<string, (userId: string) => Promise<unknown>> = {
    'shows their likes to readers alone': (userId) => updatePrivacy(as(server.app, userId), { likes: 'SIGNED_IN' }),
    'shows their likes to nobody': (userId) => updatePrivacy(as(server.app, userId), { likes: 'ONLY_ME' }),
    'is suspended': (userId) =>
      suspendAccount(as(server.app, keyOf(administrator.viewerId)), {
        id: encodeId({ type: 'User', key: userId }),
        reason: 'Spam.',
      }),
  };
  test.each(Object.entries(HIDDEN))('count no reader who %s', async (_what, hide) => {
    const [id, alike] = await ownBooks(server.app, 2);
    const readers = await newReaders(6);
    await likeAll(readers, id!, alike!);
    await hide(readers[0]!);

    await computeAll();
    expect(await alsoLiked(id!)).toEqual([{ node: { id: alike }, sharedReaders: 5, score: 5 / Math.sqrt(5 * 6) }]);

    aheadMs += 11 * MINUTE_MS;
    await hide(readers[1]!);
    await likeAll(await newReaders(1), id!);
    await computeAll();
    expect(await alsoLiked(id!)).toEqual([]);
  });

  test('are computed again when the likes have grown by a twentieth, and not before', async () => {
    const [id, before, since] = await ownBooks(server.app, 3);
    const readers = await newReaders(25);
    await likeAll(readers, id!, before!);
    await computeAll();
    await likeAll(readers, since!);

    aheadMs += 11 * MINUTE_MS;
    await likeAll(await newReaders(1), id!);
    await computeAll();
    expect(await listedIds(id!)).toEqual([before]);

    await likeAll(await newReaders(1), id!);
    await computeAll();
    expect((await listedIds(id!)).toSorted()).toEqual([before, since].toSorted());
  });

  test('are computed again when likes were taken back', async () => {
    const [id, alike] = await ownBooks(server.app, 2);
    const readers = await newReaders(5);
    await likeAll(readers, id!, alike!);
    await computeAll();
    expect(await listedIds(id!)).toEqual([alike]);

    aheadMs += 11 * MINUTE_MS;
    await unlike(as(server.app, readers[0]!), { id: id! });
    await computeAll();
    expect(await listedIds(id!)).toEqual([]);
  });

  test('are computed at most once in ten minutes by all servers together, from all likes until then', async () => {
    const [id, before, since] = await ownBooks(server.app, 3);
    const readers = await newReaders(5);
    await likeAll(readers, id!, before!);
    await computeAll();

    await likeAll(readers, since!);
    await likeAll(await newReaders(5), id!);
    const [last] = await newReaders(1);
    await like(as(other.app, last!), { id: id! });
    for (const each of [server, other]) await computeAll(each);
    expect(await listedIds(id!)).toEqual([before]);

    // The book waits, and no further like puts it into the queue again.
    aheadMs += 11 * MINUTE_MS;
    await computeAll(other);
    expect((await listedIds(id!)).toSorted()).toEqual([before, since].toSorted());
  });

  test('belong to other works, with one edition of each', async () => {
    const [id, own, one, another, joined] = await ownBooks(server.app, 5);
    // The clock has advanced in other tests.
    const editor = await server.client().login(administrator.email);
    const join = async (bookId: string, to: string) => {
      const { node } = await editor.data(`{ node(id: "${to}") { ... on Book { work { id } } } }`);
      await editor.mutate('updateBook', { bookId, workId: node.work.id }, 'book { id }');
    };
    await join(own!, id!);
    await join(another!, one!);
    const readers = await newReaders(6);
    await likeAll(readers, id!, own!, one!, another!, joined!);
    await likeAll(await newReaders(2), another!);
    await computeAll();
    expect((await listedIds(id!)).toSorted()).toEqual([one, joined].toSorted());

    // The list that was computed before still has both.
    await join(joined!, one!);
    expect(await listedIds(id!)).toHaveLength(1);
    await join(one!, id!);
    await join(joined!, id!);
    expect(await listedIds(id!)).toEqual([]);
  });

  test('leave out books that were removed from the catalogue, and include the next ones instead', async () => {
    const [id, ...others] = await ownBooks(server.app, 4);
    await likeAll(await newReaders(5), id!, ...others);
    await computeAll();
    const listed = await listedIds(id!);
    expect(listed.toSorted()).toEqual(others.toSorted());

    await removeBook(server.app, keyOf(listed[0]!));
    expect(await listedIds(id!)).toEqual(listed.slice(1));
    expect((await alsoLiked(id!, 1)).map(({ node }) => node.id)).toEqual([listed[1]]);
  });

  test('are read in pages, and the lists of many books in one statement', async () => {
    const books = await ownBooks(server.app, 6);
    await likeAll(await newReaders(5), ...books);
    await computeAll();
    const listed = await listedIds(books[0]!);
    expect(listed.toSorted()).toEqual(books.slice(1).toSorted());

    for (const direction of ['forward', 'backward'] as const) {
      const pages = await server.client().allPages(2, direction, async (args) => {
        const page = `alsoLiked(${args}) { edges { cursor node { id } } ${PAGE_INFO} }`;
        return (await server.client().data(`{ node(id: "${books[0]}") { ... on Book { ${page} } } }`)).node.alsoLiked;
      });
      expect(pages.map(({ node }) => node.id)).toEqual(listed);
    }

    const statements = await statementsOf(server, () =>
      server
        .client()
        .data('query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { alsoLiked { nodes { title } } } } }', {
          ids: books,
        }),
    );
    expect(statements.get('SELECT also_liked')).toBe(1);
    expect(statements.get('SELECT books') ?? 0).toBeLessThanOrEqual(2);
  });

  test('are restored by the audit when their list is lost', async () => {
    const [id, alike] = await ownBooks(server.app, 2);
    const readers = await newReaders(5);
    await likeAll(readers, id!, alike!);
    await computeAll();
    await execute('DELETE FROM also_liked WHERE book_id = ?', [keyOf(id!)]);
    expect(await listedIds(id!)).toEqual([]);

    for await (const { drift } of audit(other.app, [likeAudit], { likeableId: storedIdOf(id!) }, false))
      expect(drift).toEqual([]);
    await computeAll(other);
    expect(await listedIds(id!)).toEqual([alike]);
  });

  test('match a plain computation from any likes', async () => {
    const likesOfReader = fc.record({
      likes: fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 6 }),
      isOpen: fc.nat({ max: 4 }).map((fifth) => fifth > 0),
    });
    let listed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(likesOfReader, { minLength: 8, maxLength: 16 }), async (made) => {
        const [books, readers] = [await ownBooks(server.app, 6), await newReaders(made.length)];
        await Promise.all(
          made.map(async ({ likes, isOpen }, index) => {
            if (!isOpen) await updatePrivacy(as(server.app, readers[index]!), { likes: 'ONLY_ME' });
            await likeAll([readers[index]!], ...likes.map((book) => books[book]!));
          }),
        );
        await computeAll();
        for (const [book, id] of books.entries()) {
          const edges = await alsoLiked(id);
          expect(edges).toEqual(naive(made, books, book));
          listed += edges.length;
        }
      }),
      {
        numRuns: runs(15, 4),
        // All readers like all books.
        examples: [[Array.from({ length: 8 }, () => ({ likes: [0, 1, 2, 3, 4, 5], isOpen: true }))]],
      },
    );
    expect(listed).toBeGreaterThanOrEqual(30);
  });
});

/** The list of a book, computed pair by pair. */
function naive(
  made: readonly { readonly likes: readonly number[]; readonly isOpen: boolean }[],
  books: readonly string[],
  book: number,
): Edge[] {
  const open = made.filter(({ likes, isOpen }) => isOpen && likes.includes(book));
  const edges = books.flatMap((id, index) => {
    const sharedReaders = open.filter(({ likes }) => likes.includes(index)).length;
    if (index === book || sharedReaders < 5) return [];
    const likeCount = made.filter(({ likes }) => likes.includes(index)).length;
    return [{ node: { id }, sharedReaders, score: sharedReaders / Math.sqrt(open.length * likeCount) }];
  });
  return edges.toSorted(
    (one, another) => another.score - one.score || (storedIdOf(one.node.id) < storedIdOf(another.node.id) ? -1 : 1),
  );
}

const execute = (cql: string, params: unknown[]) => server.app.cassandra.client.execute(cql, params, { prepare: true });
