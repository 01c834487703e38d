import { useApolloClient } from '@apollo/client/react';
import type { Session } from '../auth.ts';
import { change, IN_TURN, useWish, type Changeable } from '../changes.ts';
import { LikeDocument, UnlikeDocument } from '../documents.generated.ts';
import { changeLikers } from '../likers.ts';
import { navigate, pathToLogin } from '../router.tsx';
import { useSession } from '../session.ts';

interface Props {
  readonly likeable: {
    readonly __typename: 'Book' | 'BookList' | 'Item' | 'Review';
    readonly id: string;
    readonly title: string;
    readonly likeCount: number;
    readonly viewerHasLiked: boolean;
  };
}

/** Likes, or takes the like back. What the reader wants is shown at once. */
export function LikeButton({ likeable: { __typename, id, title, likeCount, viewerHasLiked } }: Props) {
  const reader = useSession();
  const client = useApolloClient();
  const thing: Changeable = { kind: 'like', id };
  const wish = useWish<boolean>(thing);
  const isLiked = wish ?? viewerHasLiked;
  const count = likeCount + Number(isLiked) - Number(viewerHasLiked);

  const send = async (wanted: boolean, { readerId }: Session) => {
    const { data } = await client.mutate({
      mutation: wanted ? LikeDocument : UnlikeDocument,
      variables: { id },
      context: IN_TURN,
      update: (cache, { data }) => {
        if (data?.change.userErrors.length === 0) changeLikers(cache, `${__typename}:${id}`, readerId, wanted);
      },
    });
    return data?.change.userErrors[0]?.message;
  };
  const toggle = () => {
    if (reader) change(client, thing, !isLiked, (wanted) => send(wanted, reader));
    else navigate(pathToLogin());
  };
  return (
    <span className="like">
      <button aria-pressed={isLiked} aria-busy={wish !== undefined} aria-label={`Like ${title}`} onClick={toggle}>
        {isLiked ? '♥' : '♡'}
      </button>
      <span>
        {count.toLocaleString('en')}
        <span className="hidden"> {count === 1 ? 'like' : 'likes'}</span>
      </span>
    </span>
  );
}
