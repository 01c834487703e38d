import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import pLimit from 'p-limit';
import { REQUEST_ERROR_CODES } from '../../src/graphql/errors.ts';
import { Chance } from '../support/chance.ts';
import { Client } from '../support/client.ts';
import { Operations } from './operations.ts';
import { nextRequest, type FuzzRequest } from './requests.ts';
import { Seen } from './values.ts';
import { send } from './wire.ts';

/** Sends random requests to a server, and checks its answers. */

const AT_ONCE = 6;
const BATCH = 250;
/** The seconds for which a request may keep the server from everything else. */
const HELD_SECONDS_MAX = 0.25;
/**
 * The number of replays. Other processes on the machine hold the server up too, but not every time.
 */
const REPLAYS = 3;
const READERS = 8;
/** All codes but those which say that the server is wrong. */
const ERROR_CODES: readonly string[] = REQUEST_ERROR_CODES.filter((code) => code !== 'INTERNAL_SERVER_ERROR');
const INNARDS = /node_modules|\bat \S+ \(|cassandra-driver|user_by_item|likes_by_user|users_by_|\.ts:\d+/;

/** A request that made the server fail. */
export interface Failure {
  readonly what: string;
  readonly request: FuzzRequest;
}

export interface FuzzReport {
  /** The number of requests. The run ends with the first that fails. */
  readonly sent: number;
  /** The number of requests that were answered with data and no error. */
  readonly whole: number;
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * The bytes that the server keeps in its heap after each batch of requests. They include garbage
   * unless it is collected.
   */
  readonly heap: readonly number[];
  readonly failures: readonly Failure[];
}

/**
 * Sends requests made by seeded chance and from the server's earlier answers.
 * @param collectGarbage lets the server collect it, before its memory is measured
 * @param onProgress called with the number of requests sent
 */
export async function fuzz(
  url: string,
  seed: number,
  requests: number,
  collectGarbage: () => Promise<void> = () => Promise.resolve(),
  onProgress: (sent: number) => void = () => undefined,
): Promise<FuzzReport> {
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

  const limit = pLimit(AT_ONCE);
  while (sent < requests && failures.length === 0) {
    const batch: FuzzRequest[] = [];
    await figuresOf(url);
    await limit.map(Array.from({ length: Math.min(BATCH, requests - sent) }), async () => {
      const request = nextRequest(chance, seen, operations);
      batch.push(request);
      const judged = await judge(url, request, seen);
      statuses[judged.status] = (statuses[judged.status] ?? 0) + 1;
      if (judged.isWhole) whole++;
      if (judged.problem !== undefined) failures.push({ what: judged.problem, request });
    });
    const { heldSeconds } = await figuresOf(url);
    if (heldSeconds > HELD_SECONDS_MAX) failures.push(...(await holdersAmong(url, batch)));
    // Requests end sessions, so new readers log in.
    for (let reader = 0; reader < READERS; reader++) await acquaint(url, seen);
    await collectGarbage();
    heap.push((await figuresOf(url)).heapBytes);
    sent += batch.length;
    onProgress(sent);
  }

  return { sent, whole, statuses, heap, failures };
}

/** Lets a new reader do something, so that there is something to ask for. */
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
    // GraphiQL is nine megabytes of scripts.
    if (request.path.startsWith('/graphiql') || request.path.startsWith('/metrics')) return { status, isWhole: false };
    const answer = parsed(body);
    seen.keep((answer as { data?: unknown } | undefined)?.data);
    const isWhole = status === 200 && !(answer as { errors?: unknown } | undefined)?.errors;
    return { status, isWhole, problem: problemOf(status, body, answer) };
  } catch (error) {
    return { status: 'none', isWhole: false, problem: String(error) };
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function problemOf(status: number, body: string, answer: unknown): string | undefined {
  const { errors = [] } = (answer ?? {}) as { errors?: { message?: string; extensions?: { code?: string } }[] };
  for (const { message = '', extensions: { code = 'none' } = {} } of errors) {
    if (!ERROR_CODES.includes(code)) return `the code ${code}: ${message}`;
    if (INNARDS.test(message.slice(0, 2_000))) return `a message with internals: ${message}`;
  }
  if (status >= 500) return `the status ${status}: ${body.slice(0, 500)}`;
  if (body !== '' && answer === undefined && status !== 0) return `no JSON: ${body.slice(0, 200)}`;
  // An error from before GraphQL is reported in the same way.
  if (body !== '' && status >= 400 && !/^\{"(?:errors|userErrors)":\[/.test(body))
    return `another answer: ${body.slice(0, 200)}`;
  return undefined;
}

interface ServerFigures {
  /** The longest time since the last call in which the event loop did nothing else. */
  readonly heldSeconds: number;
  readonly heapBytes: number;
}

async function figuresOf(url: string): Promise<ServerFigures> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  return {
    heldSeconds: figure('nodejs_eventloop_lag_max_seconds'),
    heapBytes: figure('nodejs_heap_size_used_bytes'),
  };
}

/**
 * Returns those of some requests that hold the server up by themselves, each time that they are
 * sent.
 */
async function holdersAmong(url: string, requests: readonly FuzzRequest[]): Promise<Failure[]> {
  const [request] = requests;
  const isOne = requests.length === 1;
  let heldSeconds = 0;
  for (let replays = 0; replays < (isOne ? REPLAYS : 1); replays++) {
    await figuresOf(url);
    for (const each of requests) await send(url, each).catch(() => undefined);
    ({ heldSeconds } = await figuresOf(url));
    if (heldSeconds <= HELD_SECONDS_MAX) return [];
  }
  if (isOne && request) return [{ what: `it holds the server up for ${heldSeconds} s`, request }];

  const half = Math.ceil(requests.length / 2);
  return [...(await holdersAmong(url, requests.slice(0, half))), ...(await holdersAmong(url, requests.slice(half)))];
}
