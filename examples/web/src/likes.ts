import type { ApolloClient } from '@apollo/client';
import type { Session } from './auth.ts';
import { change, IN_TURN } from './changes.ts';
import { LikeDocument, UnlikeDocument } from './documents.generated.ts';
import { changeLikers } from './likers.ts';
import { notify } from './notices.ts';

/** Likes of readers. */

export interface Likeable {
  readonly __typename: 'Book' | 'BookList' | 'Item' | 'Review';
  readonly id: string;
  readonly title: string;
}

/** Likes something, or takes the like back; says what is given as `done` once it is so. */
export function setLike(
  client: ApolloClient,
  { __typename, id }: Likeable,
  { readerId }: Session,
  isLiked: boolean,
  done?: string,
): void {
  const send = async (wanted: boolean) => {
    const { data } = await client.mutate({
      mutation: wanted ? LikeDocument : UnlikeDocument,
      variables: { id },
      context: IN_TURN,
      update: (cache, { data }) => {
        if (data?.change.userErrors.length === 0) changeLikers(cache, `${__typename}:${id}`, readerId, wanted);
      },
    });
    const problem = data?.change.userErrors[0]?.message;
    if (problem === undefined && done !== undefined) notify(done);
    return problem;
  };
  change(client, { kind: 'like', id }, isLiked, send);
}
