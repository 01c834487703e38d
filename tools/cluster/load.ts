import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../support/chance.ts';
import { Client } from '../support/client.ts';
import type { Call } from '../support/history.ts';

/** The time limit of a caller. The outcome of a call without an answer by then is unknown. */
const PATIENCE_MS = 15_000;

export interface Reader {
  readonly id: string;
  readonly token: string;
}

const READERS = 24;
/** The number of readers who follow and block each other, so few that their calls contend. */
const CIRCLE = 6;
/** The number of readers who write a review. */
const AUTHORS = 2;

/** A thing that a reader begins and ends: all of these have the same possible histories. */
export type Relation = 'like' | 'follow' | 'block';

/** The readers and things of a run. */
export interface Cast {
  readonly readers: readonly Reader[];
  /** Those among the readers who follow and block each other, and hide their likes. */
  readonly circle: readonly Reader[];
  /** Those among the readers who wrote a review. The circle follows them; nobody blocks them. */
  readonly authors: readonly Reader[];
  /** The ids of the books, and of the reviews in the order of their authors. */
  readonly books: readonly string[];
  readonly reviews: readonly string[];
}

/** The audiences that readers choose for their likes. */
export const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'FOLLOWERS', 'ONLY_ME'] as const;

/** Registers some readers, several at a time. */
export async function registerAll(url: string, count: number): Promise<Reader[]> {
  const query = `mutation ($email: String!) { register(
    input: { email: $email, password: "a good book", fullName: "Somebody" }
  ) { accessToken viewer { id } } }`;
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { email: `somebody-${index}@example.com` } }),
      });
      const { data } = (await response.json()) as {
        data: { register: { accessToken: string; viewer: { id: string } } };
      };
      return { id: data.register.viewer.id, token: data.register.accessToken };
    }),
  );
}

/** Registers the readers, some of whom write a review. */
export async function makeCast(url: string, books: readonly string[]): Promise<Cast> {
  const readers = await registerAll(url, READERS);
  const authors = readers.slice(CIRCLE, CIRCLE + AUTHORS);
  const reviews: string[] = [];
  for (const { token } of authors) {
    const input = { bookId: books[0], text: 'Good', hasSpoilers: false };
    const author = Object.assign(new Client(url), { token });
    const { review } = (await author.mutate('writeReview', input, 'review { id }')) as { review: { id: string } };
    reviews.push(review.id);
  }
  return { readers, circle: readers.slice(0, CIRCLE), authors, books, reviews };
}

/** The calls of a run and their answers. */
export class Load {
  /** The calls about each relation, by reader and thing or other reader. */
  readonly histories = {
    like: new Map<string, Call[]>(),
    follow: new Map<string, Call[]>(),
    block: new Map<string, Call[]>(),
  };
  readonly outcomes = new Map<string, number>();
  /** Answers that must not occur. */
  readonly problems: string[] = [];
  #isOver = false;
  readonly #chance: Chance;
  readonly #urls: () => readonly string[];
  readonly #cast: Cast;

  constructor(chance: Chance, urls: () => readonly string[], cast: Cast) {
    this.#chance = chance;
    this.#urls = urls;
    this.#cast = cast;
  }

  /** Makes calls until the run is over, several at a time. */
  async run(callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#callForever()));
  }

  end(): void {
    this.#isOver = true;
  }

  async #callForever(): Promise<void> {
    while (!this.#isOver) {
      await this.#callSomething();
      await sleep(this.#chance.random() * 40);
    }
  }

  async #callSomething(): Promise<void> {
    const chance = this.#chance;
    const { readers, circle, authors, books, reviews } = this.#cast;
    const kind = chance.pick(KINDS);
    const who = chance.pick(kind === 'like' ? readers : circle);
    const others = (all: readonly Reader[]) => chance.pick(all.filter(({ id }) => id !== who.id)).id;
    switch (kind) {
      case 'like':
        return this.#call(kind, who, chance.pick([...books, ...reviews]), chance.pick(VERBS));
      case 'follow':
        return this.#call(kind, who, others([...circle, ...authors]), chance.pick(VERBS));
      case 'block':
        return this.#call(kind, who, others(circle), chance.pick(BLOCKING));
      case 'hide':
        this.#note(kind, await this.#ask(who, HIDE, { likes: chance.pick(AUDIENCES) }));
        return;
      case 'look':
        this.#note(kind, await this.#ask(who, LOOK, { ids: [...books, ...reviews] }));
    }
  }

  /** Makes a call about a relation, and adds it to the history unless nothing was done. */
  async #call(relation: Relation, reader: Reader, id: string, verb: Call['verb']): Promise<void> {
    const key = `${reader.id} ${id}`;
    const history = this.histories[relation].get(key) ?? [];
    this.histories[relation].set(key, history);
    const call: Call = { verb, begun: performance.now(), ended: Infinity };
    history.push(call);
    const outcome = await this.#ask(reader, QUERIES[relation][verb], { id });
    this.#note(`${relation}: ${verb}`, outcome);
    const index = history.indexOf(call);
    if (typeof outcome === 'boolean') history[index] = { ...call, ended: performance.now(), answer: outcome };
    else if (NOTHING_DONE.has(outcome)) history.splice(index, 1);
  }

  #note(what: string, outcome: boolean | string): void {
    const known = typeof outcome === 'boolean' ? 'answered' : outcome;
    this.outcomes.set(known, (this.outcomes.get(known) ?? 0) + 1);
    if (!EXPECTED.has(known)) this.problems.push(`${what} was answered ${known}`);
  }

  #ask({ token }: Reader, query: string, variables: object): Promise<boolean | string> {
    return ask(this.#chance.pick(this.#urls()), token, query, variables);
  }
}

const VERBS = ['like', 'like', 'unlike', 'unlike', 'read'] as const;
const BLOCKING = ['like', 'unlike', 'unlike'] as const;
/** The kinds of calls, by their shares. */
const KINDS = Object.entries({ like: 10, follow: 6, block: 1, hide: 1, look: 2 } as const).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as Relation | 'hide' | 'look'),
);

/** The answer about a reader whom a block hides from the caller. */
const HIDDEN = 'hidden';
/** The outcome of a call to a server that was killed before. */
const NO_SERVER = 'no server';
const NOTHING_DONE: ReadonlySet<string> = new Set(['OVERLOADED', HIDDEN, NO_SERVER]);
const EXPECTED: ReadonlySet<string> = new Set(['answered', 'TIMEOUT', 'no answer', ...NOTHING_DONE]);

const changing = (verb: string) =>
  `mutation ($id: ID!) { done: ${verb}(input: { id: $id }) { changed userErrors { code } } }`;

/** The calls that begin, end and read each relation. Blocks are read at the end alone. */
const QUERIES = {
  like: {
    like: changing('like'),
    unlike: changing('unlike'),
    read: 'query ($id: ID!) { node(id: $id) { ... on Likeable { is: viewerHasLiked } } }',
  },
  follow: {
    like: changing('follow'),
    unlike: changing('unfollow'),
    read: 'query ($id: ID!) { node(id: $id) { ... on User { is: viewerFollows } } }',
  },
  block: { like: changing('block'), unlike: changing('unblock'), read: '' },
};

const HIDE = `mutation ($likes: Audience!) { done: updatePrivacy(input: { likes: $likes }) {
  viewer { id } userErrors { code } } }`;

/** The page that a reader looks at. Its fields are compared at the end alone. */
export const LOOK = `query ($ids: [ID!]!) {
  viewer {
    following(first: 20) { totalCount nodes { id } }
    followers(first: 20) { totalCount nodes { id } }
    followerTally { count isExact }
    notifications(first: 10) { nodes { kind count subject { id } } }
  }
  nodes(ids: $ids) {
    ... on Likeable {
      id
      likeTally { count isExact }
      likers(first: 30) { totalCount nodes { id } }
      knownLikers(first: 20) { count isExact nodes { id } }
    }
  }
  feed(first: 100) { edges { at node { kind reader { id } likeable { id } review { id } } } pageInfo { hasNextPage } }
}`;

interface Answer {
  readonly errors?: readonly { extensions: { code: string } }[];
  readonly data?: {
    readonly done?: { changed?: boolean; userErrors: readonly { code: string }[] };
    readonly node?: { is?: boolean } | null;
  };
}

/**
 * @returns the answer, true without one, or the reason why there is none: the code of an error,
 *   that none arrived, or that the thing is hidden
 */
async function ask(url: string, token: string, query: string, variables: object): Promise<boolean | string> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { data, errors } = (await response.json()) as Answer;
    const code = errors?.[0]?.extensions.code ?? data?.done?.userErrors[0]?.code;
    if (code !== undefined) return code === 'NOT_FOUND' ? HIDDEN : code;
    if (data?.node === null) return HIDDEN;
    return data?.done?.changed ?? data?.node?.is ?? true;
  } catch (error) {
    const { cause } = error as Error;
    const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    return isRefused ? NO_SERVER : 'no answer';
  }
}
