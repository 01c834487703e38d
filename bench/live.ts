import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { say } from '../src/terminal/progress.ts';
import { World } from '../tools/simulation/world.ts';
import { machine, makeReaders, percentile, withBench, type Bench } from './bench.ts';
import { ask, prepared, subscribe } from './http.ts';
import { processorSecondsOf, residentMebibytesOf } from './processor.ts';

/**
 * `npm run bench -- live`: measures how old the like counts are that subscribers are shown. Many
 * connections to one server watch 20 books each, while readers like some of these and take that
 * back. One connection in a hundred is never read. It exits with 1 if a subscriber is shown an
 * older version after a newer one, or anything else than `likeTally` at the end.
 * `--connections N`, `--seconds N` and `--likes N` (a second) change the load.
 */

const WATCHED_EACH = 20;
/** The number of books that subscribers watch, each of them equally many. */
const BOOKS = 2_000;
const READERS = 200;
const SLOW_ONE_IN = 100;
const OPENED_AT_ONCE = 50;
const REST_MS = 3_000;
const LOOKS = 6;

const LIVE = `subscription ($ids: [ID!]!) {
  likeTallies(ids: $ids) { changes { id likeTally { count version } } }
}`;
const CHANGE = (verb: string) =>
  `mutation ($id: ID!) { ${verb}(input: { id: $id }) { likeable { likeTally { version } } userErrors { code } } }`;
const TALLIES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Likeable { likeTally { count version } } } }';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '60' },
    likes: { type: 'string', default: '50' },
  },
});
const [connections, seconds, likesPerSecond] = [values.connections, values.seconds, values.likes].map(Number) as [
  number,
  number,
  number,
];

interface Tally {
  readonly count: number;
  readonly version: number;
}

/** A change of a book that was answered, and which subscribers have been shown it. */
interface Answered {
  readonly id: string;
  readonly version: number;
  readonly at: number;
}

interface Event {
  readonly data?: { readonly likeTallies: { readonly changes: readonly { id: string; likeTally: Tally }[] } };
}

/** A connection that watches books. */
class Watcher {
  readonly ids: readonly string[];
  readonly shown = new Map<string, Tally>();
  readonly #socket: Socket;
  /** The number of events that showed an older version than the one before. */
  older = 0;
  events = 0;
  /** The error that has ended the subscription. */
  error: string | undefined;

  constructor(url: string, ids: readonly string[], onShown: (watcher: Watcher, id: string, before: number) => void) {
    this.ids = ids;
    this.#socket = subscribe(prepared(url, '', LIVE, { ids }), (data) => {
      this.#take(data, onShown);
    });
  }

  /** Waits until all books are shown. */
  async ready(): Promise<void> {
    while (this.shown.size < this.ids.length) await sleep(20);
  }

  stopReading(): void {
    this.#socket.pause();
  }

  #take(data: string, onShown: (watcher: Watcher, id: string, before: number) => void): void {
    this.events++;
    const event = JSON.parse(data) as Event;
    if (!event.data) {
      this.error = data;
      return;
    }
    for (const { id, likeTally } of event.data.likeTallies.changes) {
      const before = this.shown.get(id)?.version ?? -1;
      if (likeTally.version < before) this.older++;
      this.shown.set(id, likeTally);
      onShown(this, id, before);
    }
  }
}

say(machine());
await withBench(1, async (bench) => {
  const server = await bench.startServer({
    CONNECTIONS_MAX: String(connections + 1_000),
    SUBSCRIPTIONS_MAX: String(connections),
    SUBSCRIPTIONS_PER_ADDRESS: String(connections),
  });
  if (!(await live(bench, server.url, server.process.pid ?? 0))) process.exitCode = 1;
});
process.exit();

async function live({ app, bookIds }: Bench, url: string, pid: number): Promise<boolean> {
  const world = new World(1);
  const books = bookIds.slice(0, BOOKS);
  const pick = <Item>(items: readonly Item[]) => {
    const item = items[Math.floor(world.random() * items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  };
  const answered = new Map<string, Answered[]>();
  const ages: number[] = [];
  const onShown = ({ shown }: Watcher, id: string, before: number) => {
    const now = performance.now();
    const version = shown.get(id)?.version ?? 0;
    for (const change of answered.get(id) ?? [])
      if (change.version > before && change.version <= version) ages.push(Math.max(0, now - change.at));
  };

  const begunAt = performance.now();
  const openings = pLimit(OPENED_AT_ONCE);
  const watchers = await openings.map(Array.from({ length: connections }), async () => {
    const ids = new Set<string>();
    while (ids.size < WATCHED_EACH) ids.add(pick(books));
    const watcher = new Watcher(url, [...ids], onShown);
    await watcher.ready();
    return watcher;
  });
  say(`${watchers.length} connections are open after ${((performance.now() - begunAt) / 1_000).toFixed(1)} s`);
  const slow = watchers.filter((_watcher, index) => index % SLOW_ONE_IN === 0);
  for (const watcher of slow) watcher.stopReading();
  const reading = watchers.filter((watcher) => !slow.includes(watcher));

  const readers = await makeReaders(app, READERS);
  const change = async () => {
    const id = pick(books);
    const { token } = pick(readers);
    const verb = world.random() < 0.7 ? 'like' : 'unlike';
    const answer = await ask<Record<string, { likeable: { likeTally: Tally } }>>(url, token, CHANGE(verb), { id });
    const version = answer[verb]?.likeable.likeTally.version ?? 0;
    answered.set(id, [...(answered.get(id) ?? []).slice(-20), { id, version, at: performance.now() }]);
  };
  await sleep(REST_MS);
  const changes: Promise<void>[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const [cpu, from] = [processorSecondsOf(pid), performance.now()];
    const eventsBefore = reading.reduce((sum, { events }) => sum + events, 0);
    const end = from + (seconds * 1_000) / LOOKS;
    for (let due = from; due < end; due += 1_000 / likesPerSecond) {
      await sleep(Math.max(0, due - performance.now()));
      changes.push(change());
    }
    const took = (performance.now() - from) / 1_000;
    const events = reading.reduce((sum, each) => sum + each.events, 0) - eventsBefore;
    say(
      `  ${(events / took).toFixed(0)} events a second, ${((processorSecondsOf(pid) - cpu) / took).toFixed(2)} cores, ` +
        `${residentMebibytesOf(pid).toFixed(0)} MiB; shown after ${shownAges(ages.splice(0))}`,
    );
  }
  await Promise.all(changes);
  await sleep(REST_MS);
  return isRight(url, books, reading);
}

function shownAges(ages: readonly number[]): string {
  const most = ages.reduce((one, other) => Math.max(one, other), 0);
  return `${percentile(ages, 50).toFixed(0)} ms (p50), ${percentile(ages, 99).toFixed(0)} ms (p99), ${most.toFixed(0)} ms (most)`;
}

/** Compares the tallies that subscribers are shown with the tallies, once nothing changes. */
async function isRight(url: string, books: readonly string[], watchers: readonly Watcher[]): Promise<boolean> {
  const tallies = new Map<string, Tally>();
  for (let from = 0; from < books.length; from += 100) {
    const ids = books.slice(from, from + 100);
    const { nodes } = await ask<{ nodes: { likeTally: Tally }[] }>(url, '', TALLIES, { ids });
    for (const [index, node] of nodes.entries()) tallies.set(ids[index] ?? '', node.likeTally);
  }
  const errors = watchers.flatMap(({ error }) => error ?? []);
  if (errors.length > 0) say(`${errors.length} subscriptions have ended, one with ${errors[0]}`);
  const older = watchers.reduce((sum, each) => sum + each.older, 0);
  const wrong = watchers.flatMap(({ shown }) =>
    [...shown].filter(
      ([id, { count, version }]) => tallies.get(id)?.count !== count || tallies.get(id)?.version !== version,
    ),
  );
  say(`${older} events showed an older version than before; ${wrong.length} tallies are wrong at the end`);
  return errors.length + older + wrong.length === 0;
}
