import { gql, type ApolloClient } from '@apollo/client';

interface LikeTallies {
  likeTallies: { changes: { id: string; likeTally: { count: number; version: number } | null }[] };
}

const LIKE_TALLIES = gql`
  subscription LikeTallies($ids: [ID!]!) {
    likeTallies(ids: $ids) {
      changes {
        id
        likeTally {
          count
          version
        }
      }
    }
  }
`;

/** A stream that has ended is opened again after some seconds, by each client at another moment. */
const againAfterMs = () => 1_000 + Math.random() * 4_000;

/**
 * Keeps the like counts of the shown objects in the cache current, 100 objects at most.
 * @returns a function that ends it
 */
export function watchLikes(client: ApolloClient, shown: readonly { __typename: string; id: string }[]): () => void {
  const objects = new Map(shown.map((each) => [each.id, client.cache.identify(each)]));
  const versions = new Map<string, number>();
  let end: () => void = () => undefined;

  const begin = () => {
    const events = client.subscribe<LikeTallies>({ query: LIKE_TALLIES, variables: { ids: [...objects.keys()] } });
    const subscription = events.subscribe({
      next: ({ data }) => {
        for (const { id, likeTally } of data?.likeTallies.changes ?? []) {
          // Another server may answer the next stream, and may be a moment behind this one.
          if (!likeTally || likeTally.version < (versions.get(id) ?? 0)) continue;
          versions.set(id, likeTally.version);
          const object = objects.get(id);
          if (object !== undefined) client.cache.modify({ id: object, fields: { likeCount: () => likeTally.count } });
        }
      },
      // A stream ends when its access token expires, or when its server is replaced.
      complete: () => {
        again();
      },
      error: () => {
        again();
      },
    });
    end = () => {
      subscription.unsubscribe();
    };
  };
  const again = () => {
    const timer = setTimeout(begin, againAfterMs());
    end = () => {
      clearTimeout(timer);
    };
  };

  begin();
  return () => {
    end();
  };
}
