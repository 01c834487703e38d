import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../test/support/process.ts';
import type { ClusterNode } from '../cluster.ts';
import { pick } from './load.ts';
import type { Proxy } from './proxy.ts';

/** What there is to be troubled. */
export interface Victims {
  readonly nodes: readonly ClusterNode[];
  readonly proxies: readonly Proxy[];
  readonly servers: readonly ServerProcess[];
  readonly startServer: (index: number) => Promise<void>;
}

const seconds = (least: number, most: number) => (least + Math.random() * (most - least)) * 1_000;

/** Everything that goes wrong, each at one victim at a time and over when it returns. */
export const TROUBLES: Readonly<Record<string, (victims: Victims) => Promise<void>>> = {
  'a node is stopped for some seconds': async ({ nodes }) => {
    const node = pick(nodes);
    node.signal('SIGSTOP');
    await sleep(seconds(2, 6));
    node.signal('SIGCONT');
  },
  'a node is killed, and started again': async ({ nodes }) => {
    const node = pick(nodes);
    node.signal('SIGKILL');
    await sleep(seconds(1, 3));
    await node.restart();
  },
  'the answers of a node are swallowed': async ({ proxies }) => {
    const duration = seconds(1, 4);
    pick(proxies).swallow(duration);
    await sleep(duration);
  },
  'the answers of all nodes are swallowed': async ({ proxies }) => {
    const duration = seconds(0.2, 1);
    for (const proxy of proxies) proxy.swallow(duration);
    await sleep(duration);
  },
  'a server is killed, and another started': async ({ servers, startServer }) => {
    const index = pick([...servers.keys()]);
    servers[index]?.process.kill('SIGKILL');
    await startServer(index);
  },
  'a server is stopped for some seconds': async ({ servers }) => {
    const server = pick(servers);
    server.process.kill('SIGSTOP');
    await sleep(seconds(2, 8));
    server.process.kill('SIGCONT');
  },
};
