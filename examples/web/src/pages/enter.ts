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
export const device =
  `${/Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? 'Browser'} on ` + `${navigator.platform}`;
