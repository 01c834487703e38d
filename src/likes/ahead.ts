import type { RequestContext } from '../context/context.ts';
import { subjectOf, type NodeId } from '../graphql/ids.ts';
import { readCountsAhead, viewerLikeLoader } from './loaders.ts';

/**
 * Reads the counts of a page of likeables and the viewer's likes of them, if the document requests
 * them.
 */
export async function readLikesAhead(
  context: RequestContext,
  nodes: readonly NodeId[],
  asked: ReadonlySet<string>,
): Promise<void> {
  const subjects = nodes.map(subjectOf);
  const isLikeAsked = asked.has('viewerHasLiked') || asked.has('viewerLikedAt');
  await Promise.all([
    asked.has('likeCount') && readCountsAhead(context, subjects),
    isLikeAsked && viewerLikeLoader(context).ahead(subjects),
  ]);
}
