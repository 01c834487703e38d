import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, performance, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';

/**
 * Measures the turns of the event loop of this process, and prints each long turn as a line of
 * JSON, with the pauses of garbage collection and the memory in use.
 */

/** A turn that took long. Times are in milliseconds, moments since 1970. */
export interface Turn {
  readonly at: number;
  readonly ms: number;
  /**
   * The time for which the thread had a processor, less the garbage collection. Other processes of
   * a busy machine make a turn longer, but not this.
   */
  readonly workMs: number;
  /** The requests in progress during the turn, and those that ended in it. */
  readonly requests: readonly string[];
}

/** A pause in which garbage was collected. */
export interface Pause {
  readonly at: number;
  readonly ms: number;
  readonly isMajor: boolean;
}

/** The bytes in use at a moment. */
export interface Memory {
  readonly at: number;
  readonly heap: number;
  readonly rss: number;
}

/** A line that the server prints. */
export type Told = { readonly turn: Turn } | { readonly pause: Pause } | { readonly memory: Memory };

/** The beginning of each line of output. */
export const TOLD = '@turns ';

const TURN_MS_MIN = 10;
const PAUSE_MS_MIN = 1;
const LOOK_MS = 2;
/** Pauses are reported some turns after they occurred. */
const TOLD_AFTER_MS = 500;
const MEMORY_EVERY_MS = 1_000;
const REQUESTS_TOLD = 12;

const tell = (told: Told): boolean => process.stdout.write(`${TOLD}${JSON.stringify(told)}\n`);
const moment = (ms: number): number => performance.timeOrigin + ms;

/** Begins to measure. */
export function watchTurns(): void {
  const pauses: { readonly start: number; readonly end: number }[] = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, duration } = entry;
      if (duration < PAUSE_MS_MIN) continue;
      const { kind } = (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail;
      pauses.push({ start: startTime, end: startTime + duration });
      if (pauses.length > 1_000) pauses.shift();
      tell({ pause: { at: moment(startTime), ms: duration, isMajor: kind === constants.NODE_PERFORMANCE_GC_MAJOR } });
    }
  }).observe({ entryTypes: ['gc'] });

  const requests = watchRequests();
  let before = look();
  setInterval(() => {
    const now = look();
    const ms = now.active - before.active;
    const processorMs = now.processor - before.processor;
    const [start, end] = [now.at - ms, now.at];
    before = now;
    const underWay = ms < TURN_MS_MIN ? [] : requests.named();
    requests.forgetEnded();
    if (ms < TURN_MS_MIN) return;
    setTimeout(() => {
      const collected = pauses
        .map((pause) => Math.min(end, pause.end) - Math.max(start, pause.start))
        .reduce((sum, each) => sum + Math.max(0, each), 0);
      tell({ turn: { at: moment(start), ms, workMs: Math.max(0, processorMs - collected), requests: underWay } });
    }, TOLD_AFTER_MS).unref();
  }, LOOK_MS).unref();

  setInterval(() => {
    const { heapUsed, rss } = process.memoryUsage();
    tell({ memory: { at: Date.now(), heap: heapUsed, rss } });
  }, MEMORY_EVERY_MS).unref();
}

/** The time so far in milliseconds, by the clock, in turns, and of the processor. */
function look() {
  const { user, system } = process.threadCpuUsage();
  return {
    at: performance.now(),
    active: performance.eventLoopUtilization().active,
    processor: (user + system) / 1_000,
  };
}

/** Tracks the requests of this process: those in progress, and those that have ended recently. */
function watchRequests() {
  const underWay = new Map<IncomingMessage, string>();
  let ended: string[] = [];
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const { method = '', url = '', headers } = request;
    const [, id = ''] = headers['traceparent']?.toString().split('-') ?? [];
    underWay.set(request, `${method} ${url.slice(0, 100)} ${id}`.trim());
    response.once('close', () => {
      ended.push(underWay.get(request) ?? '');
      underWay.delete(request);
    });
  });
  return {
    named: () => [...underWay.values(), ...ended].slice(0, REQUESTS_TOLD),
    forgetEnded: () => {
      ended = [];
    },
  };
}
