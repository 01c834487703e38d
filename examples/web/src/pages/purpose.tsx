import { keptWish, type KeptWish } from '../kept-wish.ts';
import { useAddress } from '../router.tsx';

const WORDS: Readonly<Record<KeptWish['to'], (title: string) => string>> = {
  follow: (name) => `to follow ${name}`,
  like: (title) => `to like “${title}”`,
  read: (title) => `to put “${title}” on a shelf`,
};

/** What a visitor logs in or signs up for, if a link or a button of a page led here. */
export function Purpose({ act }: { readonly act: string }) {
  const to = useAddress().searchParams.get('to');
  const wish = keptWish(to);
  if (wish) return <p className="lead">{`${act} ${WORDS[wish.to](wish.title)}.`}</p>;
  return to === 'sell' ? <p className="lead">{act} to sell a copy.</p> : null;
}
