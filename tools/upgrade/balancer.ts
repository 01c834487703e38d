import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT } from '../chaos/later-release.ts';
import { debianProgram } from '../support/debian.ts';
import { spawnGuarded } from '../support/guarded.ts';

const CONFIG = join(PROJECT, 'deploy/haproxy/haproxy.cfg');
const READY_WITHIN_MS = 20_000;

/** The ports of a server. */
export interface Ports {
  readonly api: number;
  readonly metrics: number;
}

/** HAProxy before two servers. */
export interface Balancer {
  readonly url: string;
  /** Waits until it sends requests to a server, `one` or `two`. */
  readonly serves: (server: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts HAProxy with the configuration that the project ships. */
export async function startBalancer(one: Ports, two: Ports): Promise<Balancer> {
  const { file, env } = debianProgram('haproxy', 'usr/sbin/haproxy', 'HAPROXY');
  const [port, metricsPort] = [await freePort(), await freePort()];
  const haproxy = spawnGuarded(file, ['-db', '-f', CONFIG], {
    env: {
      ...process.env,
      ...env,
      BIND: `127.0.0.1:${port}`,
      METRICS: `127.0.0.1:${metricsPort}`,
      SERVER_1: '127.0.0.1',
      SERVER_1_PORT: String(one.api),
      HEALTH_1: String(one.metrics),
      SERVER_2: '127.0.0.1',
      SERVER_2_PORT: String(two.api),
      HEALTH_2: String(two.metrics),
    },
  });
  let printed = '';
  for (const output of [haproxy.stdout, haproxy.stderr])
    output.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  const ended = once(haproxy, 'exit');
  const stop = async () => {
    haproxy.stdin.end();
    await ended;
  };

  const serves = async (server: string) => {
    const up = `haproxy_server_status{proxy="servers",server="${server}",state="UP"} 1`;
    const isUp = async () => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      return (await answer.text()).includes(up);
    };
    const deadline = performance.now() + READY_WITHIN_MS;
    while (!(await isUp())) {
      if (performance.now() > deadline) throw new Error(`HAProxy does not send requests to server ${server}`);
      await sleep(100);
    }
  };

  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return { url, serves, stop };
    if (haproxy.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`HAProxy does not serve:\n${printed}`);
    }
    await sleep(100);
  }
}

/** Returns ports of this machine that nobody listens on. */
export const freePorts = async (): Promise<Ports> => ({ api: await freePort(), metrics: await freePort() });

/** Returns a port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
