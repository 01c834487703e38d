import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { buildSchema } from 'graphql';
import { Chance } from '../support/chance.ts';
import { Documents, VARYING, type AskedDocument } from './documents.ts';
import { watchStatements } from './statements.ts';
import { CHANGES, World, type Asking, type ServerHere } from './world.ts';

/**
 * Compares the two ways in which a server answers: a new text is executed by Apollo and graphql-js,
 * a known one in the way of production. Status, headers, data, errors, the statements sent and the
 * stored values afterwards must be the same.
 */

const SCHEMA = join(import.meta.dirname, '../../schema.graphql');
/**
 * The number of times that a difference must repeat. A job or a cache may change between two
 * answers by chance.
 */
const CONFIRMED = 3;
/** Headers that depend on the clock, or are unique for each request. */
const HEADERS_OF_A_MOMENT = new Set([
  'date',
  'ratelimit-reset',
  'ratelimit-remaining',
  'x-request-id',
  'connection',
  'keep-alive',
  'content-length',
]);
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** An operation that was answered in two ways. */
export interface Difference {
  /** The name of the different part. */
  readonly what: string;
  readonly asked: AskedDocument;
  readonly byApollo: unknown;
  readonly known: unknown;
}

export interface DifferentialReport {
  readonly compared: number;
  /** The number of operations that were answered with data and no error. */
  readonly whole: number;
  /** The number of operations that differed once, but not each time. */
  readonly unsettled: number;
  /** The number of generated documents that were not valid, and not sent. */
  readonly invalid: number;
  /** The differences. The run ends with the first. */
  readonly differences: readonly Difference[];
}

interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly data?: unknown; readonly errors?: readonly { readonly path?: unknown }[] };
  readonly statements: readonly string[];
  /** The stored values after a mutation. */
  readonly stored?: unknown;
}

/**
 * Sends generated operations, first as a new text and then as a known one.
 * @param given `again`: the number of times that a known text is sent; `onProgress` is called with
 * the number of operations compared
 */
export async function compareWays(
  server: ServerHere,
  seed: number,
  count: number,
  given: { readonly again?: number; readonly onProgress?: (compared: number) => void } = {},
): Promise<DifferentialReport> {
  const schema = buildSchema(await readFile(SCHEMA, 'utf8'));
  const chance = new Chance(seed);
  const world = await World.make(server, chance);
  const documents = new Documents(schema, chance, world.seen, world.changed, CHANGES);
  const asker = new Asker(server, world);
  const differences: Difference[] = [];
  let [compared, whole, unsettled] = [0, 0, 0];

  while (compared < count && differences.length === 0) {
    const made = documents.make();
    const asked = { ...made, query: `${made.query}\n# ${seed} ${compared}` };
    const who = asked.changes.length === 0 ? world.somebody(chance) : undefined;
    const byApollo = await asker.answer(asked, who);
    if (asked.changes.length === 0) world.seen.keep(byApollo.body.data);
    if (byApollo.body.data && !byApollo.body.errors) whole++;
    for (let times = 0; times < (given.again ?? 1); times++) {
      const known = await asker.answer(asked, who);
      if (isDeepStrictEqual(byApollo, known)) continue;
      const difference = await confirmed(asker, asked, who);
      if (difference) differences.push(difference);
      else unsettled++;
      break;
    }
    compared++;
    given.onProgress?.(compared);
  }
  return { compared, whole, unsettled, invalid: documents.invalid, differences };
}

/** Returns the difference of an operation, if it occurs each time. */
async function confirmed(asker: Asker, asked: AskedDocument, who: Asking | undefined): Promise<Difference | undefined> {
  let found: Difference | undefined;
  for (let times = 0; times < CONFIRMED; times++) {
    const byApollo = await asker.answer({ ...asked, query: `${asked.query} ${times}` }, who);
    const known = await asker.answer(asked, who);
    if (isDeepStrictEqual(byApollo, known)) return undefined;
    const parts = (Object.keys(byApollo) as (keyof Answered)[]).filter(
      (part) => !isDeepStrictEqual(byApollo[part], known[part]),
    );
    const only = (answered: Answered) => Object.fromEntries(parts.map((part) => [part, answered[part]]));
    found = { what: parts.join(', '), asked, byApollo: only(byApollo), known: only(known) };
  }
  return found;
}

/** Returns the kinds of read statements. */
const readsIn = (statements: readonly string[]): string[] => [
  ...new Set(statements.filter((text) => text.startsWith('SELECT')).map((text) => text.replace(/ \{.*$/s, ''))),
];

/** Sends operations to a server, and watches its statements. */
class Asker {
  readonly #server: ServerHere;
  readonly #world: World;
  readonly #statements: () => Promise<string[]>;
  readonly #begunAt = Date.now();

  constructor(server: ServerHere, world: World) {
    this.#server = server;
    this.#world = world;
    this.#statements = watchStatements(server.app);
  }

  /** @param who the caller of a query; for a mutation, the changes are undone first */
  async answer(
    { query, operationName, variables, changes }: AskedDocument,
    who: Asking | undefined,
  ): Promise<Answered> {
    const asking = who ?? (await this.#world.beforeChanges(changes));
    await this.#statements();
    const response = await fetch(`${this.#server.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(asking.token !== undefined && { authorization: `Bearer ${asking.token}` }),
      },
      body: JSON.stringify({ query, operationName, variables }),
    });
    const answer = await response.text();
    const sent = await this.#statements();
    // Writes are compared by the stored values, because jobs and group commits send different
    // statements each time.
    const statements = changes.length === 0 ? sent : readsIn(sent);
    const settled = (text: string) =>
      JSON.parse(text, (name, value: unknown) => this.#settled(name, value, changes)) as unknown;
    const body = settled(answer) as Answered['body'];
    const headers = [...response.headers].filter(([name]) => !HEADERS_OF_A_MOMENT.has(name));
    // The first of two fields to fail is random.
    const errors = body.errors?.toSorted((one, other) => (String(one.path) < String(other.path) ? -1 : 1));
    const answered = { status: response.status, headers, body: errors ? { ...body, errors } : body, statements };
    return changes.length === 0
      ? answered
      : { ...answered, stored: settled(JSON.stringify(await this.#world.probe(asking))) };
  }

  /** Removes the parts of a value that differ each time. */
  #settled(name: string, value: unknown, changes: readonly string[]): unknown {
    // A page of a query has the same cursors each time.
    if (VARYING.has(name) && (changes.length > 0 || !/cursor/i.test(name))) return typeof value;
    if (typeof value !== 'string' || changes.length === 0) return value;
    return MOMENT.test(value) && Date.parse(value) >= this.#begunAt ? 'a moment of this run' : value;
  }
}
