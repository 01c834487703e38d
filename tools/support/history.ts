/**
 * Checks that the answers about one likeable are consistent with some sequential order of the
 * calls. This is linearizability, checked by the algorithm of Wing and Gong ("Testing and Verifying
 * Concurrent Objects", 1993) with Lowe's cache of visited states.
 */

/** One call and its outcome. Times may be in any unit, but must all be from one clock. */
export interface Operation<Verb, State> {
  readonly verb: Verb;
  readonly begun: number;
  /** Infinity while the outcome is unknown: the call may yet take effect, or never. */
  readonly ended: number;
  /** Unset while the outcome is unknown, and for a call that answers only that it is done. */
  readonly answer?: State;
}

/**
 * A call about a like. `answer`: `changed` of a like or unlike, or the flag that a read returned.
 */
export type Call = Operation<'like' | 'unlike' | 'read', boolean>;

/** Computes the next state of a call, and its answer if it has one. */
export type Effect<Verb, State> = (state: State, verb: Verb) => { readonly state: State; readonly answer?: State };

/**
 * Returns whether the calls about one thing could have taken effect one at a time, each between its
 * beginning and its end.
 * @param initial the state before the first call
 */
export function isPossible<Verb, State extends string | boolean>(
  calls: readonly Operation<Verb, State>[],
  initial: State,
  effect: Effect<Verb, State>,
): boolean {
  const ordered = calls.toSorted((one, other) => one.begun - other.begun);
  const seen = new Set<string>();

  const search = (done: bigint, state: State): boolean => {
    const open = ordered.flatMap((call, index) => ((done >> BigInt(index)) & 1n ? [] : [{ call, index }]));
    const earliestEnd = Math.min(...open.map(({ call }) => call.ended));
    if (earliestEnd === Infinity) return true;
    const key = `${done} ${state}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const unknown = new Set<Verb>();
    return open.some(({ call, index }) => {
      if (call.begun > earliestEnd) return false;
      // It is enough to try the first of several equal calls with an unknown outcome. Without this
      // rule there are 2^n ways.
      if (call.ended === Infinity && unknown.has(call.verb)) return false;
      if (call.ended === Infinity) unknown.add(call.verb);
      const next = effect(state, call.verb);
      if (call.answer !== undefined && next.answer !== undefined && call.answer !== next.answer) return false;
      // An unknown call that changes nothing can be skipped.
      if (call.ended === Infinity && next.state === state) return false;
      return search(done | (1n << BigInt(index)), next.state);
    });
  };
  return search(0n, initial);
}

/**
 * Applies {@link isPossible} to the calls about one reader and one likeable.
 * @param liked the state before the first call
 */
export const isLinearizable = (calls: readonly Call[], liked = false): boolean =>
  isPossible(calls, liked, (state, verb) => {
    if (verb === 'read') return { state, answer: state };
    const next = verb === 'like';
    return { state: next, answer: next !== state };
  });

/** The maximum number of follows that one block may end, in the histories that are checked. */
const ENDS_MAX = 3;

/**
 * Returns the possible ends of follows by a block of either reader, as calls that take them back.
 * @param block the call that blocks
 * @param history the calls about one follow, which have the same possible histories as likes
 */
export function endsBy({ begun, ended }: Call, history: readonly Call[]): Call[] {
  // A follow that began before the block ended may find the readers hidden after that.
  const late = history.filter((call) => call.verb === 'like' && call.begun <= ended).map((call) => call.ended);
  return Array.from({ length: ENDS_MAX }, () => ({ verb: 'unlike', begun, ended: Math.max(ended, ...late) }));
}
