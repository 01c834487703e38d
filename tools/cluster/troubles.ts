import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../support/chance.ts';
import type { ServerProcess } from '../support/process.ts';
import type { ClusterNode } from '../support/test-cluster.ts';
import type { Proxy } from './proxy.ts';

/** The nodes and servers that are troubled. */
export interface Victims {
  readonly chance: Chance;
  readonly nodes: readonly ClusterNode[];
  readonly proxies: readonly Proxy[];
  readonly servers: readonly ServerProcess[];
  readonly startServer: (index: number) => Promise<void>;
  /** Starts servers of the other release from now on: the later one, or the current one again. */
  readonly changeRelease: () => void;
  /** Sets a server's clock ahead of the right time, or back if the milliseconds are negative. */
  readonly setClock: (index: number, offsetMs: number) => Promise<void>;
}

/** The default of `CLOCK_SKEW_MAX_MS`: the allowed deviation of a server's clock. */
const SKEW_MAX_MS = 4_000;
/** The time within which a server notices that its clock is wrong. */
const ALARM_WITHIN_MS = 5_000;

const seconds = (chance: Chance, least: number, most: number) => (least + chance.random() * (most - least)) * 1_000;

type Troubles = Readonly<Record<string, (victims: Victims) => Promise<void>>>;

/**
 * The kinds of trouble. Each trouble has one victim at a time and is over when its function
 * returns.
 */
const TROUBLES: Troubles = {
  'a node is stopped for some seconds': async ({ chance, nodes }) => {
    const node = chance.pick(nodes);
    node.signal('SIGSTOP');
    await sleep(seconds(chance, 2, 6));
    node.signal('SIGCONT');
  },
  'a node is killed, and started again': async ({ chance, nodes }) => {
    const node = chance.pick(nodes);
    node.signal('SIGKILL');
    await sleep(seconds(chance, 1, 3));
    await node.restart();
  },
  'the answers of a node are swallowed': async ({ chance, proxies }) => {
    const duration = seconds(chance, 1, 4);
    chance.pick(proxies).swallow(duration);
    await sleep(duration);
  },
  'the answers of all nodes are swallowed': async ({ chance, proxies }) => {
    const duration = seconds(chance, 0.2, 1);
    for (const proxy of proxies) proxy.swallow(duration);
    await sleep(duration);
  },
  'a server is killed, and another started': async ({ chance, servers, startServer }) => {
    const index = chance.pick([...servers.keys()]);
    servers[index]?.process.kill('SIGKILL');
    await startServer(index);
  },
  'a server is stopped for some seconds': async ({ chance, servers }) => {
    const server = chance.pick(servers);
    server.process.kill('SIGSTOP');
    await sleep(seconds(chance, 2, 8));
    server.process.kill('SIGCONT');
  },
  'the clock of a server is set, and set right again': async ({ chance, servers, setClock }) => {
    const index = chance.pick([...servers.keys()]);
    const offsetMs = chance.pick([2, 20, 60, 600]) * 1_000 * chance.pick([1, -1]);
    await setClock(index, offsetMs);
    const isAllowed = Math.abs(offsetMs) < SKEW_MAX_MS;
    if (!isAllowed) await untilNotReady(servers[index]);
    await sleep(seconds(chance, 2, 6));
    await setClock(index, 0);
  },
  'the nodes are restarted, one after the other': async ({ nodes }) => {
    for (const node of nodes) {
      await node.restart();
      // The others find the node again within a second or two; until then no second node may be
      // down.
      await sleep(2_000);
    }
  },
  'the servers are restarted with the other release, one after the other': async ({
    chance,
    servers,
    startServer,
    changeRelease,
  }) => {
    changeRelease();
    for (const [index, server] of servers.entries()) {
      await server.stop();
      await startServer(index);
      // Both releases run at the same time for a while.
      await sleep(seconds(chance, 2, 4));
    }
  },
};

/** Waits until a server itself reports that it is not ready. */
async function untilNotReady(server: ServerProcess | undefined): Promise<void> {
  const deadline = performance.now() + ALARM_WITHIN_MS;
  while (performance.now() < deadline) {
    const answer = await fetch(`${String(server?.url)}/health/ready`).catch(() => undefined);
    if (answer?.status === 503) return;
    await sleep(100);
  }
  throw new Error('A server whose clock is wrong still reports that it is ready');
}

/** Further troubles of several data centres. */
const DATA_CENTRE_TROUBLES: Troubles = {
  'a data centre is stopped for some seconds': async ({ chance, nodes }) => {
    const cutOff = nodesOf(nodes, chance.pick(nodes).dataCentre);
    for (const node of cutOff) node.signal('SIGSTOP');
    await sleep(seconds(chance, 2, 8));
    for (const node of cutOff) node.signal('SIGCONT');
  },
  'a data centre is killed, and started again': async ({ chance, nodes }) => {
    const cutOff = nodesOf(nodes, chance.pick(nodes).dataCentre);
    for (const node of cutOff) node.signal('SIGKILL');
    await sleep(seconds(chance, 2, 6));
    await Promise.all(cutOff.map((node) => node.restart()));
  },
};

const nodesOf = (nodes: readonly ClusterNode[], name: string) => nodes.filter(({ dataCentre }) => dataCentre === name);

/**
 * Yields names of troubles without end: first those of data centres if there are several, because
 * such a run tests them; then all in any order, each once before any is repeated.
 */
export function* troublesOf(chance: Chance, areSeveral: boolean): Generator<[string, Troubles[string]], never> {
  const ofDataCentres = areSeveral ? DATA_CENTRE_TROUBLES : {};
  yield* Object.entries(ofDataCentres);
  for (;;) {
    const left = Object.entries({ ...TROUBLES, ...ofDataCentres });
    while (left.length > 0) yield* left.splice(chance.below(left.length), 1);
  }
}
