import { Client, fetchExchange, gql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';

/** The types of what can be liked. */
const LIKEABLE_TYPES = ['Book', 'BookList', 'Item', 'Review'] as const;

export interface LikeableData {
  readonly __typename: (typeof LIKEABLE_TYPES)[number];
  readonly id: string;
  readonly likeCount: number;
  readonly viewerHasLiked: boolean;
}

export const LIKEABLES = gql<{ nodes: (LikeableData | null)[] | null }, { ids: string[] }>`
  query Likeables($ids: [ID!]!) {
    nodes(ids: $ids) {
      __typename
      id
      ... on Likeable {
        likeCount
        viewerHasLiked
      }
    }
  }
`;

const LIKE = gql<{ like: { likeable: LikeableData | null; userErrors: { code: string }[] } }, { id: string }>`
  mutation Like($id: ID!) {
    like(input: { id: $id }) {
      likeable {
        __typename
        id
        likeCount
        viewerHasLiked
      }
      userErrors {
        code
        message
      }
    }
  }
`;

/** @param tokenOf returns the access token, once for each request; undefined if signed out */
export function urqlClient(url: string, tokenOf: () => string | undefined): Client {
  return new Client({
    url: `${url}/graphql`,
    preferGetMethod: false,
    fetchOptions: () => {
      const token = tokenOf();
      return token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
    },
    exchanges: [
      cacheExchange({
        // The types that a fragment on an interface can apply to.
        possibleTypes: { Likeable: [...LIKEABLE_TYPES] },
        optimistic: {
          // The like is shown at once, and reverted automatically if it fails.
          like: ({ input }, cache) => {
            const { id } = input as { id: string };
            const countOf = (type: string) => cache.resolve({ __typename: type, id }, 'likeCount');
            const type = LIKEABLE_TYPES.find((each) => countOf(each) !== undefined);
            if (type === undefined) return null;
            return {
              __typename: 'LikePayload',
              likeable: { __typename: type, id, likeCount: Number(countOf(type)) + 1, viewerHasLiked: true },
              userErrors: [],
            };
          },
        },
      }),
      fetchExchange,
    ],
  });
}

/** Likes; urql answers with an `error` and does not throw it. */
export const like = (client: Client, id: string) => client.mutation(LIKE, { id }).toPromise();
