import type { Audience } from '../graphql/generated/schema-types.ts';
import { bind, type Bound } from '../cassandra/statement.ts';
import { DAY_SECONDS } from '../time/units.ts';
import { nameOfLike, type NamedLike } from './own-commits.ts';
import { tablesOf } from './tables.ts';

/** The changes of a shard, and their writes. */

/** The time that a former like is kept, so that a late repetition finds the newer version. */
const FORMER_LIKE_SECONDS = DAY_SECONDS;

/** The name of a reader in the row of a like, and who may see it. */
interface ShownLike {
  readonly fullName: string;
  readonly audience: Audience;
}

/** The rating in the row of a rating, in quarters of a star, from 1 to 20. */
interface ShownRating {
  readonly quarters: number;
}

/** One reader's like, or rating, of the shard's likeable, as the source of truth has it. */
export interface Change extends NamedLike {
  readonly version: number;
  /** `undefined` once it is taken back. */
  readonly shown: ShownLike | ShownRating | undefined;
}

export const quartersOf = (shown: Change['shown']): number | undefined =>
  shown && 'quarters' in shown ? shown.quarters : undefined;

/** Returns the newest change of each like. */
export function newestOfEach(changes: readonly Change[]): Change[] {
  const newest = new Map<string, Change>();
  for (const change of changes) {
    const key = nameOfLike(change);
    if ((newest.get(key)?.version ?? 0) < change.version) newest.set(key, change);
  }
  return [...newest.values()];
}

/**
 * Returns the writes of a change. Likers and former likers are in two slices, so that pages of
 * likers do not read former ones.
 */
export function writesOf(shard: { likeable_id: string; shard: number }, change: Change, wasLiked: boolean): Bound[] {
  const { deleteLiker, updateFormerLiker, updateLiker } = tablesOf(shard.likeable_id);
  const { userId, version, likedAt, shown } = change;
  const key = { ...shard, liked_at: likedAt, user_id: userId };
  const liker = { ...key, liked: true };
  if (shown) return [bind(updateLiker, { ...liker, version, ...columnsOf(shown) })];

  const former = bind(updateFormerLiker, { ...key, liked: false, version, kept_seconds: FORMER_LIKE_SECONDS });
  return wasLiked ? [bind(deleteLiker, liker), former] : [former];
}

const columnsOf = (shown: ShownLike | ShownRating) =>
  'quarters' in shown ? shown : { full_name: shown.fullName, audience: shown.audience };
