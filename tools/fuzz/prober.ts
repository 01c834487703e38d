import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A process of its own, so that only its own delays are among its figures: it asks a server for its
 * health again and again, whether or not it was answered before, and sends the times to its parent.
 * It asks on connections that are open. A new one is accepted in a round of the event loop of its
 * own, so those of the prober would wait for each other.
 */

/** An answer to a question for health. */
export interface Probe {
  /** The moment of asking, in milliseconds since 1970. */
  readonly at: number;
  readonly ms: number;
  /** 0 if there was no answer. */
  readonly status: number;
  /** The time by which this process asked later than it meant to. */
  readonly lateMs: number;
}

const PATHS = ['/health/live', '/health/ready'];
const EVERY_MS = 20;
/** As many as are asked in two seconds, all of which may be unanswered. */
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
  // The parent may have gone.
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
