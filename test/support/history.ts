/**
 * Checks that what callers saw of one likeable could have happened one after the other: linearizability, as Wing and Gong
 * check it ("Testing and Verifying Concurrent Objects", 1993), with Lowe's memory of what was tried before.
 */

/** One call, as its caller saw it. Times may be in any unit, as long as they are of one clock. */
export interface Call {
  readonly verb: 'like' | 'unlike' | 'read';
  readonly begun: number;
  /** Infinity while the outcome is unknown: the call may yet take effect, or never. */
  readonly ended: number;
  /** `changed` of a like or unlike, the flag that a read gave; unset while the outcome is unknown. */
  readonly answer?: boolean;
}

/**
 * Whether the calls about one reader and one likeable could have taken effect one at a time, each between its beginning
 * and its end.
 * @param liked the state before the first call
 */
export function isLinearizable(calls: readonly Call[], liked = false): boolean {
  const ordered = calls.toSorted((one, other) => one.begun - other.begun);
  const seen = new Set<string>();

  const search = (done: bigint, state: boolean): boolean => {
    const open = ordered.flatMap((call, index) => ((done >> BigInt(index)) & 1n ? [] : [{ call, index }]));
    const earliestEnd = Math.min(...open.map(({ call }) => call.ended));
    if (earliestEnd === Infinity) return true;
    const key = `${done} ${state}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return open.some(({ call, index }) => {
      if (call.begun > earliestEnd) return false;
      const next = call.verb === 'read' ? state : call.verb === 'like';
      const answer = call.verb === 'read' ? state : next !== state;
      if (call.answer !== undefined && call.answer !== answer) return false;
      // An unknown call that changes nothing may as well be later.
      if (call.answer === undefined && next === state) return false;
      return search(done | (1n << BigInt(index)), next);
    });
  };
  return search(0n, liked);
}
