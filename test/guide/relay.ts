import {
  commitMutation,
  Environment,
  graphql,
  Network,
  RecordSource,
  Store,
  type GraphQLResponse,
} from 'relay-runtime';
import type { relayLikeMutation } from './__generated__/relayLikeMutation.graphql.ts';

export interface LikeableData {
  readonly __typename: 'Book' | 'BookList' | 'Item' | 'Review';
  readonly id: string;
  readonly likeCount: number;
  readonly viewerHasLiked: boolean;
}

export const LIKEABLES = graphql`
  query relayLikeablesQuery($ids: [ID!]!) {
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

const LIKE = graphql`
  mutation relayLikeMutation($id: ID!) @raw_response_type {
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

/** @param tokenOf returns the access token, once for each request; undefined if signed out */
export function relayEnvironment(url: string, tokenOf: () => string | undefined): Environment {
  const network = Network.create(async ({ name, text }, variables) => {
    const token = tokenOf();
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization },
      body: JSON.stringify({ operationName: name, query: text, variables }),
    });
    return response.json() as Promise<GraphQLResponse>;
  });
  return new Environment({ network, store: new Store(new RecordSource()) });
}

/**
 * Shows the like at once. The store reverts it automatically if it fails, so nothing else is
 * needed.
 */
export const like = (environment: Environment, { __typename, id, likeCount }: LikeableData) =>
  new Promise<relayLikeMutation['response']>((resolve, reject) => {
    commitMutation<relayLikeMutation>(environment, {
      mutation: LIKE,
      variables: { id },
      optimisticResponse: {
        like: { likeable: { __typename, id, likeCount: likeCount + 1, viewerHasLiked: true }, userErrors: [] },
      },
      onCompleted: resolve,
      onError: reject,
    });
  });
