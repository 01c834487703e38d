import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import { perProcess } from '../context/context.ts';
import { OPERATION_FIGURES, seriesOf, type OperationFigure } from './series.ts';

/** The figures that a server has measured of itself since its last write. */

/**
 * The maximum duration in µs; longer ones are recorded as this. A histogram with two digits takes
 * 24 KiB.
 */
const MICROSECONDS_MAX = 600_000_000;
const HISTOGRAM = { lowest: 1, highest: MICROSECONDS_MAX, figures: 2 } as const;
/** The interval at which delays are measured, which is included in them. */
const LOOP_RESOLUTION_MS = 20;

/** The figures of this process. */
export const figures = perProcess(({ randomId }) => new Figures(randomId()));

export class Figures {
  readonly serverId: string;
  #requests = 0;
  #errors = 0;
  /** The durations by operation, at most one histogram per root field of the schema. */
  readonly #durations = new Map<string, RecordableHistogram>();
  readonly #loopDelay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

  /** @param serverId an id of this server */
  constructor(serverId: string) {
    this.serverId = serverId;
    this.#loopDelay.enable();
  }

  /**
   * Counts a request.
   * @param operations its root fields, such as `Query.book`; each counts the duration of the
   *   request
   */
  record(operations: Iterable<string>, seconds: number, hasErrors: boolean): void {
    this.#requests++;
    if (hasErrors) this.#errors++;
    const microseconds = Math.min(Math.max(1, Math.round(seconds * 1e6)), MICROSECONDS_MAX);
    for (const operation of operations) {
      let durations = this.#durations.get(operation);
      if (!durations) this.#durations.set(operation, (durations = createHistogram(HISTOGRAM)));
      durations.record(microseconds);
    }
  }

  /**
   * Returns the figures by series, and starts again. Durations are in ms. An operation without
   * requests has no figures.
   */
  take(): Map<string, number> {
    const taken = new Map([
      ['requests', this.#requests],
      ['errors', this.#errors],
      ['event-loop-delay-p99', Math.max(0, this.#loopDelay.percentile(99) / 1e6 - LOOP_RESOLUTION_MS)],
    ]);
    for (const [operation, durations] of this.#durations) {
      if (durations.count === 0) continue;
      const of: Record<OperationFigure, number> = {
        requests: durations.count,
        p50: durations.percentile(50) / 1_000,
        p99: durations.percentile(99) / 1_000,
      };
      for (const figure of OPERATION_FIGURES) taken.set(seriesOf(figure, operation), of[figure]);
      durations.reset();
    }
    [this.#requests, this.#errors] = [0, 0];
    this.#loopDelay.reset();
    return taken;
  }
}
