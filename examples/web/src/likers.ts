import type { ApolloCache, Reference } from '@apollo/client';

interface Likers {
  readonly edges: readonly { readonly node: Reference | null }[];
}

/**
 * Adds a reader to the cached likers of a book or copy, or removes them, so that the list follows
 * the count without a request.
 */
export function changeLikers(cache: ApolloCache, likeable: string, readerId: string, likes: boolean): void {
  const reader = cache.identify({ __typename: 'User', id: readerId });
  if (reader === undefined) return;
  cache.modify<{ likers: Likers }>({
    id: likeable,
    fields: {
      likers: (likers) => {
        if (!('edges' in likers)) return likers;
        const others = likers.edges.filter(({ node }) => node?.__ref !== reader);
        const own = { __typename: 'LikerEdge', cursor: '', likedAt: new Date().toISOString(), node: { __ref: reader } };
        return { ...likers, edges: likes ? [own, ...others] : others };
      },
    },
  });
}
