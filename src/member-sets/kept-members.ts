import { all } from '../cassandra/maybe-promise.ts';
import { Recent } from '../cassandra/recent-reads.ts';
import { KEYS_PER_STATEMENT, keysInParts } from '../cassandra/statement-builders.ts';
import { rows, sharedOf, type Cassandra } from '../cassandra/statement.ts';
import { perProcess, type RequestContext } from '../context/context.ts';
import { MINUTE_MS } from '../time/units.ts';
import type { LikeCounts } from './counts.ts';
import { PackedIds } from './packed-ids.ts';
import { likeTables } from './tables.ts';

/**
 * The members of small sets, kept in this process. They are kept with the counts that were read
 * before them, so they include every change that these counts include. As long as the counts that a
 * request shows include no other change, the members are as current as the counts. So a set is read
 * once after a change, although its counts are dropped several times.
 */

/** The maximum number of members of a kept set. */
export const MEMBERS_KEPT_OF_ONE = 5_000;
/** The maximum number of members that a request reads to keep them. */
const MEMBERS_READ_AT_ONCE = 10_000;
/** The maximum memory of all kept sets. */
const MEMBERS_BYTES_MAX = 40 * 2 ** 20;
/** The memory of a set besides its members: its entry, name, counts and arrays. */
const SET_BYTES = 800;
const MEMBERS_KEPT_MS = 5 * MINUTE_MS;

interface KeptMembers {
  /** The counts that were read before the members. */
  readonly counts: LikeCounts;
  /** The ids, that of the newest member first. */
  readonly ids: PackedIds;
}

const keptMembers = perProcess(
  ({ monotonicNow }) =>
    new Recent<KeptMembers>({
      name: 'MEMBERS',
      milliseconds: MEMBERS_KEPT_MS,
      untilChanged: { milliseconds: MEMBERS_KEPT_MS, isCurrent: () => true },
      sizeMax: MEMBERS_BYTES_MAX,
      sizeOf: (_likeableId, { ids }) => SET_BYTES + ids.bytes,
      monotonicNow,
    }),
);

/** Readers to find among the members of sets. */
export interface SoughtReaders {
  readonly ids: readonly string[];
  /** The same ids. */
  readonly packed: PackedIds;
}

/** The readers that were found among the members of some sets. */
export interface FoundMembers {
  /** By likeable_id, the newest member first. */
  readonly found: Map<string, readonly string[]>;
  /** The sets that are too large to be kept, or for one request to read. */
  readonly tooLarge: readonly LikeCounts[];
}

/**
 * Finds readers among the members of sets.
 * @param sets the counts of the sets, as the request shows them
 * @param sought the readers
 */
export async function membersAmong(
  context: RequestContext,
  sets: readonly LikeCounts[],
  sought: SoughtReaders,
): Promise<FoundMembers> {
  const kept = await all(sets.map(({ likeableId }) => keptMembers(context).kept(likeableId)));
  const current = sets.flatMap((counts, index) => (kept[index]?.counts.include(counts) ? kept[index] : []));
  const missing = sets.filter((counts, index) => !kept[index]?.counts.include(counts));

  let left = MEMBERS_READ_AT_ONCE;
  const isSmall = ({ likeCount, shards }: LikeCounts) =>
    likeCount <= MEMBERS_KEPT_OF_ONE && shards.length <= KEYS_PER_STATEMENT && (left -= likeCount) >= 0;
  const fewestFirst = missing.toSorted((one, other) => one.likeCount - other.likeCount);
  const { small = [], tooLarge = [] } = Object.groupBy(fewestFirst, (each) => (isSmall(each) ? 'small' : 'tooLarge'));
  const read = small.length > 0 ? await readAndKeep(context, small) : [];

  const found = [...current, ...read].map(({ counts, ids }) => [counts.likeableId, soughtAmong(sought, ids)] as const);
  return { found: new Map(found), tooLarge };
}

/** Returns the ids of the sought readers who are members, in the order of the members. */
function soughtAmong({ ids, packed }: SoughtReaders, members: PackedIds): string[] {
  const places = members.placesIn(packed).toSorted(([one], [other]) => one - other);
  return places.map(([_place, sought]) => ids[sought] ?? '');
}

/** Reads sets for this and other requests. The rows count against the budget of this one. */
async function readAndKeep(context: RequestContext, sets: readonly LikeCounts[]): Promise<KeptMembers[]> {
  const { budget } = context;
  budget?.check();
  const reading = readMembers(sharedOf(context.cassandra), sets);
  const keeping = Promise.all(
    sets.map((counts) =>
      keptMembers(context).keep(counts.likeableId, async () => {
        const members = (await reading).get(counts.likeableId) ?? [];
        return { counts, ids: new PackedIds(members.toSorted(newestFirst).map(({ user_id }) => user_id)) };
      }),
    ),
  );
  const read = await (budget?.during(keeping) ?? keeping);
  for (const { counts, ids } of read) budget?.countSize({ rows: counts.likeCount, bytes: ids.bytes });
  return read;
}

/** A row of a member. */
interface Member {
  readonly liked_at: Date;
  readonly user_id: string;
}

/** Reads the members of sets, by likeable_id. Sets with the same shards are read together. */
async function readMembers(
  cassandra: Cassandra,
  sets: readonly LikeCounts[],
): Promise<ReadonlyMap<string, readonly Member[]>> {
  const parts = [...Map.groupBy(sets, ({ shards }) => shards.join()).values()].flatMap((alike) => {
    const shards = alike[0]?.shards ?? [];
    const ids = alike.map(({ likeableId }) => likeableId);
    return keysInParts(ids, Math.floor(KEYS_PER_STATEMENT / shards.length)).map((part) => ({ ids: part, shards }));
  });
  const read = await Promise.all(
    parts.map(({ ids, shards }) =>
      rows(cassandra, likeTables.selectMembers, {
        likeable_ids: ids,
        shards,
        liked: true,
        rows_max: MEMBERS_READ_AT_ONCE,
      }),
    ),
  );
  return Map.groupBy(read.flat(), ({ likeable_id }) => likeable_id);
}

/** Orders members as the pages of a set do. */
export const newestFirst = (one: Member, other: Member): number =>
  other.liked_at.getTime() - one.liked_at.getTime() || (one.user_id < other.user_id ? 1 : -1);
