import { Counter, Gauge } from 'prom-client';
import { SCANNED_ROWS } from '../cassandra/ring.ts';
import { shardsInTurn } from '../cassandra/shards.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { MINUTE_MS } from '../time/units.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { audit, type Audit, type AuditedPage } from './audit.ts';
import { auditStatesOf, HELD_MS, HeldAudit, isDone } from './progress.ts';
import type { AuditState } from './tables.ts';

/**
 * The continuous audit, a second line of defence behind recovery. All servers share its work. The
 * ring of tokens is cut into parts. A server takes a part that no server holds and that this round
 * has not audited. It scans all tables in that part and repairs them, at the configured rate, then
 * takes the next part. The progress is stored with the part: if the process ends, another server
 * continues from there after two minutes. In the worst case two servers hold the same part and do
 * the same work twice.
 */

export const AUDIT_PARTS = 64;
/** The pause between the end of a round and the next one. */
export const ROUND_PAUSE_MS = 10 * MINUTE_MS;
/** The interval between attempts to take a part while none is free. */
const LOOK_MS = MINUTE_MS;
/** The interval at which the progress of a part is stored. */
const KEEP_MS = 10_000;
/**
 * The interval at which the progress is stored while the rate allows no further rows. Otherwise
 * another server would take the part.
 */
const KEEP_WAITING_MS = HELD_MS / 2;
/**
 * The number of failures in a row after which a part is left to other servers, or to a later run.
 */
const FAILURES_MAX = 5;
/**
 * The minimum number of rows that a statement uses up: a full page of a scan. An audit of nearly
 * empty tables therefore sends few statements.
 */
const STATEMENT_ROWS = SCANNED_ROWS;

/** Returns the name of a part, given its number from 0. */
const partName = (part: number): string => `part ${part + 1}/${AUDIT_PARTS}`;

const PART_NAMES = Array.from({ length: AUDIT_PARTS }, (_, part) => partName(part));

/** Returns the progress of all parts that were ever begun, keyed by name. */
export const auditPartsOf = (app: AppContext): Promise<Map<string, AuditState>> => auditStatesOf(app, PART_NAMES);

const audited = new Counter({
  name: 'audit_rows_total',
  help: 'Rows that this server compared with their sources of truth',
  labelNames: ['kind'],
});
const drifted = new Counter({
  name: 'audit_drift_total',
  help: 'Rows and counts that this server found to differ from their sources of truth',
  labelNames: ['kind', 'table'],
});
const repaired = new Counter({
  name: 'audit_repaired_total',
  help: 'Rows and counts of audit_drift_total that were repaired',
  labelNames: ['kind', 'table'],
});
const unreadable = new Counter({
  name: 'audit_unreadable_total',
  help: 'Partitions that this server could not read and skipped',
  labelNames: ['kind', 'table'],
});
/** The time at which the part that waits longest began to wait. */
let waiting: { readonly since: number; readonly clock: () => Date } | undefined;
new Gauge({
  name: 'audit_age_seconds',
  help:
    'Time since the part that has waited longest was audited, by the progress that this server ' +
    'last read; since the first round began if it never was',
  // The value is computed here, so that it grows even while this server updates nothing.
  collect() {
    this.set(waiting === undefined ? 0 : (waiting.clock().getTime() - waiting.since) / 1_000);
  },
});
const expected = new Gauge({
  name: 'audit_round_expected_seconds',
  help: 'Estimated duration of the current round, from its finished parts; between rounds, of the previous round',
});

export const auditShare = perProcess(({ randomId }) => new AuditShare(randomId()));

/**
 * A part that this server holds. `keptAt` is the time at which its progress was last stored, in ms.
 */
interface PartInHand {
  readonly number: number;
  readonly held: HeldAudit;
  keptAt: number;
}

/** One server's work on the audit. */
export class AuditShare {
  readonly #holder: string;
  #part: PartInHand | undefined;
  #nextLookAt = 0;
  #failures = 0;
  /** The number of rows that may still be read now; negative after reading too many. */
  #left = 0;

  /** @param holder an id of this server */
  constructor(holder: string) {
    this.#holder = holder;
  }

  /**
   * Audits and repairs the rows of one second.
   * @param stopping ends the run between rows; other servers continue with the rest
   */
  async run(app: AppContext, audits: readonly Audit[], stopping?: AbortSignal): Promise<void> {
    const rate = app.config.auditRowsPerSecond;
    this.#left = Math.min(rate, this.#left + rate);
    if (this.#left <= 0 && this.#part) await this.#isLost(app, this.#part, KEEP_WAITING_MS);
    while (this.#left > 0 && !stopping?.aborted) {
      this.#part ??= await this.#take(app, audits);
      if (!this.#part) return;
      try {
        await this.#auditPart(app, audits, this.#part, stopping);
      } catch (error) {
        // Another server continues with the part in two minutes. This one takes another part
        // meanwhile.
        if (++this.#failures % FAILURES_MAX === 0) this.#part = undefined;
        throw error;
      }
    }
  }

  /** Continues a part until its end, or until the rows for now are used up. */
  async #auditPart(app: AppContext, audits: readonly Audit[], part: PartInHand, stopping?: AbortSignal): Promise<void> {
    const scope = { part: part.number + 1, parts: AUDIT_PARTS };
    for await (const page of audit(app, audits, scope, true, part.held.position, stopping)) {
      part.held.add(page);
      reportFindings(app, page);
      this.#left -= Math.max(page.rowsRead, STATEMENT_ROWS);
      this.#failures = 0;
      // With a wrong clock the part could be stored as held for an arbitrary time.
      if (whyUntrusted(app) !== undefined) this.#left = Math.min(0, this.#left);
      else if (await this.#isLost(app, part, KEEP_MS)) return;
      // A page may be unreadable only for a moment: the next run tries again.
      if (page.isFailed) this.#left = Math.min(0, this.#left);
      if (this.#left <= 0) return;
    }
    if (stopping?.aborted) return;
    part.held.end(app, audits);
    await this.#keep(app, part);
    this.#part = undefined;
  }

  /**
   * Stores the progress of a part if that is due.
   * @returns true if another server holds the part
   */
  async #isLost(app: AppContext, part: PartInHand, everyMs: number): Promise<boolean> {
    const now = app.clock().getTime();
    // The check also works after the clock was set back.
    if (Math.abs(now - part.keptAt) < everyMs) return false;
    part.keptAt = now;
    return !(await this.#keep(app, part));
  }

  /**
   * Stores the progress of a part.
   * @returns false if another server holds the part
   */
  async #keep(app: AppContext, { held }: PartInHand): Promise<boolean> {
    this.#left -= STATEMENT_ROWS;
    const isKept = await held.keep(app);
    if (!isKept) this.#part = undefined;
    return isKept;
  }

  /** Takes a part that is not audited yet; `undefined` if all parts are audited or held. */
  async #take(app: AppContext, audits: readonly Audit[]): Promise<PartInHand | undefined> {
    const now = app.clock().getTime();
    // A clock that was set back must not prevent a server from looking for a part.
    if (now < this.#nextLookAt && this.#nextLookAt - now <= LOOK_MS) return undefined;

    this.#left -= STATEMENT_ROWS;
    const found = await auditPartsOf(app);
    const states = [...found.values()];
    const done = new Set(states.filter((state) => isDone(state, audits)));
    const round = roundNow(states, done, now);
    updateRoundMetrics(app, states, { round, done }, now);
    for (const number of shardsInTurn(app, AUDIT_PARTS)) {
      const before = found.get(partName(number));
      if (before && (done.has(before) || isHeld(before, now)) && before.round === round) continue;
      const held = new HeldAudit(app, partName(number), this.#holder, before, round);
      if (await this.#keep(app, { number, held, keptAt: now })) return { number, held, keptAt: now };
    }
    this.#nextLookAt = now + LOOK_MS;
    return undefined;
  }
}

/**
 * Returns the number of the current round: the latest begun round, or the next one if that ended
 * some time ago.
 */
function roundNow(states: readonly AuditState[], done: ReadonlySet<AuditState>, now: number): number {
  const round = Math.max(1, ...states.map((state) => state.round));
  const ofRound = states.filter((state) => state.round === round);
  if (ofRound.length < AUDIT_PARTS || !ofRound.every((state) => done.has(state))) return round;

  const endedAt = Math.max(...ofRound.map(({ audited_at }) => audited_at?.getTime() ?? now));
  return now - endedAt >= ROUND_PAUSE_MS ? round + 1 : round;
}

/**
 * Returns whether a server holds a part. An end of the hold that is too far away was stored by a
 * wrong clock.
 */
const isHeld = ({ held_until }: AuditState, now: number) =>
  held_until.getTime() > now && held_until.getTime() <= now + 2 * HELD_MS;

/** Updates the metrics of the rounds. */
function updateRoundMetrics(
  { clock }: AppContext,
  states: readonly AuditState[],
  { round, done }: { readonly round: number; readonly done: ReadonlySet<AuditState> },
  now: number,
): void {
  const begun = Math.min(now, ...states.map(({ begun_at }) => begun_at.getTime()));
  const oldest = Math.min(...states.map(({ audited_at }) => audited_at?.getTime() ?? begun));
  waiting = states.length === 0 ? undefined : { since: oldest, clock };

  const ofRound = states.filter((state) => state.round === round);
  const ended = ofRound.filter((state) => done.has(state));
  if (ended.length === 0) return;
  const begunAt = Math.min(...ofRound.map(({ begun_at }) => begun_at.getTime()));
  const until = Math.max(...ended.map(({ audited_at }) => audited_at?.getTime() ?? now));
  expected.set(((until - begunAt) / 1_000) * (AUDIT_PARTS / ended.length));
}

/** Reports the findings of a page to the operators. */
function reportFindings({ logger }: AppContext, { kind, rows, drift, unreadable: skipped }: AuditedPage): void {
  audited.inc({ kind }, rows);
  for (const { table, what, repaired: isRepaired } of drift) {
    drifted.inc({ kind, table });
    const about = { kind, table, what, repaired: isRepaired };
    if (isRepaired) {
      repaired.inc({ kind, table });
      logger.error(about, 'drift was found and repaired');
    } else {
      logger.fatal(about, 'drift was found and could not be repaired; see npm run admin -- audit');
    }
  }
  for (const { table, partition } of skipped) {
    unreadable.inc({ kind, table });
    logger.error({ kind, table, partition }, 'a partition cannot be read and was not audited');
  }
}
