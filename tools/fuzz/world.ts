import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setAdministrator } from '../../src/accounts/operations.ts';
import { SAMPLE } from '../places.ts';
import { importBooks } from '../../src/catalogue/import.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { idArgument } from '../../src/graphql/ids.ts';
import { openSession } from '../../src/sessions/operations.ts';
import type { Chance } from '../support/chance.ts';
import { Client } from '../support/client.ts';
import { Seen } from './values.ts';

/**
 * A small library to ask about. Every change in it can be undone, so that the same change can be
 * requested again.
 */

/** A server of this process. */
export interface ServerHere {
  readonly url: string;
  readonly app: AppContext;
}

const BOOKS = 60;
const READERS = 3;
const LIKES_EACH = 6;

/** The mutations that can be undone, by the mutations that undo them. */
const UNDONE_BY: Readonly<Record<string, (of: World) => readonly string[]>> = {
  like: ({ book, item }) => [book, item].map((id) => `unlike(input: { id: "${id}" }) { userErrors { code } }`),
  unlike: ({ book, item }) => [book, item].map((id) => `like(input: { id: "${id}" }) { userErrors { code } }`),
  markAsRead: ({ book }) => [`unmarkAsRead(input: { bookId: "${book}" }) { userErrors { code } }`],
  unmarkAsRead: ({ book }) => [
    `markAsRead(input: { bookId: "${book}", readAt: "2026-01-02T12:00:00Z" }) { userErrors { code } }`,
  ],
  setReadingStatus: ({ book }) => [
    `setReadingStatus(input: { bookId: "${book}", status: WANT_TO_READ }) { userErrors { code } }`,
  ],
  updatePrivacy: () => ['updatePrivacy(input: { likes: SIGNED_IN, readings: SIGNED_IN }) { userErrors { code } }'],
  follow: ({ reader }) => [`unfollow(input: { id: "${reader}" }) { userErrors { code } }`],
  unfollow: ({ reader }) => [`follow(input: { id: "${reader}" }) { userErrors { code } }`],
  block: ({ reader }) => [`unblock(input: { id: "${reader}" }) { userErrors { code } }`],
  unblock: ({ reader }) => [`block(input: { id: "${reader}" }) { userErrors { code } }`],
  changePrice: ({ item }) => [
    `changePrice(input: { itemId: "${item}", price: { amount: "12.50", currency: "EUR" } }) { userErrors { code } }`,
  ],
  updateBook: ({ book }) => [
    `updateBook(input: {
      bookId: "${book}", title: "A title", originalTitle: "Un titre", authors: ["An Author"], publishedYear: 1999,
      languageCode: "eng", genres: ["essays"], publisher: "A publisher", pages: 321, publishedOn: "1999-05",
      workId: null, otherIsbns: [], series: [], description: "A text"
    }) { userErrors { code } }`,
  ],
  recordView: () => [],
  recordClicks: () => [],
  logout: () => [],
};

/** The mutations that can be repeated. */
export const CHANGES: readonly string[] = Object.keys(UNDONE_BY);

/** The caller, and the sessions that a request may affect. */
export interface Asking {
  readonly token: string | undefined;
  /** Another session of the same reader. */
  readonly otherToken: string | undefined;
}

export class World {
  /** The values for queries. */
  readonly seen: Seen;
  /** The values for mutations, which are few because their changes are undone. */
  readonly changed: Seen;
  /** The books and copies that mutations are about. */
  book = '';
  item = '';
  reader = '';
  readonly #server: ServerHere;
  readonly #readers: Client[] = [];
  #administrator: Client;

  private constructor(server: ServerHere, chance: Chance) {
    this.#server = server;
    this.#administrator = new Client(server.url);
    this.seen = new Seen(chance);
    this.changed = new Seen(chance);
  }

  /** Makes books, readers, likes, copies and readings. */
  static async make(server: ServerHere, chance: Chance): Promise<World> {
    const world = new World(server, chance);
    await someBooks(server.app);
    await world.#settle();
    return world;
  }

  async #settle(): Promise<void> {
    const { app, url } = this.#server;
    const found = (await new Client(url).data(
      '{ books(query: "the", first: 20) { edges { cursor node { id isbn } } } }',
    )) as { books: { edges: { cursor: string; node: { id: string } }[] } };
    this.seen.keep(found);
    const books = found.books.edges.map(({ node }) => node.id);
    for (let number = 0; number < READERS; number++) {
      const reader = await new Client(url).registerSomebody(`Reader ${number}`);
      this.#readers.push(reader);
      this.seen.ids.push(reader.viewerId);
      for (const id of books.slice(number, number + LIKES_EACH)) await reader.like(id);
      for (const bookId of books.slice(number, number + 2)) {
        await reader.mutate('markAsRead', { bookId, readAt: '2026-01-02T12:00:00Z' }, 'book { id }');
        await reader.mutate('recordView', { bookId }, 'book { id }');
      }
    }
    const [, other, administrator] = this.#readers as [Client, Client, Client];
    this.#administrator = administrator;
    await setAdministrator(requestContext(app, ANONYMOUS), administrator.email, true);
    this.book = books[0] ?? '';
    this.reader = other.viewerId;
    const price = { amount: '12.50', currency: 'EUR' };
    const listed = (await administrator.mutate(
      'listItem',
      { bookId: this.book, price, condition: 'GOOD' },
      'item { id }',
    )) as { item: { id: string } };
    this.item = listed.item.id;
    this.seen.ids.push(this.item, this.item);
    const sessions = (await administrator.data('{ viewer { sessions { nodes { id } } } }')) as {
      viewer: { sessions: { nodes: { id: string }[] } };
    };
    const session = sessions.viewer.sessions.nodes[0]?.id ?? '';
    this.seen.ids.push(session);
    // Mutations mostly get matching values.
    this.changed.ids.push(this.book, this.book, this.book, this.item, this.item, this.reader, session);
  }

  /** Picks the caller of a query: one of the readers, or a signed-out caller. */
  somebody(chance: Chance): Asking {
    return { token: chance.chance(0.8) ? chance.pick(this.#readers).token : undefined, otherToken: undefined };
  }

  /** Undoes some changes, and returns the reader who is to make them. */
  async beforeChanges(changes: readonly string[]): Promise<Asking> {
    const undoing = changes.flatMap((name) => UNDONE_BY[name]?.(this) ?? []);
    if (undoing.length > 0) {
      const fields = undoing.map((text, index) => `u${index}: ${text}`);
      await this.#administrator.data(`mutation { ${fields.join(' ')} }`);
    }
    if (!changes.includes('logout')) return { token: this.#administrator.token, otherToken: this.#administrator.token };
    // A reader who logs out everywhere ends all of their sessions.
    const [token, otherToken] = [await this.#openSession(), await this.#openSession()];
    return { token, otherToken };
  }

  /** Returns the current state of everything that mutations may have changed. */
  async probe({ otherToken }: Asking): Promise<unknown> {
    const client = Object.assign(new Client(this.#server.url), { token: otherToken });
    const answer = await client.send(`{
      viewer { privacy { likes readings } blocked { nodes { id } } likes { nodes { ... on Node { id } } } }
      node(id: "${this.book}") { ... on Book {
        title originalTitle authors publishedYear languageCode genres publisher pages publishedOn coverUrl
        work { id title } otherIsbns description series { series { name } position }
        viewerHasLiked likeCount viewerReading { status progress reads }
      } }
      item: node(id: "${this.item}") { ... on Item { title status viewerHasLiked price { amount currency } } }
    }`);
    if (answer.status === 401) this.#administrator.token = await this.#openSession();
    return { status: answer.status, data: answer.data as unknown };
  }

  async #openSession(): Promise<string> {
    const { key: userId } = idArgument('id', this.#administrator.viewerId);
    const login = { userId, by: 'LOGIN', device: null, visitId: undefined } as const;
    return (await openSession(requestContext(this.#server.app, ANONYMOUS), login)).accessToken;
  }
}

async function someBooks(app: AppContext): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-books-'));
  try {
    const file = join(folder, 'books.csv');
    await writeFile(
      file,
      (await readFile(SAMPLE, 'utf8'))
        .split('\n')
        .slice(0, BOOKS + 1)
        .join('\n'),
    );
    await importBooks(app, file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
