import type { RequestContext } from '../context/context.ts';
import { subjectOf, type NodeId } from '../graphql/ids.ts';
import { countsAtHand } from '../member-sets/operations.ts';
import { readKnownLikersAhead } from './known-likers.ts';
import { shownCountLoader, viewerLikeLoader } from './loaders.ts';

/**
 * Reads the counts of a page of likeables, the viewer's likes of them, and those of the readers
 * whom the viewer follows, if the document requests them.
 */
export async function readLikesAhead(
  context: RequestContext,
  nodes: readonly NodeId[],
  asked: ReadonlySet<string>,
): Promise<void> {
  const subjects = nodes.map(subjectOf);
  const { kept = [], unknown = [] } = asked.has('likeCount')
    ? Object.groupBy(subjects, (id) => (countsAtHand(context, id) ? 'kept' : 'unknown'))
    : {};
  const isLikeAsked = asked.has('viewerHasLiked') || asked.has('viewerLikedAt');

  // The viewer's likes also show whether the viewer may have changed a kept count.
  await Promise.all([
    shownCountLoader(context).ahead(unknown),
    viewerLikeLoader(context).ahead(isLikeAsked ? subjects : kept),
    asked.has('knownLikers') && readKnownLikersAhead(context, subjects),
  ]);
}
