import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../support/history.ts';

/** The time limit of a caller. The outcome of a call without an answer by then is unknown. */
const PATIENCE_MS = 15_000;

export interface Reader {
  readonly id: string;
  readonly token: string;
}

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

/** The calls of a run and their answers, by reader and likeable. */
export class Load {
  readonly histories = new Map<string, Call[]>();
  readonly outcomes = new Map<string, number>();
  /** Answers that must not occur. */
  readonly problems: string[] = [];
  #isOver = false;
  readonly #urls: () => readonly string[];
  readonly #readers: readonly Reader[];
  readonly #likeableIds: readonly string[];

  constructor(urls: () => readonly string[], readers: readonly Reader[], likeableIds: readonly string[]) {
    this.#urls = urls;
    this.#readers = readers;
    this.#likeableIds = likeableIds;
  }

  /** Makes calls until the run is over, several at a time. */
  async run(callers: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#callForever()));
  }

  end(): void {
    this.#isOver = true;
  }

  /** Reads the state of every pair once more, as the end of its history. */
  async readAll(): Promise<void> {
    for (const key of this.histories.keys()) {
      const [readerId, likeableId = ''] = key.split(' ');
      const reader = this.#readers.find(({ id }) => id === readerId);
      if (reader) await this.#call(reader, likeableId, 'read');
    }
  }

  async #callForever(): Promise<void> {
    while (!this.#isOver) {
      await this.#call(
        pick(this.#readers),
        pick(this.#likeableIds),
        pick(['like', 'like', 'unlike', 'unlike', 'read']),
      );
      await sleep(Math.random() * 40);
    }
  }

  async #call(reader: Reader, likeableId: string, verb: Call['verb']): Promise<void> {
    const key = `${reader.id} ${likeableId}`;
    const history = this.histories.get(key) ?? [];
    this.histories.set(key, history);
    const begun = performance.now();
    const index = history.push({ verb, begun, ended: Infinity }) - 1;
    const outcome = await ask(pick(this.#urls()), reader.token, likeableId, verb);
    const known = typeof outcome === 'boolean' ? 'answered' : outcome;
    this.outcomes.set(known, (this.outcomes.get(known) ?? 0) + 1);
    if (typeof outcome === 'boolean') history[index] = { verb, begun, ended: performance.now(), answer: outcome };
    // Nothing was done, so the call is treated as a read with an unknown answer.
    else if (outcome === 'OVERLOADED') history[index] = { verb: 'read', begun, ended: Infinity };
    else if (outcome !== 'TIMEOUT' && outcome !== 'no answer') this.problems.push(`${verb} was answered ${outcome}`);
  }
}

const QUERIES = {
  like: 'mutation ($id: ID!) { like(input: { id: $id }) { changed userErrors { code } } }',
  unlike: 'mutation ($id: ID!) { unlike(input: { id: $id }) { changed userErrors { code } } }',
  read: 'query ($id: ID!) { node(id: $id) { ... on Book { viewerHasLiked } } }',
};

interface Answer {
  readonly errors?: readonly { extensions: { code: string } }[];
  readonly data?: {
    readonly like?: { changed: boolean; userErrors: unknown[] };
    readonly unlike?: { changed: boolean; userErrors: unknown[] };
    readonly node?: { viewerHasLiked: boolean };
  };
}

/**
 * @returns the answer, or the reason why there is none: the code of an error, or that none arrived
 */
async function ask(url: string, token: string, id: string, verb: Call['verb']): Promise<boolean | string> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: QUERIES[verb], variables: { id } }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { data, errors } = (await response.json()) as Answer;
    const code = errors?.[0]?.extensions.code;
    if (code !== undefined) return code;
    const payload = data?.like ?? data?.unlike;
    if (payload && payload.userErrors.length > 0) return 'a user error';
    return payload?.changed ?? data?.node?.viewerHasLiked ?? 'nothing at all';
  } catch {
    return 'no answer';
  }
}

/** Picks an item at random. */
export function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('cannot pick from an empty list');
  return item;
}
