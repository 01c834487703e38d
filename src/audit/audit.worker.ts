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
 * The audit that goes round all the time, the second line behind recovery, shared by all servers. The ring of tokens is cut into
 * parts. A server takes one that nobody has in hand and that this round has not audited, goes through all tables there, repairing,
 * at the rate that is set, and takes the next one. How far it is, is kept with the part; when its process ends, another server
 * goes on with the part from there, after two minutes. Two that have the same part in hand do the same twice, at worst.
 */

export const AUDIT_PARTS = 64;
/** A round begins so long after the end of the one before. */
export const ROUND_PAUSE_MS = 10 * MINUTE_MS;
/** While there is nothing to be taken, a server looks as often. */
const LOOK_MS = MINUTE_MS;
/** So often it is kept how far a part is. */
const KEEP_MS = 10_000;
/** And so often while no rows may be looked at, after a page for which many were read: others must not go on with it. */
const KEEP_WAITING_MS = HELD_MS / 2;
/** A part that fails so often in a row is left to others, or to later. */
const FAILURES_MAX = 5;
/** A statement counts as so many rows at least, so that an audit of next to nothing sends few: a full page of a scan. */
const STATEMENT_ROWS = SCANNED_ROWS;

/** The name of a part, by its number from 0. */
const partName = (part: number): string => `part ${part + 1}/${AUDIT_PARTS}`;

const PART_NAMES = Array.from({ length: AUDIT_PARTS }, (_, part) => partName(part));

/** How far the parts are that were ever begun, by their names. */
export const auditPartsOf = (app: AppContext): Promise<Map<string, AuditState>> => auditStatesOf(app, PART_NAMES);

const audited = new Counter({
  name: 'audit_rows_total',
  help: 'Rows that this server compared with their sources of truth',
  labelNames: ['kind'],
});
const drifted = new Counter({
  name: 'audit_drift_total',
  help: 'Rows and counts that this server found out of step with their sources of truth',
  labelNames: ['kind', 'table'],
});
const repaired = new Counter({
  name: 'audit_repaired_total',
  help: 'Of audit_drift_total, those that were repaired',
  labelNames: ['kind', 'table'],
});
const unreadable = new Counter({
  name: 'audit_unreadable_total',
  help: 'Partitions that this server could not read, and passed by',
  labelNames: ['kind', 'table'],
});
/** Since when the part waits that waits longest. */
let waiting: { readonly since: number; readonly clock: () => Date } | undefined;
new Gauge({
  name: 'audit_age_seconds',
  help: 'How long ago the part of everything was audited that waits longest, as of the last look; since the first round began, where it never was',
  // It grows while a server looks at nothing new.
  collect() {
    this.set(waiting === undefined ? 0 : (waiting.clock().getTime() - waiting.since) / 1_000);
  },
});
const expected = new Gauge({
  name: 'audit_round_expected_seconds',
  help: 'How long the present round will have taken, by how many of its parts are done; the last one, between rounds',
});

/** The share of this process. */
export const auditShare = perProcess(({ randomId }) => new AuditShare(randomId()));

/** A part that a server has in hand; `keptAt`: when it was last kept how far it is, in ms. */
interface PartInHand {
  readonly number: number;
  readonly held: HeldAudit;
  keptAt: number;
}

/** What one server does of the audit. */
export class AuditShare {
  readonly #holder: string;
  #part: PartInHand | undefined;
  #lookAt = 0;
  #failures = 0;
  /** How many rows may still be looked at now; below 0 after more than that. */
  #left = 0;

  /** @param holder an id of this server */
  constructor(holder: string) {
    this.#holder = holder;
  }

  /**
   * Audits as many rows as in a second, and repairs.
   * @param stopping ends it between rows; what is not audited to the end, others go on with
   */
  async run(app: AppContext, audits: readonly Audit[], stopping?: AbortSignal): Promise<void> {
    const rate = app.config.auditRowsPerSecond;
    this.#left = Math.min(rate, this.#left + rate);
    if (this.#left <= 0 && this.#part) await this.#isLost(app, this.#part, KEEP_WAITING_MS);
    while (this.#left > 0 && !stopping?.aborted) {
      this.#part ??= await this.#take(app, audits);
      if (!this.#part) return;
      try {
        await this.#goOn(app, audits, this.#part, stopping);
      } catch (error) {
        // Others go on with it in two minutes: what holds up this part holds up no other.
        if (++this.#failures % FAILURES_MAX === 0) this.#part = undefined;
        throw error;
      }
    }
  }

  /** Goes on with a part, until its end, or until as many rows were looked at. */
  async #goOn(app: AppContext, audits: readonly Audit[], part: PartInHand, stopping?: AbortSignal): Promise<void> {
    const scope = { part: part.number + 1, parts: AUDIT_PARTS };
    for await (const page of audit(app, audits, scope, true, part.held.position, stopping)) {
      part.held.add(page);
      tell(app, page);
      this.#left -= Math.max(page.rowsRead, STATEMENT_ROWS);
      this.#failures = 0;
      // By a clock that is wrong it would be kept for whoever knows how long.
      if (whyUntrusted(app) !== undefined) this.#left = Math.min(0, this.#left);
      else if (await this.#isLost(app, part, KEEP_MS)) return;
      // What could not be read may be so for a moment: the next run tries again.
      if (page.isFailed) this.#left = Math.min(0, this.#left);
      if (this.#left <= 0) return;
    }
    if (stopping?.aborted) return;
    part.held.end(app, audits);
    await this.#keep(app, part);
    this.#part = undefined;
  }

  /** Keeps how far a part is now and then. @returns whether another server has it in hand */
  async #isLost(app: AppContext, part: PartInHand, everyMs: number): Promise<boolean> {
    const now = app.clock().getTime();
    // Also after the clock was set back.
    if (Math.abs(now - part.keptAt) < everyMs) return false;
    part.keptAt = now;
    return !(await this.#keep(app, part));
  }

  /** Keeps how far a part is. @returns false when another server has it in hand */
  async #keep(app: AppContext, { held }: PartInHand): Promise<boolean> {
    this.#left -= STATEMENT_ROWS;
    const isKept = await held.keep(app);
    if (!isKept) this.#part = undefined;
    return isKept;
  }

  /** Takes a part in hand that is to be audited; none where all are done, or in hand. */
  async #take(app: AppContext, audits: readonly Audit[]): Promise<PartInHand | undefined> {
    const now = app.clock().getTime();
    // A clock that was set back does not keep a server from looking.
    if (now < this.#lookAt && this.#lookAt - now <= LOOK_MS) return undefined;

    this.#left -= STATEMENT_ROWS;
    const found = await auditPartsOf(app);
    const states = [...found.values()];
    const done = new Set(states.filter((state) => isDone(state, audits)));
    const round = roundNow(states, done, now);
    note(app, states, { round, done }, now);
    for (const number of shardsInTurn(app, AUDIT_PARTS)) {
      const before = found.get(partName(number));
      if (before && (done.has(before) || isHeld(before, now)) && before.round === round) continue;
      const held = new HeldAudit(app, partName(number), this.#holder, before, round);
      if (await this.#keep(app, { number, held, keptAt: now })) return { number, held, keptAt: now };
    }
    this.#lookAt = now + LOOK_MS;
    return undefined;
  }
}

/** Which round it is: the newest one that was begun, or the next one where that ended some time ago. */
function roundNow(states: readonly AuditState[], done: ReadonlySet<AuditState>, now: number): number {
  const round = Math.max(1, ...states.map((state) => state.round));
  const ofRound = states.filter((state) => state.round === round);
  if (ofRound.length < AUDIT_PARTS || !ofRound.every((state) => done.has(state))) return round;

  const endedAt = Math.max(...ofRound.map(({ audited_at }) => audited_at?.getTime() ?? now));
  return now - endedAt >= ROUND_PAUSE_MS ? round + 1 : round;
}

/** Nobody has a part for longer than that from now on, unless their clock was wrong. */
const isHeld = ({ held_until }: AuditState, now: number) =>
  held_until.getTime() > now && held_until.getTime() <= now + 2 * HELD_MS;

/** Notes how long the rounds take. */
function note(
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

/** Tells the operators what was found. */
function tell({ logger }: AppContext, { kind, rows, drift, unreadable: passedBy }: AuditedPage): void {
  audited.inc({ kind }, rows);
  for (const { table, what, repaired: isRepaired } of drift) {
    drifted.inc({ kind, table });
    const about = { kind, table, what, repaired: isRepaired };
    if (isRepaired) {
      repaired.inc({ kind, table });
      logger.error(about, 'something had drifted, and was repaired');
    } else {
      logger.fatal(about, 'something has drifted, and could not be repaired; see npm run audit');
    }
  }
  for (const { table, partition } of passedBy) {
    unreadable.inc({ kind, table });
    logger.error({ kind, table, partition }, 'a partition cannot be read, and was not audited');
  }
}
