import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { buildSchema } from 'graphql';
import pLimit from 'p-limit';
import { Chance } from '../../test/support/chance.ts';
import { acquaint } from './fuzz.ts';
import { Operations, type Operation } from './operations.ts';
import { Seen } from './values.ts';

/** Compares the two ways by which a server answers: a new text goes through Apollo, a known one does not. */

const AT_ONCE = 6;
const BATCH = 250;
const READERS = 4;
/** Headers and fields that the clock or chance decides, whoever answers. */
const HEADERS_BY_CLOCK = new Set(['date', 'ratelimit-reset', 'connection', 'keep-alive']);
const FIELDS_BY_CLOCK = new Set(['asOf', 'resetAt']);

/** An operation that was answered in two ways. */
export interface Difference {
  readonly operation: Operation;
  readonly byApollo: unknown;
  readonly known: unknown;
}

export interface DifferentialReport {
  readonly compared: number;
  /** How many were answered with data and no error. */
  readonly whole: number;
  /** The run ends with the first. */
  readonly differences: readonly Difference[];
}

interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly data?: unknown; readonly errors?: unknown };
}

/**
 * Asks for generated queries twice, and compares status, headers, data and errors.
 * @param onProgress is told how many were compared
 */
export async function compareWays(
  url: string,
  seed: number,
  count: number,
  onProgress: (compared: number) => void = () => undefined,
): Promise<DifferentialReport> {
  const schema = buildSchema(await readFile(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const chance = new Chance(seed);
  const seen = new Seen(chance);
  const operations = new Operations(schema, chance, seen);
  const differences: Difference[] = [];
  let [compared, whole] = [0, 0];
  for (let reader = 0; reader < READERS; reader++) await acquaint(url, seen);

  const limit = pLimit(AT_ONCE);
  while (compared < count && differences.length === 0) {
    const length = Math.min(BATCH, count - compared);
    await limit.map(Array.from({ length }), async () => {
      const operation = operations.makeQuery();
      const token = chance.chance(0.7) ? chance.pick(seen.accessTokens) : undefined;
      const { byApollo, known } = await answersOf(url, operation, token);
      seen.keep(byApollo.body.data);
      if (byApollo.body.data && !byApollo.body.errors) whole++;
      if (!isDeepStrictEqual(byApollo, known)) differences.push({ operation, byApollo, known });
    });
    compared += length;
    onProgress(compared);
  }
  return { compared, whole, differences };
}

async function answersOf(url: string, operation: Operation, token: string | undefined) {
  let byApollo = await ask(url, operation, token);
  let known = await ask(url, operation, token);
  if (isDeepStrictEqual(byApollo, known)) return { byApollo, known };

  // Others may have changed something in between: only a difference that comes again is one of the ways.
  byApollo = await ask(url, { ...operation, query: `${operation.query}\n#` }, token);
  known = await ask(url, operation, token);
  return { byApollo, known };
}

async function ask(url: string, operation: Operation, token: string | undefined): Promise<Answered> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(operation),
  });
  const text = await response.text();
  const body = JSON.parse(text, (name: string, value: unknown) =>
    FIELDS_BY_CLOCK.has(name) ? typeof value : value,
  ) as Answered['body'];
  const headers = [...response.headers].filter(([name]) => !HEADERS_BY_CLOCK.has(name) && name !== 'content-length');
  return { status: response.status, headers, body };
}
