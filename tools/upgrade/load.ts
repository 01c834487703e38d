import { inspect } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/client.ts';

/** Readers who like, read, sell, follow and log in until they are stopped. */

/** The calls that make no changes. */
const QUERIES = new Set(['likers', 'likes of a reader', 'followers']);

export class Load {
  /** The number of answered calls. */
  calls = 0;
  /** The number of calls that request a change. */
  changes = 0;
  /** The calls with a wrong answer. */
  readonly failures: string[] = [];
  #isOver = false;
  readonly #url: string;
  readonly #books: readonly string[];
  readonly #pauseMs: number;
  #running: Promise<unknown> | undefined;

  /**
   * @param url the load balancer
   * @param books the ids of books
   * @param pauseMs the longest time between two calls of a reader
   */
  constructor(url: string, books: readonly string[], pauseMs: number) {
    this.#url = url;
    this.#books = books;
    this.#pauseMs = pauseMs;
  }

  /** Begins to call. */
  async begin(readers: number): Promise<void> {
    const clients = await Promise.all(Array.from({ length: readers }, () => new Client(this.#url).registerSomebody()));
    this.#running = Promise.all(
      clients.map((client, index) =>
        this.#live(client, {
          book: this.#books[index % this.#books.length] ?? '',
          otherId: clients.at(index - 1)?.viewerId ?? '',
          isPrivate: index === 0,
        }),
      ),
    );
  }

  /** Ends when the calls in progress are answered. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** The endless loop of a reader: each change is made and reverted. */
  async #live(
    reader: Client,
    { book, otherId, isPrivate }: { readonly book: string; readonly otherId: string; readonly isPrivate: boolean },
  ): Promise<void> {
    const priceOf = (amount: string) => ({ amount, currency: 'EUR' });
    const copy = { bookId: book, price: priceOf('5'), condition: 'GOOD' };
    const { item } = (await reader.mutate('listItem', copy, 'item { id }')) as { item: { id: string } };
    const itemId = item.id;
    const deeds: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['like', () => reader.mutate('like', { id: book }, 'changed')],
      [
        'likers',
        () => reader.data(`{ node(id: "${book}") { ... on Book { likeCount likers(first: 10) { nodes { id } } } } }`),
      ],
      ['markAsRead', () => reader.mutate('markAsRead', { bookId: book }, 'book { id }')],
      ['changePrice up', () => reader.mutate('changePrice', { itemId, price: priceOf('8') }, 'item { id }')],
      ['follow', () => reader.mutate('follow', { id: otherId }, 'changed')],
      ['followers', () => this.#requireFollowed(reader, otherId)],
      ['unlike', () => reader.mutate('unlike', { id: book }, 'changed')],
      ['unmarkAsRead', () => reader.mutate('unmarkAsRead', { bookId: book }, 'book { id }')],
      ['unfollow', () => reader.mutate('unfollow', { id: otherId }, 'changed')],
      ['changePrice down', () => reader.mutate('changePrice', { itemId, price: priceOf('5') }, 'item { id }')],
      ['login', () => reader.login(reader.email)],
      ...(isPrivate ? this.#privacyOf(reader) : []),
    ];
    while (!this.#isOver) {
      for (const [name, deed] of deeds) {
        await this.#call(name, deed);
        await sleep(Math.random() * this.#pauseMs);
      }
    }
  }

  /**
   * Each of these changes needs a job over all likes of the reader, and costs more than any other.
   */
  #privacyOf(reader: Client): readonly (readonly [string, () => Promise<unknown>])[] {
    const choose = (likes: string) => reader.mutate('updatePrivacy', { likes }, 'viewer { id }');
    return [
      ['hide', () => choose('ONLY_ME')],
      ['show', () => choose('SIGNED_IN')],
      ['likes of a reader', () => this.#requireHidden(reader)],
    ];
  }

  /**
   * Visitors do not see the likes of a reader who restricts them, for any audience that a later
   * release has written.
   */
  async #requireHidden({ viewerId }: Client): Promise<object> {
    const visitor = new Client(this.#url);
    const found = (await visitor.data(
      `{ node(id: "${viewerId}") { ... on User { likes(first: 1) { edges { cursor } } } } }`,
    )) as { readonly node: { readonly likes: unknown } };
    if (found.node.likes !== null) throw new Error('a visitor sees the likes of a reader who hides them');
    return found;
  }

  /** A reader whom only this one follows has one follower. */
  async #requireFollowed(reader: Client, otherId: string): Promise<object> {
    const query = `{ node(id: "${otherId}") { ... on User { viewerFollows followers(first: 2) { totalCount } } } }`;
    const found = (await reader.data(query)) as {
      readonly node: { readonly viewerFollows: boolean; readonly followers: { readonly totalCount: number } };
    };
    const { viewerFollows, followers } = found.node;
    if (!viewerFollows || followers.totalCount !== 1) throw new Error(`A follow is lost: ${JSON.stringify(found)}`);
    return found;
  }

  async #call(name: string, deed: () => Promise<unknown>): Promise<void> {
    try {
      const answer = (await deed()) as { readonly userErrors?: readonly unknown[] };
      if ((answer.userErrors ?? []).length > 0) throw new Error(JSON.stringify(answer.userErrors));
      this.calls++;
      if (!QUERIES.has(name)) this.changes++;
    } catch (error) {
      // The reason of a failed fetch is its cause.
      const { cause = error } = error as Error;
      this.failures.push(`${name}: ${inspect(cause, { depth: 4, breakLength: Infinity })}`);
    }
  }
}
