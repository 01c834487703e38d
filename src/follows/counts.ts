import { isDeepStrictEqual } from 'node:util';
import { isTombstone } from '../aggregates/state.ts';
import type { Suspect } from '../audit/audit.ts';
import { untilKnown, waitAfterConflict } from '../cassandra/retries.ts';
import { prepareAgain, type StateTable } from '../cassandra/state-table.ts';
import { applied, appliedBatch, bind, each, first, type Cassandra } from '../cassandra/statement.ts';
import { keepUnknownFields } from '../cassandra/unknown-fields.ts';
import type { AppContext } from '../context/context.ts';
import { invalidInput, type UserError } from '../graphql/errors.ts';
import {
  followStates,
  selectFollowCounts,
  selectFollowMarks,
  updateFollowCounts,
  type FollowCounts,
  type FollowState,
} from './tables.ts';

/**
 * The numbers of each reader's follows, which limit them. They change in the conditional batch of
 * the state. So they are exact, however many servers change follows of a reader at the same time,
 * and a follow reads no other states.
 */

/** The maximum number of readers that a reader follows, or has asked to, at once. */
export const FOLLOWS_MAX = 2_000;
/** The maximum number of readers whose follow by a reader has a state, former follows included. */
const FOLLOWS_EVER_MAX = 20_000;

/** The part of the counts that follows from the states. */
type Numbers = Pick<FollowCounts, 'at_once' | 'ever'>;

/** Returns what a state adds to the counts. */
const numbersOf = (state: Pick<FollowState, 'followed' | 'requested' | 'change_id'> | null): Numbers =>
  state && !isTombstone(state)
    ? { at_once: state.followed || state.requested ? 1 : 0, ever: 1 }
    : { at_once: 0, ever: 0 };

/** Returns the counts after others, with some numbers; null if there are no states. */
const countsOf = (former: FollowCounts | null, { at_once, ever }: Numbers): FollowCounts | null =>
  ever === 0 ? null : keepUnknownFields(former, { version: (former?.version ?? 0) + 1, at_once, ever });

/** Reads the counts of a reader; null if there are none. */
const readCounts = async (cassandra: Cassandra, user_id: string): Promise<FollowCounts | null> =>
  (await first(cassandra, selectFollowCounts, { user_id, rows_max: 1 }))?.counts ?? null;

type States = typeof followStates;
type Key = States extends StateTable<infer Of, FollowState> ? Of : never;

/**
 * The states of follows, whose changes also change the counts. `compareAndSet` throws a
 * {@link UserError} `INVALID_INPUT` about `id` for a follow beyond a maximum.
 */
export const countedStates: States = { ...followStates, compareAndSet };

async function compareAndSet(
  cassandra: Cassandra,
  key: Key,
  believed: FollowState | null,
  next: FollowState,
): ReturnType<States['compareAndSet']> {
  const [before, after] = [numbersOf(believed), numbersOf(next)];
  const more = { at_once: after.at_once - before.at_once, ever: after.ever - before.ever };
  if (more.at_once === 0 && more.ever === 0) return followStates.compareAndSet(cassandra, key, believed, next);

  const { user_id } = key;
  const counts = await readCounts(cassandra, user_id);
  const numbers = { at_once: (counts?.at_once ?? 0) + more.at_once, ever: (counts?.ever ?? 0) + more.ever };
  const refusal = refusalOf(numbers, more);
  const change = { user_id, current: counts, next: countsOf(counts, numbers) };
  const writes = [followStates.bind(key, believed, next), bind(updateFollowCounts, change)];
  if (!refusal && (await appliedBatch(cassandra, writes))) return { applied: true };

  const state = await followStates.read(cassandra, key);
  if (isDeepStrictEqual(state ?? null, believed)) {
    // The answer to an earlier attempt may have been lost. The state shows that there was none.
    if (refusal) throw refusal;
    if (isDeepStrictEqual(await readCounts(cassandra, user_id), counts)) prepareAgain(cassandra);
  }
  return { applied: false, current: state && { state } };
}

/** Returns the reason why a follow is refused; `undefined` if it is not, or is none. */
function refusalOf({ at_once, ever }: Numbers, more: Numbers): UserError | undefined {
  if (more.at_once > 0 && at_once > FOLLOWS_MAX) return tooMany('You follow', FOLLOWS_MAX, 'Unfollow a reader first.');
  if (more.ever > 0 && ever > FOLLOWS_EVER_MAX)
    return tooMany('You have followed', FOLLOWS_EVER_MAX, 'Whom you followed before, you can follow again.');
  return undefined;
}

const tooMany = (what: string, max: number, advice: string): UserError =>
  invalidInput(['id'], `${what} ${max.toLocaleString('en')} readers, and nobody can follow more. ${advice}`);

/** Counts a reader's follows by their states, and returns the stored and the right counts. */
async function count(cassandra: Cassandra, user_id: string) {
  const stored = await readCounts(cassandra, user_id);
  const numbers = { at_once: 0, ever: 0 };
  for await (const mark of each(cassandra, selectFollowMarks, { user_id })) {
    const { at_once, ever } = numbersOf(mark);
    numbers.at_once += at_once;
    numbers.ever += ever;
  }
  const isRight = numbers.at_once === (stored?.at_once ?? 0) && numbers.ever === (stored?.ever ?? 0);
  return { stored, right: countsOf(stored, numbers), isRight };
}

/** Counts a reader's follows again. It is safe while others change them. */
export async function recount({ cassandra }: Pick<AppContext, 'cassandra'>, user_id: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { stored, right, isRight } = await count(cassandra, user_id);
    if (isRight) return;
    const change = { user_id, current: stored, next: right };
    if ((await untilKnown(cassandra, () => applied(cassandra, updateFollowCounts, change))).applied) return;
    await waitAfterConflict(cassandra, tries, 'the counts');
  }
}

/** Returns the suspect for wrong counts of a reader; `undefined` if they are right. */
export async function wrongCounts(app: AppContext, userId: string): Promise<Suspect | undefined> {
  const { cassandra } = app;
  const look = async () => {
    const { stored, isRight } = await count(cassandra, userId);
    if (isRight) return [];
    return isDeepStrictEqual(await readCounts(cassandra, userId), stored) ? [followStates.name] : undefined;
  };
  // Counts that change meanwhile are compared when they rest.
  if (!(await look())?.length) return undefined;
  return { what: `the counts of the follows of ${userId}`, look, repair: () => recount(app, userId) };
}
