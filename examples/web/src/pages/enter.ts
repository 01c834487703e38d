import { keepSession } from '../auth.ts';
import type { AuthResultFragment } from '../documents.generated.ts';
import type { Problem } from '../errors.ts';
import { navigate } from '../router.tsx';

/**
 * Opens the page that led to the login, or the first one, for a reader who has logged in.
 * @returns the reasons why the login was refused
 */
export function enter(auth: AuthResultFragment | undefined): readonly Problem[] {
  if (auth && keepSession(auth)) navigate(nextPage());
  return auth?.userErrors ?? [];
}

/** Returns the path of a page of this client; a foreign address is no such path. */
function nextPage(): string {
  const next = new URLSearchParams(location.search).get('next') ?? '/';
  return next.startsWith('/') ? next : '/';
}

/** The name of this browser in the list of sessions. */
export const device = `${/Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? 'Browser'} on ${navigator.platform}`;

/** Returns a text of a form; undefined if its field is empty or not there. */
export const given = (values: FormData, name: string): string | undefined =>
  (values.get(name) as string | null) || undefined;

/** Returns a text of a form that the server is to judge, even if it is empty. */
export const text = (values: FormData, name: string): string => given(values, name) ?? '';
