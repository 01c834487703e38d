import { useEffect } from 'react';
import { keepSession, session } from '../auth.ts';
import { client } from '../client.ts';
import type { AuthResultFragment } from '../documents.generated.ts';
import type { Problem } from '../errors.ts';
import { takeWish } from '../kept-wish.ts';
import { navigate, useAddress } from '../router.tsx';
import { useSession } from '../session.ts';
import { fulfil } from './fulfil.ts';

/**
 * Opens the page that led to the login, or the first one, for a reader who has logged in.
 * @returns the reasons why the login was refused
 */
export function enter(auth: AuthResultFragment | undefined): readonly Problem[] {
  if (auth && keepSession(auth)) goOn(location.search);
  return auth?.userErrors ?? [];
}

/** Leads a reader on who is logged in already, also in another tab. */
export function useGoOn(): void {
  const isReader = useSession() !== undefined;
  const { search } = useAddress();
  useEffect(() => {
    if (isReader) goOn(search);
  }, [isReader, search]);
}

/** Shows the page that led here, in place of this one, and does what the reader came for. */
function goOn(search: string): void {
  const asked = new URLSearchParams(search);
  const next = asked.get('next') ?? '/';
  // A foreign address is no path of this client.
  navigate(next.startsWith('/') ? next : '/', { replaces: true });
  const [reader, wish] = [session(), takeWish(asked.get('to'))];
  if (reader && wish) fulfil(client, wish, reader);
}

/** Browsers and systems by what they say of themselves. What another one says too comes after it. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari'],
];
const SYSTEMS = [['Windows'], ['Android'], ['iPhone'], ['iPad'], ['CrOS', 'ChromeOS'], ['Mac OS', 'macOS'], ['Linux']];

const found = (names: readonly (readonly string[])[]) =>
  names.find(([part = '']) => navigator.userAgent.includes(part))?.at(-1);

/** The name of this browser in the list of sessions. */
export const device = [found(BROWSERS) ?? 'Browser', found(SYSTEMS)].filter(Boolean).join(' on ');
