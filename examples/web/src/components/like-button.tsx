import { useMutation } from '@apollo/client/react';
import type { Session } from '../auth.ts';
import { LikeDocument, UnlikeDocument } from '../documents.generated.ts';
import { messageOf } from '../errors.ts';
import { changeLikers } from '../likers.ts';
import { notify } from '../notices.ts';
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

/** Likes, or takes the like back. The change is shown at once; the cache undoes it if it is refused. */
export function LikeButton({ likeable: { __typename, id, title, likeCount, viewerHasLiked } }: Props) {
  const reader = useSession();
  const [change] = useMutation(viewerHasLiked ? UnlikeDocument : LikeDocument);
  const toggle = async ({ readerId, fullName }: Session) => {
    const by = viewerHasLiked ? -1 : 1;
    try {
      const { data } = await change({
        variables: { id },
        optimisticResponse: {
          change: {
            __typename: 'LikePayload',
            viewer: { __typename: 'User', id: readerId, fullName },
            likeable: { __typename, id, likeCount: likeCount + by, viewerHasLiked: !viewerHasLiked },
            userErrors: [],
          },
        },
        update: (cache, { data }) => {
          if (data?.change.userErrors.length === 0) changeLikers(cache, `${__typename}:${id}`, readerId, by > 0);
        },
      });
      const [problem] = data?.change.userErrors ?? [];
      if (problem) notify(problem.message);
    } catch (error) {
      notify(messageOf(error));
    }
  };
  return (
    <span className="like">
      <button
        aria-pressed={viewerHasLiked}
        aria-label={`Like ${title}`}
        onClick={() => (reader ? void toggle(reader) : navigate(pathToLogin()))}
      >
        {viewerHasLiked ? '♥' : '♡'}
      </button>
      <span>
        {likeCount.toLocaleString('en')}
        <span className="hidden"> {likeCount === 1 ? 'like' : 'likes'}</span>
      </span>
    </span>
  );
}
