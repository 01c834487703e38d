import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client/core';

export interface LikeableData {
  readonly __typename: 'Book' | 'Item';
  readonly id: string;
  readonly likeCount: number;
  readonly viewerHasLiked: boolean;
}

export const LIKEABLES: TypedDocumentNode<{ nodes: (LikeableData | null)[] | null }, { ids: string[] }> = gql`
  query Likeables($ids: [ID!]!) {
    nodes(ids: $ids) {
      id
      ... on Likeable {
        likeCount
        viewerHasLiked
      }
    }
  }
`;

const LIKE: TypedDocumentNode<LikeData, { id: string }> = gql`
  mutation Like($id: ID!) {
    like(input: { id: $id }) {
      likeable {
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
interface LikeData {
  readonly like: {
    readonly __typename: 'LikePayload';
    readonly likeable: LikeableData | null;
    readonly userErrors: readonly { readonly code: string; readonly message: string }[];
  };
}

/** @param tokenOf returns the access token, once for each request; undefined if signed out */
export function apolloClient(url: string, tokenOf: () => string | undefined): ApolloClient {
  const signed = new ApolloLink((operation, forward) => {
    const token = tokenOf();
    if (token !== undefined) operation.setContext({ headers: { authorization: `Bearer ${token}` } });
    return forward(operation);
  });
  return new ApolloClient({
    link: ApolloLink.from([signed, new HttpLink({ uri: `${url}/graphql` })]),
    // The types that a fragment on an interface can apply to.
    cache: new InMemoryCache({ possibleTypes: { Likeable: ['Book', 'Item'] } }),
  });
}

/**
 * Shows the like at once. The cache takes it back by itself if it fails, so nothing else is needed.
 */
export const like = (client: ApolloClient, { __typename, id, likeCount }: LikeableData) =>
  client.mutate({
    mutation: LIKE,
    variables: { id },
    optimisticResponse: {
      like: {
        __typename: 'LikePayload',
        likeable: { __typename, id, likeCount: likeCount + 1, viewerHasLiked: true },
        userErrors: [],
      },
    },
  });
