import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../launch/embedded.ts';
import { PROJECT } from '../cluster/later-release.ts';
import { debianProgram } from '../support/debian.ts';
import { startService } from '../support/service.ts';

const CONFIG = join(PROJECT, 'deploy/haproxy/haproxy.cfg');
const READY_WITHIN_MS = 120_000;

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
  const settings = {
    BIND: `127.0.0.1:${port}`,
    METRICS: `127.0.0.1:${metricsPort}`,
    SERVER_1: '127.0.0.1',
    SERVER_1_PORT: String(one.api),
    HEALTH_1: String(one.metrics),
    SERVER_2: '127.0.0.1',
    SERVER_2_PORT: String(two.api),
    HEALTH_2: String(two.metrics),
  };
  const url = `http://127.0.0.1:${port}`;
  const haproxy = { file, env: { ...env, ...settings } };
  const stop = await startService('HAProxy', haproxy, ['-db', '-f', CONFIG], `${url}/health/ready`);

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

  return { url, serves, stop };
}

/** Returns free ports of this machine. */
export const freePorts = async (): Promise<Ports> => ({ api: await freePort(), metrics: await freePort() });
