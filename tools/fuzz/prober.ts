import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A separate process, so that its measurements include only its own delays: it sends health checks
 * to a server at fixed intervals, without waiting for answers, and reports the times to its parent.
 * It uses open connections. A server accepts each new connection in a separate round of the event
 * loop, so new connections of the prober would wait for each other.
 */

/** An answer to a question for health. */
export interface Probe {
  /** The time of the request, in milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  /** 0 if there was no answer. */
  readonly status: number;
  /** The delay of this process in sending the request. */
  readonly lateMs: number;
}

const PATHS = ['/health/live', '/health/ready'];
const EVERY_MS = 20;
/** The number of requests in two seconds, all of which may be unanswered. */
const CONNECTIONS = 200;
const PATIENCE_MS = 60_000;
const REPORTED_EVERY_MS = 1_000;

const { hostname, port } = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true, maxFreeSockets: CONNECTIONS, scheduling: 'fifo' });
let probes: Probe[] = [];

await Promise.all(Array.from({ length: CONNECTIONS }, () => probe('/health/live', 0)));
probes = [];

process.on('disconnect', () => process.exit());
setInterval(() => {
  // The parent may have ended.
  process.send?.(probes, undefined, undefined, () => undefined);
  probes = [];
}, REPORTED_EVERY_MS);
for (let due = performance.now(); ; due = Math.max(due + EVERY_MS, performance.now() - EVERY_MS)) {
  await sleep(Math.max(0, due - performance.now()));
  const lateMs = performance.now() - due;
  for (const path of PATHS) void probe(path, lateMs);
}

function probe(path: string, lateMs: number): Promise<void> {
  const at = performance.timeOrigin + performance.now();
  const begun = performance.now();
  return new Promise((resolve) => {
    const done = (status: number) => {
      probes.push({ at, ms: performance.now() - begun, status, lateMs });
      resolve();
    };
    const asked = request({ agent, hostname, port, path, timeout: PATIENCE_MS }, (answer) => {
      answer.resume().on('end', () => {
        done(answer.statusCode ?? 0);
      });
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', () => {
      done(0);
    });
    asked.end();
  });
}
