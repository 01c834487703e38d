import type { ApolloCache } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { FeedChangedDocument, type FeedQuery } from '../documents.generated.ts';
import { keepOpen } from '../live/keep-open.ts';

/** The number of entries that the server watches for each reader: those of the first page. */
const WATCHED = 20;
/** The page may have been answered a moment after the newest event was made. */
const SETTLED_MS = 1_000;

type Shown = NonNullable<FeedQuery['feed']>;

/**
 * Follows the reader's feed. What is gone vanishes from the page; what is new waits for the reader.
 * @param shown the feed that is shown; undefined before there is one
 * @returns whether the feed has something newer
 */
export function useNewEntries(shown: Shown | null | undefined): boolean {
  const client = useApolloClient();
  const [cursors, setCursors] = useState<readonly string[]>();

  useEffect(
    () =>
      keepOpen(client, {
        query: FeedChangedDocument,
        variables: {},
        needsReader: true,
        take: ({ feedChanged }) => setCursors(feedChanged.cursors),
      }),
    [client],
  );
  useEffect(() => {
    if (!cursors) return;
    const timer = setTimeout(() => removeGone(client.cache, cursors), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [client, cursors, shown]);

  const newest = cursors?.[0];
  return newest !== undefined && shown?.edges.some(({ cursor }) => cursor === newest) === false;
}

/** Removes the cached entries that are not in the feed any more. */
function removeGone(cache: ApolloCache, cursors: readonly string[]): void {
  cache.modify<{ feed: Shown | null }>({
    fields: {
      feed: (feed) => {
        if (!feed || !('edges' in feed)) return feed;
        const isThere = ({ cursor }: { readonly cursor: string }) => cursors.includes(cursor);
        const end = cursors.length < WATCHED ? feed.edges.length : feed.edges.findLastIndex(isThere);
        const edges = feed.edges.filter((edge, place) => place >= end || isThere(edge));
        return edges.length < feed.edges.length ? { ...feed, edges } : feed;
      },
    },
  });
}
