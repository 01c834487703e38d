import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { buildSchema } from 'graphql';
import { Chance } from '../support/chance.ts';
import { Documents, VARYING, type AskedDocument } from './documents.ts';
import { watchStatements } from './statements.ts';
import { CHANGES, World, type Asking, type ServerHere } from './world.ts';

/**
 * Compares the two ways by which a server answers: a text that is new goes through Apollo to graphql-js, one that is known goes the way that
 * production takes. Status, headers, data, errors, the statements sent and what is stored afterwards must be the same.
 */

const SCHEMA = join(import.meta.dirname, '../../schema.graphql');
/** Only a difference that comes each time is one of the ways: a job or a cache may fall between two answers. */
const CONFIRMED = 3;
/** Headers and fields that the clock decides. */
const HEADERS_BY_CLOCK = new Set(['date', 'ratelimit-reset', 'ratelimit-remaining', 'connection', 'keep-alive', 'content-length']); // prettier-ignore
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** An operation that was answered in two ways. */
export interface Difference {
  /** The name of the part that differs. */
  readonly what: string;
  readonly asked: AskedDocument;
  readonly byApollo: unknown;
  readonly known: unknown;
}

export interface DifferentialReport {
  readonly compared: number;
  /** How many were answered with data and no error. */
  readonly whole: number;
  /** How many differed once, but not each time. */
  readonly unsettled: number;
  /** How many of the generated documents were not valid, and were not sent. */
  readonly invalid: number;
  /** The run ends with the first. */
  readonly differences: readonly Difference[];
}

interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly data?: unknown; readonly errors?: readonly { readonly path?: unknown }[] };
  readonly statements: readonly string[];
  /** After a mutation. */
  readonly stored?: unknown;
}

/**
 * Asks for generated operations, first as a new text and then as a known one.
 * @param given `again`: how often a text is asked for once it is known; `onProgress` is told how many operations were compared
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

/** The difference of an operation, where it comes each time. */
async function confirmed(asker: Asker, asked: AskedDocument, who: Asking | undefined): Promise<Difference | undefined> {
  let found: Difference | undefined;
  for (let times = 0; times < CONFIRMED; times++) {
    const byApollo = await asker.answer({ ...asked, query: `${asked.query} ${times}` }, who);
    const known = await asker.answer(asked, who);
    if (isDeepStrictEqual(byApollo, known)) return undefined;
    const parts = (Object.keys(byApollo) as (keyof Answered)[]).filter((part) => !isDeepStrictEqual(byApollo[part], known[part])); // prettier-ignore
    const only = (answered: Answered) => Object.fromEntries(parts.map((part) => [part, answered[part]]));
    found = { what: parts.join(', '), asked, byApollo: only(byApollo), known: only(known) };
  }
  return found;
}

/** The kinds of statements that read. */
const readsIn = (statements: readonly string[]): string[] => [
  ...new Set(statements.filter((text) => text.startsWith('SELECT')).map((text) => text.replace(/ \{.*$/s, ''))),
];

/** Asks a server, and sees what it does. */
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

  /** @param who asks for a query; of a mutation, the changes are undone first */
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
    // Writes are compared as they are stored, because jobs and group commits send other statements each time.
    const statements = changes.length === 0 ? sent : readsIn(sent);
    const settled = (text: string) =>
      JSON.parse(text, (name, value: unknown) => this.#settled(name, value, changes)) as unknown;
    const body = settled(answer) as Answered['body'];
    const headers = [...response.headers].filter(([name]) => !HEADERS_BY_CLOCK.has(name));
    // Which of two fields fails first is chance.
    const errors = body.errors?.toSorted((one, other) => (String(one.path) < String(other.path) ? -1 : 1));
    const answered = { status: response.status, headers, body: errors ? { ...body, errors } : body, statements };
    return changes.length === 0
      ? answered
      : { ...answered, stored: settled(JSON.stringify(await this.#world.probe(asking))) };
  }

  /** A value without what is another one each time. */
  #settled(name: string, value: unknown, changes: readonly string[]): unknown {
    // A page of a query has the same cursors each time.
    if (VARYING.has(name) && (changes.length > 0 || !/cursor/i.test(name))) return typeof value;
    if (typeof value !== 'string' || changes.length === 0) return value;
    return MOMENT.test(value) && Date.parse(value) >= this.#begunAt ? 'a moment of this run' : value;
  }
}
