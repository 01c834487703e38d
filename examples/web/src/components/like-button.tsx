import { useApolloClient } from '@apollo/client/react';
import { useWish } from '../changes.ts';
import { logInTo } from '../kept-wish.ts';
import { setLike, type Likeable } from '../likes.ts';
import { useSession } from '../session.ts';
import { useShownLikes } from '../shown-likes.ts';

interface Props {
  readonly likeable: Likeable & { readonly likeCount: number; readonly viewerHasLiked: boolean };
}

/** Likes, or takes the like back. What the reader wants is shown at once. A visitor logs in first. */
export function LikeButton({ likeable }: Props) {
  const { id, title, likeCount, viewerHasLiked } = likeable;
  useShownLikes(likeable);
  const reader = useSession();
  const client = useApolloClient();
  const wish = useWish<boolean>({ kind: 'like', id });
  const isLiked = wish ?? viewerHasLiked;
  const count = likeCount + Number(isLiked) - Number(viewerHasLiked);

  const toggle = () => {
    if (reader) setLike(client, likeable, reader, !isLiked);
    else logInTo({ ...likeable, to: 'like' });
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
