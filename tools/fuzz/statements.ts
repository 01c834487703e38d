import { setImmediate as turn } from 'node:timers/promises';
import type { AppContext } from '../../src/context/context.ts';

/** The statements that a process sends. */

/** Tables that a server reads and writes periodically, independent of requests. */
const BY_CLOCK = /\b(?:sessions_by_id|leases|incarnations|transaction_log|dirty_windows|dirty_window_buckets)\b/;
/**
 * The number of turns of the event loop without a statement after which no statement is pending.
 */
const QUIET_TURNS = 3;

type Execute = (statement: string | { query: string }[], values: unknown, ...rest: unknown[]) => Promise<unknown>;

/**
 * Watches the statements that a process sends to Cassandra.
 * @returns a function that waits until no statement is pending, and returns the statements since
 * its last call, with their values, in any order
 */
export function watchStatements({ cassandra: { client } }: AppContext): () => Promise<string[]> {
  let sent: string[] = [];
  let underWay = 0;
  const watched =
    (execute: Execute): Execute =>
    (statement, values, ...rest) => {
      const text = typeof statement === 'string' ? statement : statement.map(({ query }) => query).join('; ');
      if (BY_CLOCK.test(text)) return execute(statement, values, ...rest);
      // Writes have new ids and moments each time, and time ranges may end now.
      const isRead = text.startsWith('SELECT');
      if (isRead) sent.push(...oneByOne(values).map((each) => `${text} ${written(each)}`));
      else sent.push(text);
      underWay++;
      return execute(statement, values, ...rest).finally(() => underWay--);
    };
  Object.assign(client, {
    execute: watched(client.execute.bind(client) as unknown as Execute),
    batch: watched(client.batch.bind(client) as unknown as Execute),
  });
  return async () => {
    // An answer does not wait for all work that was begun for it.
    for (let quiet = 0, before = sent.length; quiet < QUIET_TURNS; before = sent.length) {
      await turn();
      quiet = underWay === 0 && sent.length === before ? quiet + 1 : 0;
    }
    // Two parts of a request read the same row once if they run in one turn of the event loop, and
    // twice if they run in two.
    const all = [...new Set(sent)].toSorted();
    sent = [];
    return all;
  };
}

/**
 * Splits the values of a statement, so that each of its lists has one element. Several parts of a
 * request read their rows by one statement with a list if they run in one turn of the event loop,
 * otherwise by several.
 */
function oneByOne(values: unknown): unknown[] {
  let all = [Object.entries((values ?? {}) as Record<string, unknown>)];
  for (const [index, [name, value]] of (all[0] ?? []).entries())
    if (Array.isArray(value) && value.length > 0)
      all = all.flatMap((entries) => value.map((each: unknown) => entries.with(index, [name, each])));
  return all.map((entries) => Object.fromEntries(entries));
}

/**
 * Writes values as a text, with moments cut to the hour. JSON has no integers of 64 bits, such as
 * prices.
 */
const written = (values: unknown): string =>
  JSON.stringify(values, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)).replaceAll(
    /T(\d\d):[\d:.]+Z/g,
    'T$1',
  );
