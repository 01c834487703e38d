import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import pLimit from 'p-limit';
import { REQUEST_ERROR_CODES } from '../../src/graphql/errors.ts';
import { EXPORT_PATH } from '../../src/http/export.ts';
import { IMPORT_PATH } from '../../src/http/import.ts';
import { Chance } from '../support/chance.ts';
import { Client } from '../support/client.ts';
import { Operations } from './operations.ts';
import { nextRequest, type FuzzRequest } from './requests.ts';
import type { Turn } from './turns.ts';
import { Seen } from './values.ts';
import { shownTurn } from './watched.ts';
import { send } from './wire.ts';

/** Sends random requests to a server, and checks its answers. */

const AT_ONCE = 6;
const BATCH = 250;
const READERS = 8;
/** All codes except those of internal errors. */
const ERROR_CODES: readonly string[] = REQUEST_ERROR_CODES.filter((code) => code !== 'INTERNAL_SERVER_ERROR');
const INNARDS = /node_modules|\bat \S+ \(|cassandra-driver|user_by_item|likes_by_user|users_by_|\.ts:\d+/;

/** A fault of the server, and the request that caused it, if it is known. */
export interface Failure {
  readonly what: string;
  readonly request: FuzzRequest | undefined;
}

export interface FuzzReport {
  /** The number of requests. The run ends at the first failure. */
  readonly sent: number;
  /** The number of requests that were answered with data and no error. */
  readonly whole: number;
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * The bytes in the heap of the server after each batch of requests. They include garbage unless
   * it is collected.
   */
  readonly heap: readonly number[];
  readonly failures: readonly Failure[];
}

/** The observer of the server, if there is one. */
export interface Watch {
  readonly turns: readonly Turn[];
  readonly turnMaxMs: number;
  /** Makes the server collect garbage before its memory is measured. */
  readonly collectGarbage: () => Promise<void>;
  /** Called with the number of requests sent. */
  readonly onProgress: (sent: number) => void;
}

/** Sends requests that are generated from a seed and the server's earlier answers. */
export async function fuzz(url: string, seed: number, requests: number, watch?: Watch): Promise<FuzzReport> {
  const schema = buildSchema(await readFile(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const chance = new Chance(seed);
  const seen = new Seen(chance);
  const operations = new Operations(schema, chance, seen);
  const statuses: Record<string, number> = {};
  const failures: Failure[] = [];
  const heap: number[] = [];
  let whole = 0;
  let sent = 0;
  for (let reader = 0; reader < READERS; reader++) await acquaint(url, seen);
  // The first requests also compile the code that they run.
  let judgedTurns = watch?.turns.length ?? 0;

  const limit = pLimit(AT_ONCE);
  let former = new Map<string, FuzzRequest>();
  while (sent < requests && failures.length === 0) {
    const batch = new Map<string, FuzzRequest>();
    await limit.map(Array.from({ length: Math.min(BATCH, requests - sent) }), async () => {
      const id = String(sent + batch.size + 1).padStart(32, '0');
      const request = named(nextRequest(chance, seen, operations), id);
      batch.set(id, request);
      const judged = await judge(url, request, seen);
      statuses[judged.status] = (statuses[judged.status] ?? 0) + 1;
      if (judged.isWhole) whole++;
      if (judged.problem !== undefined) failures.push({ what: judged.problem, request });
    });
    // Requests end sessions, so new readers log in.
    for (let reader = 0; reader < READERS; reader++) await acquaint(url, seen);
    await watch?.collectGarbage();
    heap.push(await heapOf(url));
    const turns = watch?.turns.slice(judgedTurns) ?? [];
    judgedTurns += turns.length;
    for (const turn of turns) {
      if (turn.workMs <= (watch?.turnMaxMs ?? Infinity)) continue;
      const asked = [...former, ...batch].filter(([id]) => turn.requests.some((name) => name.endsWith(id)));
      const among = asked.length === 0 ? [undefined] : asked.map(([, request]) => request);
      failures.push(...among.map((request) => ({ what: `a turn of ${shownTurn(turn)}`, request })));
    }
    former = batch;
    sent += batch.size;
    watch?.onProgress(sent);
  }

  return { sent, whole, statuses, heap, failures };
}

/** Gives a request the id by which the server identifies it. */
const named = (request: FuzzRequest, id: string): FuzzRequest => ({
  ...request,
  headers: { ...request.headers, traceparent: `00-${id}-0000000000000001-00` },
});

/** Makes changes of a new reader, so that there is data to request. */
async function acquaint(url: string, seen: Seen): Promise<void> {
  const reader = await new Client(url).registerSomebody();
  seen.accessTokens.push(reader.token ?? '');
  seen.refreshTokens.push(reader.refreshToken);
  seen.ids.push(reader.viewerId);
  seen.emails.push(reader.email);
  const data = (await reader.data('{ books(query: "the", first: 5) { edges { cursor node { id isbn } } } }')) as {
    books: { edges: { node: { id: string } }[] };
  };
  seen.keep(data);
  for (const { node } of data.books.edges.slice(0, 2)) await reader.like(node.id);
}

async function judge(url: string, request: FuzzRequest, seen: Seen) {
  try {
    const { status, body } = await send(url, request);
    // GraphiQL is nine megabytes of scripts, and an export may be a table.
    if (/^\/(?:graphiql|metrics)/.test(request.path) || (status === 200 && request.path === EXPORT_PATH))
      return { status, isWhole: false };
    const answer = parsed(body);
    seen.keep(request.path.startsWith(IMPORT_PATH) ? answer : (answer as { data?: unknown } | undefined)?.data);
    const isWhole = status === 200 && !(answer as { errors?: unknown } | undefined)?.errors;
    return { status, isWhole, problem: problemOf(status, body, answer) };
  } catch (error) {
    return { status: 'none', isWhole: false, problem: String(error) };
  }
}

/** Returns the value of a JSON text; `undefined` if it is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the problem of an answer, if there is one. */
export function problemOf(status: number, body: string, answer: unknown = parsed(body)): string | undefined {
  const { errors = [] } = (answer ?? {}) as { errors?: { message?: string; extensions?: { code?: string } }[] };
  for (const { message = '', extensions: { code = 'none' } = {} } of errors) {
    if (!ERROR_CODES.includes(code)) return `the code ${code}: ${message}`;
    if (INNARDS.test(message.slice(0, 2_000))) return `a message with internals: ${message}`;
  }
  // A server may always report that it is overloaded.
  const isOverloaded = status === 503 && errors[0]?.extensions?.code === 'OVERLOADED';
  if (status >= 500 && !isOverloaded) return `the status ${status}: ${body.slice(0, 500)}`;
  if (body !== '' && answer === undefined && status !== 0) return `no JSON: ${body.slice(0, 200)}`;
  // An error from before GraphQL is reported in the same way.
  if (body !== '' && status >= 400 && !/^\{"(?:errors|userErrors)":\[/.test(body))
    return `another answer: ${body.slice(0, 200)}`;
  return undefined;
}

async function heapOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]);
}
