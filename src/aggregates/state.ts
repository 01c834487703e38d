import { keepUnknownFields } from '../cassandra/unknown-fields.ts';
import type { AppContext } from '../context/context.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';

/** The states of aggregates, and their versions. */

/** The columns that every aggregate's state has. */
export interface Version {
  /** The number of changes, from 1. */
  readonly version: number;
  /** The time of the newest change, always later than the time of the previous change. */
  readonly changed_at: Date;
  /** The call that made the newest change; `LOWEST_UUID` in a tombstone. */
  readonly change_id: string;
}

/** A state without its version. */
export type Content<State extends Version> = Omit<State, keyof Version>;

/**
 * Returns whether a state is a tombstone: a row in which nothing is decided, which makes the
 * condition of a slow caller fail.
 */
export const isTombstone = ({ change_id }: Pick<Version, 'change_id'>): boolean => change_id === LOWEST_UUID;

const TOMBSTONE_SECONDS = 86_400;
/**
 * Returns the time for which a row is kept, 0 if it never expires. A tombstone is kept for a day,
 * because no process is slow for longer.
 */
export const ttlOf = (state: Version): number => (isTombstone(state) ? TOMBSTONE_SECONDS : 0);

export const versioned = <State extends Version>(content: Content<State>, version: Version): State =>
  ({ ...content, ...version }) as State;

/** Returns the version of a change. */
export const versionAfter = ({ randomId }: AppContext, state: Version | undefined, now: Date): Version => ({
  version: (state?.version ?? 0) + 1,
  changed_at: momentAfter(state, now),
  change_id: randomId(),
});

/**
 * Returns the moment of a change: now, but always later than the previous change, even if the
 * servers' clocks differ.
 */
export const momentAfter = (state: Version | undefined, now: Date): Date =>
  state && state.changed_at >= now ? new Date(state.changed_at.getTime() + 1) : now;

/**
 * Makes the state after a change. It keeps fields of the former state that only a server of a later
 * release knows.
 */
export const following = <State extends Version>(
  former: State | undefined,
  content: Content<State>,
  version: Version,
): State => keepUnknownFields(former, versioned(content, version));
