import { useApolloClient } from '@apollo/client/react';
import { change, IN_TURN, useWish, type Changeable } from '../changes.ts';
import { FollowDocument, UnfollowDocument, type FollowStateFragment } from '../documents.generated.ts';
import { navigate, pathToLogin } from '../router.tsx';
import { useSession } from '../session.ts';

interface Props {
  readonly reader: FollowStateFragment & { readonly fullName: string };
}

/**
 * Follows a reader, or ends that. Whether a reader approves their followers is known from the answer,
 * so a follow that is on its way says neither. A visitor logs in first.
 */
export function FollowButton({ reader: { id, fullName, viewerFollows, viewerHasRequestedFollow } }: Props) {
  const isReader = useSession() !== undefined;
  const client = useApolloClient();
  const thing: Changeable = { kind: 'follow', id };
  const wish = useWish<boolean>(thing);
  const isWanted = wish ?? (viewerFollows || viewerHasRequestedFollow);
  const known = viewerFollows ? 'Following' : viewerHasRequestedFollow ? 'Requested' : 'Follow …';

  const send = async (wanted: boolean) => {
    const { data } = await client.mutate({
      mutation: wanted ? FollowDocument : UnfollowDocument,
      variables: { id },
      context: IN_TURN,
      // The reader may show more to followers.
      refetchQueries: ['Reader'],
    });
    return data?.change.userErrors[0]?.message;
  };
  const toggle = () => (isReader ? change(client, thing, !isWanted, send) : navigate(pathToLogin('follow')));
  return (
    <button
      className={isWanted ? undefined : 'primary'}
      aria-pressed={isWanted}
      aria-busy={wish !== undefined}
      aria-label={`Follow ${fullName}`}
      onClick={toggle}
    >
      {isWanted ? known : 'Follow'}
    </button>
  );
}
