import { LIKE } from '../bench.ts';
import { prepared, send } from '../http.ts';
import type { Reader } from '../../tools/cluster/load.ts';
import { Chance } from '../../tools/support/chance.ts';

/** A low and constant load of all kinds of changes, whether or not earlier ones are answered. */

const UNLIKE = 'mutation ($id: ID!) { unlike(input: { id: $id }) { userErrors { code } } }';
const MARK_AS_READ = 'mutation ($id: ID!) { markAsRead(input: { bookId: $id }) { userErrors { code } } }';
const LIST_ITEM = `mutation ($id: ID!) {
  listItem(input: { bookId: $id, price: { amount: "4.50", currency: "EUR" }, condition: GOOD }) { item { id } userErrors { code } } }`;
const WITHDRAW = 'mutation ($id: ID!) { withdrawItem(input: { itemId: $id }) { userErrors { code } } }';
const RENAME = 'mutation ($name: String!) { updateProfile(input: { fullName: $name }) { userErrors { code } } }';

/**
 * The number of changes of each kind among 20. The jobs of a rename visit all likes and copies of
 * its reader.
 */
const SHARES = { like: 7, unlike: 3, read: 5, list: 3, withdraw: 1, rename: 1 };
const KINDS = Object.entries(SHARES).flatMap(([kind, share]) => Array.from({ length: share }, () => kind));

/** Any names can be used, but every rename must change the name. */
const NAMES = 1_000_000;
const SEED = 1;

/** A copy and its seller. */
interface Copy {
  readonly id: string;
  readonly token: string;
}

interface Listed {
  readonly listItem?: { readonly item?: { readonly id: string } | null } | null;
}

/** Changes that arrive at a steady rate. */
export class SteadyLoad {
  /** The number of calls with each outcome, since {@link takeOutcomes}. */
  #outcomes = new Map<string, number>();
  readonly #under = new Set<Promise<void>>();
  readonly #chance = new Chance(SEED);
  readonly #copies: Copy[] = [];
  readonly #urls: () => readonly string[];
  readonly #readers: readonly Reader[];
  readonly #bookIds: readonly string[];
  readonly #timer: NodeJS.Timeout;

  /**
   * Begins the load.
   * @param perSecond changes a second
   * @param urls returns the servers to call now, one after the other
   */
  constructor(
    perSecond: number,
    urls: () => readonly string[],
    readers: readonly Reader[],
    bookIds: readonly string[],
  ) {
    this.#urls = urls;
    this.#readers = readers;
    this.#bookIds = bookIds;
    this.#timer = setInterval(() => {
      const call = this.#call().finally(() => this.#under.delete(call));
      this.#under.add(call);
    }, 1_000 / perSecond);
  }

  /** Returns the number of calls with each outcome since the last call of this function. */
  takeOutcomes(): ReadonlyMap<string, number> {
    const taken = this.#outcomes;
    this.#outcomes = new Map();
    return taken;
  }

  /** Ends the load, and waits for the calls in progress. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#under);
  }

  async #call(): Promise<void> {
    const { token } = this.#chance.pick(this.#readers);
    const id = this.#chance.pick(this.#bookIds);
    switch (this.#chance.pick(KINDS)) {
      case 'like':
        return void (await this.#send(token, LIKE, { id }));
      case 'unlike':
        return void (await this.#send(token, UNLIKE, { id }));
      case 'read':
        return void (await this.#send(token, MARK_AS_READ, { id }));
      case 'rename':
        return void (await this.#send(token, RENAME, { name: `Reader ${String(this.#chance.below(NAMES))}` }));
      case 'withdraw': {
        const copy = this.#copies.shift();
        return void (copy && (await this.#send(copy.token, WITHDRAW, { id: copy.id })));
      }
      default: {
        const listed = (await this.#send(token, LIST_ITEM, { id })) as Listed | undefined;
        const itemId = listed?.listItem?.item?.id;
        if (itemId !== undefined) this.#copies.push({ id: itemId, token });
      }
    }
  }

  /** @returns the data, if there is any */
  async #send(token: string, query: string, variables: Record<string, unknown>): Promise<unknown> {
    try {
      const { body } = await send(prepared(this.#chance.pick(this.#urls()), token, query, variables));
      const { data, errors } = JSON.parse(body) as {
        data?: Record<string, { userErrors: unknown[] } | null>;
        errors?: { extensions: { code: string } }[];
      };
      const userErrors = Object.values(data ?? {}).flatMap((payload) => payload?.userErrors ?? []);
      this.#note(errors?.[0]?.extensions.code ?? (userErrors.length > 0 ? 'a user error' : 'done'));
      return data;
    } catch {
      this.#note('no answer');
      return undefined;
    }
  }

  #note(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }
}
