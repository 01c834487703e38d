import type { ApolloClient } from '@apollo/client';
import { change, IN_TURN } from './changes.ts';
import { FollowDocument, UnfollowDocument } from './documents.generated.ts';
import { notify } from './notices.ts';

/** A reader who can be followed. */
export interface Followable {
  readonly id: string;
  readonly fullName: string;
}

/**
 * Follows a reader, or ends that.
 * @param says true if a notice says what became of it
 */
export function setFollow(client: ApolloClient, { id, fullName }: Followable, isFollowed: boolean, says = false): void {
  const send = async (wanted: boolean) => {
    const { data } = await client.mutate({
      mutation: wanted ? FollowDocument : UnfollowDocument,
      variables: { id },
      context: IN_TURN,
      // The reader may show more to followers.
      refetchQueries: ['Reader'],
    });
    const { user, userErrors = [] } = data?.change ?? {};
    if (user && says)
      notify(user.viewerFollows ? `You follow ${fullName}.` : `You have asked ${fullName} to let you follow them.`);
    return userErrors[0]?.message;
  };
  change(client, { kind: 'follow', id }, isFollowed, send);
}
