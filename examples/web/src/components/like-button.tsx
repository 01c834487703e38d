import { useMutation } from '@apollo/client/react';
import { LikeDocument, UnlikeDocument } from '../documents.generated.ts';
import { messageOf } from '../errors.ts';
import { notify } from '../notices.ts';
import { navigate } from '../router.tsx';
import { useSession } from '../session.ts';

interface Props {
  readonly likeable: {
    readonly __typename: 'Book' | 'Item';
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
  const toggle = async () => {
    const by = viewerHasLiked ? -1 : 1;
    try {
      const { data } = await change({
        variables: { id },
        optimisticResponse: {
          change: {
            __typename: 'LikePayload',
            likeable: { __typename, id, likeCount: likeCount + by, viewerHasLiked: !viewerHasLiked },
            userErrors: [],
          },
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
        onClick={() => (reader ? void toggle() : navigate('/login'))}
      >
        {viewerHasLiked ? '♥' : '♡'}
      </button>
      <span aria-label={`${likeCount} likes`}>{likeCount.toLocaleString('en')}</span>
    </span>
  );
}
