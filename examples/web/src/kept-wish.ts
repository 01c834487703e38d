import { navigate, pathToLogin } from './router.tsx';

/** The wish of a visitor, which waits in this tab for their login. */
export interface KeptWish {
  /** The act that the visitor logs in for. */
  readonly to: 'follow' | 'like' | 'read';
  readonly __typename: 'Book' | 'BookList' | 'Item' | 'Review' | 'User';
  readonly id: string;
  /** The title of the thing, or the name of the reader. */
  readonly title: string;
}

const KEY = 'wish';

/** Keeps a wish, and shows the login, which names it. */
export function logInTo({ to, __typename, id, title }: KeptWish): void {
  sessionStorage.setItem(KEY, JSON.stringify({ to, __typename, id, title }));
  navigate(pathToLogin(to));
}

/** Returns the wish for an act; undefined if the visitor has none. */
export function keptWish(to: string | null): KeptWish | undefined {
  const kept = sessionStorage.getItem(KEY);
  const wish = kept === null ? undefined : (JSON.parse(kept) as KeptWish);
  return wish?.to === to ? wish : undefined;
}

/** Returns the wish for an act, and forgets every wish. */
export function takeWish(to: string | null): KeptWish | undefined {
  const wish = keptWish(to);
  sessionStorage.removeItem(KEY);
  return wish;
}
