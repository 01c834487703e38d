import { setTimeout as sleep } from 'node:timers/promises';
import { statementsIn } from '../support/statements.ts';
import type { Ports } from './balancer.ts';

const LOOK_MS = 100;
/** A roll-up reads whole windows when their time is over, however many changes they have. */
const OF_ROLL_UPS = /events_by_|trending|dirty_window/;

const metricsOf = ({ metrics }: Ports): Promise<string> =>
  fetch(`http://127.0.0.1:${metrics}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  );

/**
 * Returns the number of statements that the running servers have sent since they started, without
 * those of roll-ups.
 */
export async function statementsSent(ports: readonly Ports[]): Promise<number> {
  const texts = await Promise.all(ports.map(metricsOf));
  return texts
    .flatMap((text) => [...statementsIn(text)])
    .filter(([statement]) => !OF_ROLL_UPS.test(statement))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Tracks the holders of each lease, and the times without one. */
export class LeaseWatch {
  readonly #gaps = new Map<string, number>();
  readonly #heldAt = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;

  constructor(ports: readonly Ports[]) {
    this.#watching = this.#watch(ports);
  }

  /** Ends, and returns the longest time without a holder of each lease, in milliseconds. */
  async end(): Promise<ReadonlyMap<string, number>> {
    this.#stopping.abort();
    await this.#watching;
    return this.#gaps;
  }

  async #watch(ports: readonly Ports[]): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const texts = await Promise.all(ports.map(metricsOf));
      const now = performance.now();
      for (const [, lease = ''] of texts.join('\n').matchAll(/^lease_held\{lease="(.*)"\} 1$/gm)) {
        const gap = now - (this.#heldAt.get(lease) ?? now);
        this.#gaps.set(lease, Math.max(gap, this.#gaps.get(lease) ?? 0));
        this.#heldAt.set(lease, now);
      }
      await sleep(LOOK_MS, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }
}
