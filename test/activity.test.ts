import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, type Client } from './support/client.ts';
import { runs } from './support/full.ts';

/** Compares the activity log with a plain list of actions. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const KINDS = ['REGISTERED', 'LOGGED_IN', 'LIKED', 'UNLIKED', 'READ', 'VIEWED', 'SOLD'] as const;
const BOOKS = 3;

type Kind = (typeof KINDS)[number];
type OrderBy = 'NEWEST' | 'OLDEST';

interface Done {
  readonly kind: Kind;
  readonly at: number;
  /** The id of a book; '' for no book. */
  readonly book: string;
}

interface Filter {
  readonly kinds?: readonly Kind[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly orderBy?: OrderBy;
}

let server: TestServer;
/** A server that records neither views nor clicks. */
let discreet: TestServer;
let books: string[];
let now = Date.UTC(2026, 0, 1);

beforeAll(async () => {
  const clock = () => new Date(now);
  const environment = { ACCESS_TOKEN_SECONDS: '86400' };
  server = await startServer(await sharedKeyspace(environment), { clock });
  discreet = await startServer(await sharedKeyspace({ ...environment, ACTIVITY_LOOKS_AND_CLICKS: 'off' }), { clock });
  books = await ownBooks(server.app, BOOKS);
});

const view = (client: Client, bookId: string) => client.mutate('recordView', { bookId }, 'book { id }');

const argumentsOf = ({ kinds, from, to, orderBy }: Filter) =>
  [
    kinds && `kinds: [${kinds.join()}],`,
    from !== undefined && `from: "${new Date(from).toISOString()}",`,
    to !== undefined && `to: "${new Date(to).toISOString()}",`,
    orderBy && `orderBy: ${orderBy},`,
  ]
    .filter(Boolean)
    .join(' ');

const actions = (client: Client, filter: Filter) => (page: string) =>
  client
    .data(
      `{ viewer { actions(${argumentsOf(filter)} ${page}) { edges { at cursor node { kind at element book { id } } } ${PAGE_INFO} } } }`,
    )
    .then((data) => data.viewer.actions);

const doneOf = ({
  node,
}: {
  node: { kind: Kind; at: string; element: string | null; book: { id: string } | null };
}) => {
  expect(node.element).toBeNull();
  return { kind: node.kind, at: Date.parse(node.at), book: node.book?.id ?? '' };
};

/** Orders actions as the log does: by moment, then by kind, then by subject. */
function compare(one: Done, other: Done): number {
  const keyOf = ({ kind, book }: Done) => `${kind} ${Buffer.from(book, 'base64url').toString()}`;
  if (one.at !== other.at) return one.at - other.at;
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function expected(
  all: readonly Done[],
  { kinds, from = -Infinity, to = Infinity, orderBy = 'NEWEST' }: Filter,
): Done[] {
  const found = all
    .filter(({ kind, at }) => (kinds?.includes(kind) ?? true) && at >= from && at < to)
    .toSorted(compare);
  return orderBy === 'NEWEST' ? found.toReversed() : found;
}

/** A reader and the model of their actions. Each method makes the same change in both. */
class Acting {
  readonly client: Client;
  readonly #done = new Map<string, Done>();
  readonly #liked = new Map<string, { isLiked: boolean; at: number }>();

  constructor(client: Client) {
    this.client = client;
  }

  get done(): Done[] {
    return [...this.#done.values()];
  }

  #did(kind: Kind, at: number, book = ''): void {
    this.#done.set(`${kind} ${String(at)} ${book}`, { kind, at, book });
  }

  async register(): Promise<void> {
    await this.client.registerSomebody();
    this.#did('REGISTERED', now);
  }

  async login(): Promise<void> {
    this.client.token = undefined;
    await this.client.login(this.client.email);
    this.#did('LOGGED_IN', now);
  }

  async like(book: string): Promise<void> {
    const before = this.#liked.get(book);
    const isLiked = before?.isLiked !== true;
    await (isLiked ? this.client.like(book) : this.client.unlike(book));
    // Two changes of one like never have the same moment.
    const at = Math.max(now, (before?.at ?? 0) + 1);
    this.#liked.set(book, { isLiked, at });
    this.#did(isLiked ? 'LIKED' : 'UNLIKED', at, book);
  }

  async read(book: string, at: number): Promise<void> {
    const readAt = new Date(at).toISOString();
    const { userErrors } = await this.client.mutate('markAsRead', { bookId: book, readAt }, 'book { id }');
    expect(userErrors).toEqual([]);
    this.#did('READ', at, book);
  }

  async view(book: string): Promise<void> {
    await view(this.client, book);
    const minute = Math.floor(now / MINUTE);
    const isRepeated = this.done.some(
      (each) => each.kind === 'VIEWED' && each.book === book && Math.floor(each.at / MINUTE) === minute,
    );
    if (!isRepeated) this.#did('VIEWED', now, book);
  }
}

describe('actions', () => {
  test('at random match the model in every kind, range, order and page, and cursors work with other kinds', async () => {
    const act = fc.record({
      // Some actions have the same moment, and others are months apart.
      wait: fc.constantFrom(0, 0, 0, 1, MINUTE, 3 * DAY, 45 * DAY, 200 * DAY),
      verb: fc.constantFrom('login', 'like', 'like', 'read', 'readBefore', 'view', 'view'),
      book: fc.nat(BOOKS - 1),
    });
    const asked = fc.record({
      kinds: fc.option(fc.array(fc.constantFrom(...KINDS), { maxLength: 5 }), { nil: undefined, freq: 5 }),
      from: fc.option(fc.nat(), { nil: undefined }),
      to: fc.option(fc.nat(), { nil: undefined }),
      orderBy: fc.constantFrom<OrderBy>('NEWEST', 'OLDEST'),
      size: fc.constantFrom(1, 3, 7),
      direction: fc.constantFrom('forward', 'backward'),
      // The cursor is from the list of all other kinds.
      cursor: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 5, maxLength: 16 }),
        fc.array(asked, { minLength: 4, maxLength: 4 }),
        async (acts, questions) => {
          const acting = new Acting(server.client());
          await acting.register();
          for (const { wait, verb, book: index } of acts) {
            now += wait;
            // The access token expires after a day.
            if (wait >= DAY) await acting.login();
            const book = books[index]!;
            if (verb === 'login') await acting.login();
            else if (verb === 'read') await acting.read(book, now);
            else if (verb === 'readBefore') await acting.read(book, now - 40 * DAY);
            else await acting[verb](book);
          }

          const { client, done } = acting;
          const moments = done.map(({ at }) => at);
          const momentOf = (choice: number | undefined) =>
            choice === undefined ? undefined : moments[choice % moments.length]!;
          for (const { size, direction, cursor, ...question } of questions) {
            const [from, to] = [momentOf(question.from), momentOf(question.to)];
            const filter = { ...question, ...(from && to && from > to ? { from: to, to: from } : { from, to }) };
            const wanted = expected(done, filter);
            const edges = await client.allPages(size, direction, actions(client, filter));
            expect(edges.map(doneOf), JSON.stringify(filter)).toEqual(wanted);

            const others = await client.allPages(50, 'forward', actions(client, { ...filter, kinds: undefined }));
            const place = others[cursor % others.length];
            if (!place) continue;
            const isBehind = (each: Done) =>
              filter.orderBy === 'NEWEST' ? compare(each, doneOf(place)) < 0 : compare(doneOf(place), each) < 0;
            const behind = wanted.filter(
              (each) =>
                `${each.kind} ${each.at} ${each.book}` !==
                  `${doneOf(place).kind} ${doneOf(place).at} ${doneOf(place).book}` && isBehind(each),
            );
            const page = await actions(client, filter)(`first: 50, after: "${place.cursor}"`);
            expect(page.edges.map(doneOf), JSON.stringify({ filter, place })).toEqual(behind);
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });

  test('of kinds without actions are empty, like those of no kinds; a kind that is given twice has no effect', async () => {
    const acting = new Acting(server.client());
    await acting.register();
    await acting.view(books[0]!);
    const { client } = acting;
    expect((await actions(client, { kinds: ['SOLD'] })('first: 5')).edges).toEqual([]);
    expect((await actions(client, { kinds: [] })('first: 5')).edges).toEqual([]);
    expect((await actions(client, { kinds: ['VIEWED', 'VIEWED'] })('first: 5')).edges).toHaveLength(1);
  });

  test('include views and clicks if the server records them', async () => {
    const client = await discreet.client().registerSomebody();
    await view(client, books[0]!);
    const { session } = await client.mutate('startSession', {}, 'session { id }');
    const clicks = [{ id: randomUUID(), at: new Date(now).toISOString(), subjectId: books[0] }];
    expect((await client.mutate('recordClicks', { sessionId: session.id, clicks }, 'recorded')).recorded).toBe(1);
    expect((await actions(client, {})('first: 5')).edges.map(doneOf)).toEqual([
      { kind: 'REGISTERED', at: now, book: '' },
    ]);
    const { viewer } = await client.data('{ viewer { recentlyViewed { edges { node { id } } } } }');
    expect(viewer.recentlyViewed.edges).toHaveLength(1);
  });
});
