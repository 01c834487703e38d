import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { rows, write } from '../cassandra/statement.ts';
import { perProcess, type AppContext, type Caller, type RateLimit } from '../context/context.ts';
import { RateLimitedError } from '../graphql/errors.ts';
import { hashedAddress } from './addresses.ts';
import { selectCosts, updateCost } from './tables.ts';
import { beginningOf, MINUTE_MS } from '../time/units.ts';

/**
 * The cost of each caller's requests within a minute. Each server counts its own answers and
 * exchanges counts with the others about once a second. So all servers together may exceed the
 * limit by the answers of a second.
 */

const CALLERS_MAX = 50_000;
const SERVERS_MAX = 1_000;
const AT_ONCE = 16;

interface Counted {
  readonly minute: number;
  own: number;
  /** The cost of the other servers' answers, as of the last exchange. */
  others: number;
  /** The part of `own` that the other servers can read. */
  published: number;
}

/**
 * The limit of an address, as a number of readers' limits. All readers at the address share it, so
 * that a caller with many accounts gets no more.
 */
export const READERS_PER_ADDRESS = 10;

/**
 * Counts the bytes of clicks that a caller records.
 * @throws {RateLimitedError} over the limit per minute
 */
export function countClickBytes(app: AppContext, { viewerId, address }: Caller, bytes: number): void {
  const { clickBytesPerMinute } = app.config;
  if (clickBytesPerMinute === 0) return;

  const now = app.clock();
  const caller = `clicks ${viewerId ?? hashedAddress(app.config, address)}`;
  const limit = viewerId === null ? clickBytesPerMinute * READERS_PER_ADDRESS : clickBytesPerMinute;
  const { isTooMuch, rateLimit } = requestCosts(app).take(caller, bytes, limit, now);
  if (!isTooMuch) return;

  const kib = String(clickBytesPerMinute / 1_024);
  const why = `A reader can record ${kib} KiB of targets and properties of clicks within a minute; send fewer at once.`;
  throw new RateLimitedError(why, Math.ceil((rateLimit.resetAt.getTime() - now.getTime()) / 1_000));
}

/** The request costs of this process's callers. */
export const requestCosts = perProcess(({ randomId }) => new RequestCosts(randomId()));

/** Counts the request costs of one server. */
class RequestCosts {
  readonly #serverId: string;
  readonly #callers = new LRUCache<string, Counted>({ max: CALLERS_MAX });

  constructor(serverId: string) {
    this.#serverId = serverId;
  }

  /**
   * Charges a cost to a caller if their remaining allowance covers it.
   * @param caller a reader's id or a hashed address
   * @param limit the allowance per minute
   * @returns the remaining allowance; nothing was charged if `isTooMuch`
   */
  take(caller: string, cost: number, limit: number, now: Date): { isTooMuch: boolean; rateLimit: RateLimit } {
    const minute = beginningOf(now.getTime(), MINUTE_MS);
    let counted = this.#callers.get(caller);
    if (counted?.minute !== minute) {
      counted = { minute, own: 0, others: 0, published: 0 };
      this.#callers.set(caller, counted);
    }
    const isTooMuch = counted.own + counted.others + cost > limit;
    if (!isTooMuch) counted.own += cost;
    const remaining = Math.max(0, limit - counted.own - counted.others);
    return { isTooMuch, rateLimit: { limit, remaining, cost, resetAt: new Date(minute + MINUTE_MS) } };
  }

  /** Publishes the counts of this server to the others, and reads theirs. */
  async exchange({ cassandra, clock }: AppContext): Promise<void> {
    const now = clock().getTime();
    const news = [...this.#callers.entries()].filter(
      ([, { minute, own, published }]) => own > published && now < minute + MINUTE_MS,
    );
    await pLimit(AT_ONCE).map(news, async ([caller, counted]) => {
      const { own } = counted;
      const key = { caller, minute: new Date(counted.minute) };
      await write(cassandra, updateCost, { ...key, server_id: this.#serverId, cost: own });
      counted.published = own;
      const all = await rows(cassandra, selectCosts, { ...key, rows_max: SERVERS_MAX });
      const others = all.filter(({ server_id }) => server_id !== this.#serverId);
      counted.others = others.reduce((sum, { cost }) => sum + cost, 0);
    });
  }
}
