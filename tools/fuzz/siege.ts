import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setAdministrator } from '../../src/accounts/operations.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { say } from '../../src/terminal/progress.ts';
import { Chance } from '../support/chance.ts';
import { Client } from '../support/client.ts';
import { ATTACKS, type Attacker } from './attacks.ts';
import { problemOf } from './fuzz.ts';
import { OrdinaryReader } from './ordinary-reader.ts';
import type { Probe } from './prober.ts';
import type { FuzzRequest } from './requests.ts';
import { longestOf, shownPauses, shownTurn, type WatchedServer } from './watched.ts';
import { send } from './wire.ts';

/**
 * All attacks at once by some readers, while another reader likes and pages and a process checks
 * the health of the server.
 */

const PROBER = join(import.meta.dirname, 'prober.ts');
const HEALTH_MS_MAX = 100;
const KEPT_OUT_SECONDS_MAX = 60;
const PAUSE_MS = 200;
const REFUSED_MS = 10_000;
const REPORTED_EVERY_MS = 60_000;
const PROBLEMS_TOLD = 20;
const MIB = 2 ** 20;

/** How a siege is laid. */
export interface SiegePlan {
  readonly seed: number;
  readonly minutes: number;
  /** The number of attackers, each with all attacks at once. */
  readonly readers: number;
  /** The names of the attacks. */
  readonly attacks: readonly string[];
}

/**
 * Attacks a server.
 * @returns the faults of the server
 */
export async function siege(app: AppContext, watched: WatchedServer, plan: SiegePlan): Promise<string[]> {
  const { url } = watched.server;
  const chance = new Chance(plan.seed);
  const until = performance.now() + plan.minutes * 60_000;
  const isOver = () => performance.now() > until || watched.endedBy !== undefined;
  const administrator = await new Client(url).from('10.8.8.8').registerSomebody('Administrator');
  await setAdministrator(requestContext(app, ANONYMOUS), administrator.email, true);
  const books = await popularBooks(administrator);
  const ordinary = await new Client(url).from('10.9.9.9').registerSomebody('Ordinary');
  const ordinaryReader = new OrdinaryReader(ordinary, books, new Chance(chance.below(2 ** 31)), isOver);
  const answers = new Answers();
  const probes: Probe[] = [];
  const prober = fork(PROBER, [url], { execArgv: [] }).on('message', (sent) => probes.push(...(sent as Probe[])));

  const attackers: Promise<unknown>[] = [];
  for (let number = 0; number < plan.readers; number++) {
    const reader = await Account.open(url, number);
    for (const name of plan.attacks) {
      const own = new Chance(chance.below(2 ** 31));
      const by = { url, chance: own, books, administrator, readers: plan.readers, imports: reader.imports };
      attackers.push(attack(name, { ...by, reader, answers, watched, isOver }));
    }
  }
  const reporting = report(isOver, () => {
    const { heap = 0, rss = 0 } = watched.memory.at(-1) ?? {};
    say(
      `${shownHealth(probes.slice(-2 * 50 * 60))}; ` +
        `heap ${(heap / MIB).toFixed(0)} MiB, RSS ${(rss / MIB).toFixed(0)} MiB; ${ordinaryReader.likes} likes`,
    );
  });
  const broken = await ordinaryReader.run().then(
    () => [],
    (error: unknown) => (watched.endedBy === undefined ? [String(error)] : []),
  );
  await Promise.all([...attackers, reporting]);
  prober.disconnect();
  return verdict(watched, plan, { probes, answers, ordinaryReader, broken });
}

async function popularBooks(reader: Client): Promise<string[]> {
  const pages = (await reader.data('{ books(first: 100) { nodes { id } } }')) as {
    readonly books: { readonly nodes: readonly { readonly id: string }[] };
  };
  return pages.books.nodes.map(({ id }) => id);
}

/** The answers of a siege, counted. */
class Answers {
  readonly counts = new Map<string, Map<string, number>>();
  readonly problems = new Map<string, number>();

  count(attack: string, answer: string): void {
    const of = this.counts.get(attack) ?? new Map<string, number>();
    this.counts.set(attack, of.set(answer, (of.get(answer) ?? 0) + 1));
  }

  problem(what: string): void {
    this.problems.set(what, (this.problems.get(what) ?? 0) + 1);
  }
}

/** The account of an attacker. Another one takes its place when its imports are used up. */
class Account {
  client: Client;
  readonly imports: string[] = [];
  #renewing: Promise<void> | undefined;
  readonly #place: number;

  private constructor(client: Client, place: number) {
    this.client = client;
    this.#place = place;
  }

  static async open(url: string, place: number): Promise<Account> {
    return new Account(await new Client(url).from(`10.1.0.${place}`).registerSomebody(), place);
  }

  /** Registers another account once the imports of this one are done. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const found = await this.client.send('{ viewer { libraryImports(first: 20) { nodes { status } } } }');
    const { viewer } = (found.data ?? {}) as {
      viewer?: { readonly libraryImports: { readonly nodes: readonly ({ readonly status: string } | null)[] } };
    };
    if (viewer?.libraryImports.nodes.some((node) => node?.status === 'RUNNING' || node?.status === 'UNDOING')) return;
    const { url } = this.client;
    const from = new Client(url).from(`10.1.0.${this.#place}`);
    // The number of accounts per address and hour is limited.
    const client = await from.registerSomebody().catch(() => undefined);
    if (!client) {
      await sleep(REFUSED_MS);
      return;
    }
    this.client = client;
    this.imports.length = 0;
  }
}

type Attack = Omit<Attacker, 'client' | 'send'> & {
  readonly reader: Account;
  readonly answers: Answers;
  readonly watched: WatchedServer;
  readonly isOver: () => boolean;
};

/** Repeats an attack until the siege is over. */
async function attack(name: string, { reader, answers, watched, isOver, ...by }: Attack): Promise<void> {
  const judged = async (request: FuzzRequest): Promise<string> => {
    const { status, body } = await send(by.url, request);
    const codes = [...new Set(body.slice(0, 20_000).match(/"code":"[A-Z_]+"/g) ?? [])].join(' ');
    answers.count(name, `${status} ${codes}`.trim());
    const isTable = status === 200 && request.path === '/export-my-data';
    const problem = isTable ? undefined : problemOf(status, body);
    if (problem !== undefined) answers.problem(`${name}: ${problem.slice(0, 300)} of ${request.path.slice(0, 100)}`);
    if (status === 401 || (codes.includes('RATE_LIMITED') && request.path.startsWith('/import'))) await reader.renew();
    return body;
  };
  while (!isOver()) {
    const attacker = { ...by, client: reader.client, send: judged };
    await ATTACKS[name]?.(attacker).catch((error: unknown) => {
      if (watched.endedBy === undefined) answers.problem(`${name}: ${String(error)}`);
    });
    await sleep(by.chance.below(PAUSE_MS));
  }
}

/** Prints the state of the siege every minute until it is over. */
async function report(isOver: () => boolean, tell: () => void): Promise<void> {
  let told = performance.now();
  while (!isOver()) {
    await sleep(1_000);
    if (performance.now() - told < REPORTED_EVERY_MS) continue;
    told = performance.now();
    tell();
  }
}

const part = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

function shownTimes(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const figures = [0.5, 0.99, 0.999, 1].map((share) => part(sorted, share).toFixed(0));
  return `p50 ${figures[0]}, p99 ${figures[1]}, p99.9 ${figures[2]}, longest ${figures[3]} ms`;
}

const shownHealth = (probes: readonly Probe[]): string =>
  `health ${shownTimes(probes.map(({ ms }) => ms))}; ` +
  `the prober itself was late by ${shownTimes(probes.map(({ lateMs }) => lateMs))}`;

interface Outcome {
  readonly probes: readonly Probe[];
  readonly answers: Answers;
  readonly ordinaryReader: OrdinaryReader;
  /** The reason why the ordinary reader stopped, if there is one. */
  readonly broken: readonly string[];
}

function verdict(watched: WatchedServer, plan: SiegePlan, outcome: Outcome): string[] {
  const { probes, answers, ordinaryReader, broken } = outcome;
  const { turns, pauses, memory } = watched;
  const withoutPauses = probes.map((probe) => probe.ms - within(probe, pauses, ({ ms }) => ms));
  const work = probes.map((probe) => within(probe, turns, ({ workMs }) => workMs));
  for (const [name, counts] of answers.counts)
    say(`${name}: ${[...counts].map(([answer, count]) => `${count} × ${answer}`).join(', ')}`);
  const { likes, pages, refused, timeouts, times, keptOut } = ordinaryReader;
  say(
    `the ordinary reader: ${likes} likes (${shownTimes(times)}), ${pages} pages, ` +
      `${refused} refusals, ${timeouts} timeouts`,
  );
  say(`kept out of imports for ${keptOut.import.toFixed(0)} s, of exports for ${keptOut.export.toFixed(0)} s at most`);
  say(`${probes.length} probes: ${shownHealth(probes)}`);
  say(`the same without the pauses of garbage collection: ${shownTimes(withoutPauses)}`);
  say(`the work of the server in these times, without other work of the machine: ${shownTimes(work)}`);
  say(`pauses: ${shownPauses(pauses)}`);
  const longest = longestOf(turns);
  say(`the longest turn: ${longest ? shownTurn(longest) : 'none was long'}`);
  const mostOf = (name: 'heap' | 'rss') => (Math.max(0, ...memory.map((each) => each[name])) / MIB).toFixed(0);
  say(`at most ${mostOf('heap')} MiB of heap and ${mostOf('rss')} MiB of RSS`);

  const slow = part(
    withoutPauses.toSorted((one, other) => one - other),
    0.999,
  );
  const unhealthy = probes.filter(({ status }) => status !== 200).length;
  const violations = [
    ...(watched.endedBy === undefined ? [] : [`the server ended with ${watched.endedBy}`]),
    ...(slow > HEALTH_MS_MAX ? [`health took ${slow.toFixed(0)} ms at p99.9, ${HEALTH_MS_MAX} ms are allowed`] : []),
    ...(unhealthy > 0 ? [`${unhealthy} of ${probes.length} probes were not answered with 200`] : []),
    ...(['import', 'export'] as const)
      .filter((door) => keptOut[door] > KEPT_OUT_SECONDS_MAX)
      .map((door) => `the ordinary reader was kept out of ${door}s for ${keptOut[door].toFixed(0)} s`),
    ...[...answers.problems].map(([what, count]) => `${count} × ${what}`),
    ...ordinaryReader.problems,
    ...broken,
  ];
  for (const violation of violations.slice(0, PROBLEMS_TOLD)) say(`wrong: ${violation}`);
  say(`${violations.length} violations in ${plan.minutes} minutes, by ${plan.readers} readers, with seed ${plan.seed}`);
  return violations;
}

/** A time span of the server for which a probe may have waited. */
interface Span {
  readonly at: number;
  readonly ms: number;
}

/**
 * Returns the part of some spans that lies within a probe.
 * @param spans in the order of their moments
 * @param weightOf returns the time that a whole span stands for
 */
function within<Of extends Span>(probe: Span, spans: readonly Of[], weightOf: (span: Of) => number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = spans[middle];
    if (span && span.at + span.ms <= probe.at) low = middle + 1;
    else high = middle;
  }
  let sum = 0;
  for (let index = low; index < spans.length; index++) {
    const span = spans[index];
    if (!span || span.at >= probe.at + probe.ms) break;
    const overlap = Math.min(probe.at + probe.ms, span.at + span.ms) - Math.max(probe.at, span.at);
    if (overlap > 0) sum += (overlap / span.ms) * weightOf(span);
  }
  return sum;
}
