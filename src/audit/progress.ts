import { z } from 'zod';
import { untilKnown } from '../cassandra/retries.ts';
import { rows } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { auditPosition, tablesIn, type Audit, type AuditedPage, type AuditPosition } from './audit.ts';
import { auditStates, selectAudits, type AuditState } from './tables.ts';

/**
 * The time without stored progress after which other servers may continue an audit, because its
 * process has ended or is very slow.
 */
export const HELD_MS = 120_000;

/** Returns the position of an audit; `undefined` at its beginning. */
function positionOf({ position }: AuditState): AuditPosition | undefined {
  if (position === null) return undefined;
  const kept = auditPosition.safeParse(JSON.parse(position));
  // An audit whose position was stored by another version in another format begins again.
  return kept.success ? kept.data : undefined;
}

/**
 * Removes the page state, which contains the key of a row, such as an email, and must not be
 * stored. The audit then continues with the partition in which the page ended.
 */
const withoutKeys = ({ done, at }: AuditPosition): AuditPosition =>
  at === undefined || at.pageState === ''
    ? { done, at }
    : { done, at: { ...at, above: at.token - 1n, token: at.token - 1n, pageState: '' } };

/** Returns whether the round of an audit has ended, under any version of the product. */
export const isEnded = ({ begun_at, audited_at }: AuditState): boolean => audited_at !== null && audited_at >= begun_at;

/**
 * Returns whether the round of an audit has ended and scanned all tables of some audits. During an
 * upgrade, a server of an older version ends a round without the tables that it does not know.
 */
export function isDone(state: AuditState, audits: readonly Audit[]): boolean {
  if (!isEnded(state)) return false;
  const done = new Set(positionOf(state)?.done);
  return tablesIn(audits).every((table) => done.has(table));
}

const keptAs = (position: AuditPosition): string => JSON.stringify(z.encode(auditPosition, position));

/** Returns the progress of the named audits. Audits that were never begun are missing. */
export async function auditStatesOf(
  { cassandra }: AppContext,
  names: readonly string[],
): Promise<Map<string, AuditState>> {
  const found = await rows(cassandra, selectAudits, { names });
  return new Map(found.map(({ name, state }) => [name, state]));
}

/** An audit that this process holds. */
export class HeldAudit {
  readonly #name: string;
  #kept: AuditState | undefined;
  #state: AuditState;
  #position: AuditPosition | undefined;

  /**
   * @param name the name of the audit
   * @param holder an id of this process
   * @param before the stored progress
   * @param round the number of the round; stored progress of the same round is continued
   */
  constructor(app: AppContext, name: string, holder: string, before: AuditState | undefined, round: number) {
    const begun = {
      round,
      position: null,
      rows_done: 0n,
      drift_found: 0,
      unreadable_found: 0,
      begun_at: app.clock(),
      audited_at: before?.audited_at ?? null,
    };
    this.#name = name;
    this.#kept = before;
    this.#state = { ...(before?.round === round ? before : begun), holder, held_until: app.clock() };
    this.#position = positionOf(this.#state);
  }

  /** The position to continue from; `undefined` at the beginning. */
  get position(): AuditPosition | undefined {
    return this.#position;
  }

  get state(): AuditState {
    return this.#state;
  }

  /** Adds the results of a page. */
  add(page: AuditedPage): void {
    const { rows_done, drift_found, unreadable_found } = this.#state;
    this.#position = page.position;
    this.#state = {
      ...this.#state,
      position: keptAs(withoutKeys(page.position)),
      rows_done: rows_done + BigInt(page.rows),
      drift_found: drift_found + page.drift.length,
      unreadable_found: unreadable_found + page.unreadable.length,
    };
  }

  /** Records the end of the round, and the tables that it covered. */
  end({ clock }: AppContext, audits: readonly Audit[]): void {
    this.#position = { done: [...new Set([...(this.#position?.done ?? []), ...tablesIn(audits)])] };
    this.#state = { ...this.#state, position: keptAs(this.#position), audited_at: clock() };
  }

  /**
   * Stores the progress.
   * @returns false if another process has continued the audit
   */
  async keep({ cassandra, clock }: AppContext): Promise<boolean> {
    const [before, key] = [this.#kept ?? null, { name: this.#name }];
    const next = { ...this.#state, held_until: new Date(clock().getTime() + HELD_MS) };
    const { applied, current } = await untilKnown(cassandra, async () => {
      const result = await auditStates.compareAndSet(cassandra, key, before, next);
      return { applied: result.applied, current: result.applied ? undefined : result.current?.state };
    });
    // The row may be our own, from an attempt whose answer was lost.
    const isOwn = current?.holder === next.holder && current.held_until.getTime() === next.held_until.getTime();
    if (applied || isOwn) this.#kept = this.#state = next;
    return applied || isOwn;
  }
}
