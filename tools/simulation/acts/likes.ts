import { bookEvenRemoved } from '../../../src/catalogue/operations.ts';
import { encodeId, subjectOf, type NodeId } from '../../../src/graphql/ids.ts';
import { existingAccount } from '../../../src/identity/operations.ts';
import { listIncludingDeleted } from '../../../src/lists/operations.ts';
import { like, likeTallyOf, unlike, viewerLikedAt } from '../../../src/likes/operations.ts';
import { itemById } from '../../../src/market/operations.ts';
import { reviewById } from '../../../src/reviews/operations.ts';
import { encode } from '../cluster/values.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/** The functions that read likeables, by type. */
const FIND = { Book: bookEvenRemoved, Item: itemById, BookList: listIncludingDeleted, Review: reviewById } as const;

interface LikeableId extends NodeId {
  readonly type: keyof typeof FIND;
}

/** The number of reviews that are liked. Some were deleted since then, and written again. */
const REVIEWS_LIKED = 6;

const writtenIn = ({ library }: Scene): LikeableId[] => [
  ...library.lists.flatMap(({ listId }) => (listId === undefined ? [] : [{ type: 'BookList', key: listId } as const])),
  ...[...library.writtenReviews].slice(-REVIEWS_LIKED).map((key) => ({ type: 'Review', key }) as const),
];

/** A reader likes a book, copy, list or review, takes that back, or reads whether they like it. */
export function callLikes(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const copies = library.copies.map(({ itemId }) => ({ type: 'Item', key: itemId }) as const);
  const others = [...copies, ...writtenIn(scene)];
  if (others.length > 0 && world.chance(0.3)) return changeOrAsk(scene, world.pick(others));
  return changeOrAsk(scene, { type: 'Book', key: world.pick(library.books) });
}

/** A reader likes a list or a review, takes that back, or reads whether they like it. */
export function callLikesOfWritten(scene: Scene): Promise<Outcome> {
  const written = writtenIn(scene);
  return written.length > 0 ? changeOrAsk(scene, scene.world.pick(written)) : callLikes(scene);
}

async function changeOrAsk(scene: Scene, likeable: LikeableId): Promise<Outcome> {
  const { world, library, problems } = scene;
  const userId = world.pick(library.readers);
  const verb = world.pick(['like', 'unlike', 'read'] as const);
  const call = begin(library.likes, `${userId} ${subjectOf(likeable)}`, verb, world.steps);
  const begun = world.steps;
  const came = await attempt(scene, () => changeOrRead(scene, userId, likeable, verb));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome !== 'DONE') return came.outcome;

  call.end(world.steps, came.result);
  const wasAlone = call.others.every(
    ({ ended, verb: other }) => ended < begun || (ended === Infinity && [verb, 'read'].includes(other)),
  );
  if (verb !== 'read' && wasAlone && !library.leaving.has(userId))
    problems.push(...unlisted(scene, userId, subjectOf(likeable), verb === 'like'));
  return 'DONE';
}

async function changeOrRead(
  scene: Scene,
  userId: string,
  id: LikeableId,
  verb: 'like' | 'unlike' | 'read',
): Promise<boolean> {
  const context = contextOf(scene, userId);
  if (verb === 'read') {
    const likeable = await FIND[id.type](context, id.key);
    // A like of something that does not exist is refused.
    if (!likeable) return false;
    await existingAccount(context, userId);
    const { count, isExact } = await likeTallyOf(context, likeable);
    const liked = (await viewerLikedAt(context, likeable)) !== null;
    if (isExact && count < 0) scene.problems.push(`${subjectOf(id)} is liked by ${count}`);
    return liked;
  }
  const input = { id: encodeId(id) };
  return (await (verb === 'like' ? like(context, input) : unlike(context, input))).changed;
}

/**
 * Finds lists that do not show a like immediately after its answer. No other call may be changing
 * the same like. Any majority of the nodes must show it.
 */
function* unlisted({ cluster }: Scene, userId: string, subject: string, isLiked: boolean): Generator<string> {
  const asked = cluster.network.nodes.flatMap((without) =>
    ['item_by_user', 'user_by_item'].map((table) => ({ table, without })),
  );
  for (const { table, without } of asked) {
    const isListed = cluster
      .scan(table, without)
      .some(
        (row) => String(row['user_id']) === userId && encode(row['likeable_id']) === subject && row['liked'] !== false,
      );
    if (isListed !== isLiked) yield `${table} does not immediately show the answered like of ${subject} by ${userId}`;
  }
}
