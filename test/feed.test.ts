import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { doJobs } from '../src/jobs/jobs.worker.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { runs } from './support/full.ts';
import { doAllJobs } from './support/jobs.ts';
import { untilImported } from './support/library-imports.ts';
import { keyOf } from './support/ids.ts';

/** The feed, compared with a plain model of what the followed readers did. */

const SECOND = 1_000;
const DAY = 86_400_000;
const READERS = 4;
const BOOKS = 3;

let server: TestServer;
let books: string[];
let now = Date.UTC(2026, 0, 31, 23, 50);

beforeAll(async () => {
  const clock = () => new Date(now);
  server = await startServer(await ownKeyspace(testEnvironment({ ACCESS_TOKEN_SECONDS: '86400' })), { clock });
  books = await ownBooks(server.app, BOOKS);
});

const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
/** Makes a change that nothing speaks against. */
async function change(reader: Client, field: string, input: Record<string, unknown>): Promise<void> {
  expect(await reader.mutate(field, input, '__typename'), field).toMatchObject({ userErrors: [] });
}
/** Logs in with another token, because the former one has expired. */
function loginAgain(reader: Client): Promise<Client> {
  reader.token = undefined;
  return reader.login(reader.email);
}
const follow = (viewer: Client, { viewerId: id }: Client) => change(viewer, 'follow', { id });
const show = (reader: Client, audiences: { likes?: string; readings?: string }) =>
  change(reader, 'updatePrivacy', audiences);
const review = (reader: Client, bookId: string, text: string) =>
  change(reader, 'writeReview', { bookId, text, hasSpoilers: false });

const ENTRY = `node { kind at reader { id fullName } likeable { id title } book { id title } rating
  review { text book { id } } }`;

/** Reads a page of the feed. */
const feed = (viewer: Client) => (page: string) =>
  viewer.data(`{ feed(${page}) { edges { at cursor ${ENTRY} } ${PAGE_INFO} } }`).then((data) => data.feed);

interface Entry {
  readonly kind: string;
  readonly at: number;
  readonly reader: string;
  readonly likeable: string | null;
  readonly book: string | null;
  readonly rating: number | null;
  readonly review: string | null;
}

interface ShownEntry {
  readonly at: string;
  readonly node: {
    readonly kind: string;
    readonly at: string;
    readonly reader: { readonly id: string };
    readonly likeable: { readonly id: string } | null;
    readonly book: { readonly id: string } | null;
    readonly rating: number | null;
    readonly review: { readonly text: string } | null;
  };
}

function entryOf({ at, node }: ShownEntry): Entry {
  expect(node.at).toBe(at);
  const { kind, reader, likeable, book, rating } = node;
  return {
    kind,
    at: Date.parse(at),
    reader: reader.id,
    likeable: likeable?.id ?? null,
    book: book?.id ?? null,
    rating,
    review: node.review?.text ?? null,
  };
}

const feedOf = async (viewer: Client, pageSize = 100, direction: 'forward' | 'backward' = 'forward') =>
  (await viewer.allPages(pageSize, direction, feed(viewer))).map(entryOf);

const NOTHING = { likeable: null, book: null, rating: null, review: null };

/**
 * A reader and the model of what followers see of them. Each method makes the same change in both.
 */
class Acting {
  readonly client: Client;
  likes = 'EVERYONE';
  readings = 'ONLY_ME';
  readonly #liked = new Map<string, number>();
  readonly #read = new Map<string, number[]>();
  readonly #rated = new Map<string, { at: number; rating: number }>();
  readonly #reviewed = new Map<string, { at: number; text: string }>();

  constructor(client: Client) {
    this.client = client;
  }

  async like(book: string): Promise<void> {
    await this.client.like(book);
    if (!this.#liked.has(book)) this.#liked.set(book, now);
  }

  async unlike(book: string): Promise<void> {
    await this.client.unlike(book);
    this.#liked.delete(book);
  }

  async read(book: string): Promise<void> {
    const readAt = new Date(now - DAY).toISOString();
    await change(this.client, 'markAsRead', { bookId: book, readAt });
    this.#read.set(book, [...(this.#read.get(book) ?? []), now]);
  }

  async unread(book: string): Promise<void> {
    await change(this.client, 'unmarkAsRead', { bookId: book });
    this.#read.delete(book);
  }

  async rate(book: string, rating: number): Promise<void> {
    await change(this.client, 'rateBook', { bookId: book, rating });
    this.#rated.set(book, { at: this.#rated.get(book)?.at ?? now, rating });
  }

  async unrate(book: string): Promise<void> {
    await change(this.client, 'unrateBook', { bookId: book });
    this.#rated.delete(book);
  }

  async review(book: string, text: string): Promise<void> {
    await review(this.client, book, text);
    this.#reviewed.set(book, { at: this.#reviewed.get(book)?.at ?? now, text });
  }

  async unreview(book: string): Promise<void> {
    await change(this.client, 'deleteReview', { bookId: book });
    this.#reviewed.delete(book);
  }

  async show(what: 'likes' | 'readings', audience: string): Promise<void> {
    await show(this.client, { [what]: audience });
    this[what] = audience;
  }

  /** The entries that those who follow the reader see, in no order. */
  get entries(): Entry[] {
    const reader = this.client.viewerId;
    const likes = [...this.#liked].map(([book, at]) => ({
      ...NOTHING,
      kind: 'LIKED',
      at,
      reader,
      likeable: book,
      book,
    }));
    const reads = [...this.#read].flatMap(([book, all]) =>
      all.map((at) => ({ ...NOTHING, kind: 'READ', at, reader, book })),
    );
    const ratings = [...this.#rated].map(([book, { at, rating }]) => ({
      ...NOTHING,
      kind: 'RATED',
      at,
      reader,
      book,
      rating,
    }));
    const reviews = [...this.#reviewed].map(([book, { at, text }]) => ({
      ...NOTHING,
      kind: 'REVIEWED',
      at,
      reader,
      book,
      review: text,
    }));
    return [
      ...(this.likes === 'ONLY_ME' ? [] : likes),
      ...(this.readings === 'ONLY_ME' ? [] : [...reads, ...ratings]),
      ...reviews,
    ];
  }
}

const VERBS = ['like', 'unlike', 'read', 'unread', 'rate', 'unrate', 'review', 'unreview'] as const;
const RELATIONS = ['follow', 'follow', 'unfollow', 'block', 'unblock', 'blocked', 'unblocked'] as const;
const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'ONLY_ME'] as const;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ who: fc.nat(READERS - 1), verb: fc.constantFrom(...VERBS), book: fc.nat(BOOKS - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ who: fc.nat(READERS - 1), relation: fc.constantFrom(...RELATIONS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      who: fc.nat(READERS - 1),
      what: fc.constantFrom('likes' as const, 'readings' as const),
      audience: fc.constantFrom(...AUDIENCES),
    }),
  },
);

describe('a feed is what a plain model has', () => {
  test('after random changes, in pages of any size, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 15, maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, pageSize) => {
          const viewer = await somebody('Viewer');
          const readers = await Promise.all(
            Array.from({ length: READERS }, async (_, index) => new Acting(await somebody(`Reader ${index}`))),
          );
          const followed = new Set<Acting>();
          const blocks = new Set<string>();
          for (const reader of readers.slice(1)) {
            await follow(viewer, reader.client);
            followed.add(reader);
          }
          const nameOf = (one: Client, other: Client) => `${one.viewerId} ${other.viewerId}`;
          const isBlocked = ({ client }: Acting) =>
            blocks.has(nameOf(viewer, client)) || blocks.has(nameOf(client, viewer));

          const expected = () =>
            [...followed]
              .filter((reader) => !isBlocked(reader))
              .flatMap((reader) => reader.entries)
              .toSorted((one, other) => other.at - one.at);

          for (const [index, each] of steps.entries()) {
            // A reader's clock steps over the end of a month.
            now += 40 * SECOND;
            const reader = readers[each.who]!;
            if ('verb' in each) {
              const book = books[each.book]!;
              if (each.verb === 'rate') await reader.rate(book, 0.25 * (1 + (index % 20)));
              else if (each.verb === 'review') await reader.review(book, `Text ${index}`);
              else await reader[each.verb](book);
            } else if ('what' in each) await reader.show(each.what, each.audience);
            else await relate(each.relation, viewer, reader);
            expect(await feedOf(viewer)).toEqual(expected());
          }

          expect(await feedOf(viewer, pageSize)).toEqual(expected());
          expect(await feedOf(viewer, pageSize, 'backward')).toEqual(expected());

          /** Changes whether two readers follow or block each other. */
          async function relate(relation: (typeof RELATIONS)[number], one: Client, other: Acting): Promise<void> {
            const { client } = other;
            const [by, id] = relation.endsWith('blocked') ? [client, one.viewerId] : [one, client.viewerId];
            const isHidden = isBlocked(other);
            switch (relation) {
              case 'follow':
              case 'unfollow':
                if (isHidden) return;
                await change(one, relation, { id });
                if (relation === 'follow') followed.add(other);
                else followed.delete(other);
                return;
              case 'block':
              case 'blocked':
                // Nobody can block a reader who blocks them.
                if (isHidden) return;
                await change(by, 'block', { id });
                blocks.add(`${by.viewerId} ${id}`);
                // A block ends the follow.
                followed.delete(other);
                return;
              case 'unblock':
              case 'unblocked':
                if (!blocks.has(`${by.viewerId} ${id}`)) return;
                await change(by, 'unblock', { id });
                blocks.delete(`${by.viewerId} ${id}`);
            }
          }
        },
      ),
      { numRuns: runs(12) },
    );
  });

  test('when everything happened at the same moment', async () => {
    const viewer = await somebody();
    const readers = await Promise.all(Array.from({ length: READERS }, async () => new Acting(await somebody())));
    for (const reader of readers) {
      await follow(viewer, reader.client);
      await reader.show('readings', 'EVERYONE');
      for (const book of books) {
        await reader.like(book);
        await reader.read(book);
        await reader.rate(book, 4);
        await reader.review(book, 'Good');
      }
    }
    const nameOf = ({ kind, reader, book }: Entry) => `${kind} ${reader} ${book ?? ''}`;
    const expected = readers.flatMap(({ entries }) => entries).map(nameOf);
    expect(expected).toHaveLength(READERS * BOOKS * 4);
    for (const pageSize of [1, 5]) {
      const forward = (await feedOf(viewer, pageSize)).map(nameOf);
      expect(forward.toSorted()).toEqual(expected.toSorted());
      expect((await feedOf(viewer, pageSize, 'backward')).map(nameOf)).toEqual(forward);
    }
  });
});

describe('the feed', () => {
  test('is null when signed out, and empty for a reader who follows nobody', async () => {
    expect(await feed(server.client())('first: 5')).toBeNull();
    expect(await feedOf(await somebody())).toEqual([]);
  });

  test('refuses a cursor that it has not given', async () => {
    const [viewer, other, reader] = [await somebody(), await somebody(), await somebody()];
    await follow(viewer, reader);
    await review(reader, books[0]!, 'Good');
    const { edges } = await feed(viewer)('first: 1');
    const cursor = edges[0].cursor as string;
    const [name, position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, object];
    const changed = (more: object) =>
      Buffer.from(JSON.stringify([name, { ...position, ...more }])).toString('base64url');
    const query = 'query ($after: String) { feed(after: $after) { edges { cursor } } }';
    expect((await viewer.data(query, { after: changed({}) })).feed.edges).toEqual([]);
    for (const more of [{ kind: 'SEEN' }, { key: 'x' }, { userId: 'x' }, { at: 'now' }, { surplus: 1 }])
      expect(await viewer.errorCode(query, { after: changed(more) }), JSON.stringify(more)).toBe('BAD_USER_INPUT');
    expect(await other.errorCode(query, { after: cursor })).toBe('BAD_USER_INPUT');
  });

  test('has the things that a reader liked, with their books', async () => {
    const [viewer, reader, seller] = [await somebody(), await somebody('Ann'), await somebody()];
    await follow(viewer, reader);
    const [book] = books;
    const price = { amount: '5', currency: 'EUR' };
    const copy = await seller.mutate(
      'listItem',
      { bookId: book, price, condition: 'GOOD', title: 'A copy' },
      'item { id }',
    );
    const written = await seller.mutate(
      'writeReview',
      { bookId: book, text: 'Fine', hasSpoilers: false },
      'review { id }',
    );
    const made = await seller.mutate('createList', { name: 'Mine', audience: 'EVERYONE' }, 'list { id }');
    const liked = [copy.item.id, written.review.id, made.list.id] as string[];
    for (const id of liked) {
      now += SECOND;
      await reader.like(id);
    }
    const found = await feedOf(viewer);
    expect(found.map(({ likeable }) => likeable)).toEqual(liked.toReversed());
    expect(found.map((each) => each.book)).toEqual([null, book, book]);
  });

  test('leaves out what the viewer may not see, and fills the page with what follows', async () => {
    const [viewer, reader, owner] = [await somebody(), await somebody(), await somebody()];
    await follow(viewer, reader);
    const [first, second] = books;
    await reader.like(first!);
    const listIds: string[] = [];
    for (let index = 0; index < 5; index++) {
      now += SECOND;
      const made = await owner.mutate('createList', { name: `List ${index}`, audience: 'EVERYONE' }, 'list { id }');
      listIds.push(made.list.id as string);
      await reader.like(listIds.at(-1)!);
    }
    now += SECOND;
    await reader.like(second!);
    expect(await feedOf(viewer)).toHaveLength(7);

    for (const listId of listIds.slice(0, 4)) await change(owner, 'updateList', { listId, audience: 'ONLY_ME' });
    const shown = [second, listIds[4], first];
    for (const pageSize of [1, 2, 3])
      expect((await feedOf(viewer, pageSize)).map(({ likeable }) => likeable)).toEqual(shown);
  });

  test('has nothing that a reader imported, until they change it here', async () => {
    const [viewer, reader] = [await somebody(), await somebody()];
    await follow(viewer, reader);
    await show(reader, { readings: 'EVERYONE' });
    const { book } = await viewer.data('query ($id: ID) { book(id: $id) { title authors } }', { id: books[0] });
    const file =
      'Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf,My Review\n' +
      `"${book.title}","${book.authors[0]}",4,2020/02/03,,read,Good\n`;
    const { id } = await untilImported(reader, Buffer.from(file));
    await change(reader, 'publishImportedReviews', { importId: id });
    await doAllJobs(server.app);
    expect(
      (
        await reader.data(
          '{ viewer { ratings { nodes { id } } readBooks { nodes { id } } reviews { nodes { text } } } }',
        )
      ).viewer,
    ).toEqual({
      ratings: { nodes: [{ id: books[0] }] },
      readBooks: { nodes: [{ id: books[0] }] },
      reviews: { nodes: [{ text: 'Good' }] },
    });
    expect(await feedOf(viewer)).toEqual([]);

    now += SECOND;
    await change(reader, 'rateBook', { bookId: books[0], rating: 2.5 });
    expect(await feedOf(viewer)).toMatchObject([{ kind: 'RATED', rating: 2.5 }]);
  });

  test('has nothing of a reader who is suspended, or has deleted the account', async () => {
    const [viewer, ann, bob] = [await somebody(), await somebody('Ann'), await somebody('Bob')];
    for (const reader of [ann, bob]) {
      now += SECOND;
      await follow(viewer, reader);
      await reader.like(books[0]!);
      await review(reader, books[0]!, 'Good');
    }
    expect(await feedOf(viewer)).toHaveLength(4);

    const administrator = await registerAdministrator(server);
    await change(administrator, 'suspendAccount', { id: ann.viewerId, reason: 'Spam' });
    expect((await feedOf(viewer)).map(({ reader }) => reader)).toEqual([bob.viewerId, bob.viewerId]);

    await change(bob, 'deleteAccount', { password: PASSWORD });
    expect(await feedOf(viewer)).toEqual([]);
    await doJobs(server.app);
    expect(await server.rowsAbout([keyOf(bob.viewerId)])).toEqual(['users_by_id']);
  });

  test('has a review that was taken down no longer', async () => {
    const [viewer, reader] = [await somebody(), await somebody()];
    await follow(viewer, reader);
    const written = await reader.mutate(
      'writeReview',
      { bookId: books[0], text: 'Bad', hasSpoilers: false },
      'review { id }',
    );
    expect(await feedOf(viewer)).toHaveLength(1);
    const administrator = await registerAdministrator(server);
    await change(administrator, 'takeDown', { id: written.review.id, reason: 'Insults' });
    expect(await feedOf(viewer)).toEqual([]);
  });

  test('goes back twelve months, over months without anything', async () => {
    const [viewer, reader] = [await somebody(), await somebody()];
    await follow(viewer, reader);
    const moments: number[] = [];
    for (const [index, months] of [0, 5, 8].entries()) {
      now = Math.max(now, Date.UTC(2027, months, 10));
      moments.push(now);
      await Promise.all([viewer, reader].map(loginAgain));
      await reader.like(books[index]!);
    }
    const shown = async () => (await feedOf(viewer, 1)).map(({ at }) => at);
    expect(await shown()).toEqual(moments.toReversed());

    now = Date.UTC(2028, 1, 1);
    await loginAgain(viewer);
    expect(await shown()).toEqual(moments.slice(1).toReversed());
  });
});
