import { useApolloClient } from '@apollo/client/react';
import { useWish } from '../changes.ts';
import type { FollowStateFragment } from '../documents.generated.ts';
import { setFollow } from '../follows.ts';
import { logInTo } from '../kept-wish.ts';
import { useSession } from '../session.ts';

interface Props {
  readonly reader: FollowStateFragment & { readonly fullName: string };
}

/**
 * Follows a reader, or ends that. Whether a reader approves their followers is known from the answer,
 * so a follow that is on its way says neither. A visitor logs in first.
 */
export function FollowButton({ reader }: Props) {
  const { id, fullName, viewerFollows, viewerHasRequestedFollow } = reader;
  const isReader = useSession() !== undefined;
  const client = useApolloClient();
  const wish = useWish<boolean>({ kind: 'follow', id });
  const isWanted = wish ?? (viewerFollows || viewerHasRequestedFollow);
  const known = viewerFollows ? 'Following' : viewerHasRequestedFollow ? 'Requested' : 'Follow …';

  const toggle = () => {
    if (isReader) setFollow(client, reader, !isWanted);
    else logInTo({ to: 'follow', __typename: 'User', id, title: fullName });
  };
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
