import { keptLike } from '../likes.ts';
import { useAddress } from '../router.tsx';

/** What a visitor logs in or signs up for, if a link or a button of a page led here. */
export function Purpose({ act }: { readonly act: string }) {
  const to = useAddress().searchParams.get('to');
  const liked = to === 'like' ? keptLike() : undefined;
  if (liked) return <p className="lead">{`${act} to like “${liked.title}”.`}</p>;
  if (to === 'follow') return <p className="lead">{act} to follow a reader.</p>;
  return to === 'sell' ? <p className="lead">{act} to sell a copy.</p> : null;
}
