import { useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from 'react';

/** A router of the History API. Paths are below the page's base, and begin with a slash. */

const BASE = import.meta.env.BASE_URL.replace(/\/$/, '');
const MOVED = 'moved';

/**
 * Shows another page, as a link does.
 * @param replaces true if the way back is not to lead to the page that is shown now
 */
export function navigate(to: string, { replaces = false } = {}): void {
  if (replaces) history.replaceState(null, '', BASE + to);
  else history.pushState(null, '', BASE + to);
  scrollTo(0, 0);
  dispatchEvent(new Event(MOVED));
}

function subscribe(listener: () => void): () => void {
  const events = [MOVED, 'popstate', 'hashchange'];
  for (const event of events) addEventListener(event, listener);
  return () => {
    for (const event of events) removeEventListener(event, listener);
  };
}

/** Returns the address of the page that is shown, and renders again when it changes. */
export function useAddress(): URL {
  return addressOf(useSyncExternalStore(subscribe, () => location.href));
}

function addressOf(href: string): URL {
  const url = new URL(href);
  url.pathname = url.pathname.slice(BASE.length) || '/';
  return url;
}

/**
 * Returns the path of the login, which leads on to a page.
 * @param to what the visitor logs in for
 * @param next the path of the page: the one that is shown now, unless another is given
 */
export const pathToLogin = (to?: 'follow' | 'like' | 'read' | 'sell', next: string = pathNow()): string =>
  pathTo('/login', { next, to });

/** Returns the path of the page that is shown now. */
export function pathNow(): string {
  const { pathname, search, hash } = addressOf(location.href);
  return pathname + search + hash;
}

/** A link to a page. The browser itself opens it if it is to open in another tab or window. */
export function Link({ to, ...rest }: { readonly to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return <a href={BASE + to} onClick={open} {...rest} />;
}

/** Returns a path with search parameters; those without a value are left out. */
export function pathTo(path: string, search: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given).toString()}` : path;
}
