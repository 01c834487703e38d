/**
 * Logging in and staying logged in. The refresh token is in a cookie that no script can read. The
 * access token is kept where all tabs of this origin see it, so that one tab renews it for all.
 */

export interface Session {
  readonly accessToken: string;
  readonly readerId: string;
  readonly fullName: string;
}

/** An answer of `register`, `login`, `resetPassword`, `loginWithPasskey` or `refreshTokens`. */
export interface AuthPayload {
  readonly accessToken: string | null;
  readonly viewer: { readonly id: string; readonly fullName: string } | null;
}

const ENDPOINT = '/graphql';
const KEY = 'session';
const SEEN_AFTER_MS = 100;
const CHANGED = new EventTarget();

let text = localStorage.getItem(KEY);
let current = parsed(text);

/** Returns the session of this browser; undefined if nobody is logged in. */
export function session(): Session | undefined {
  const stored = localStorage.getItem(KEY);
  if (stored !== text) [text, current] = [stored, parsed(stored)];
  return current;
}

/** Keeps the token of an answer. Returns false if it has none, because `userErrors` says why not. */
export function keepSession({ accessToken, viewer }: AuthPayload): boolean {
  if (accessToken === null || viewer === null) return false;
  keep({ accessToken, readerId: viewer.id, fullName: viewer.fullName });
  return true;
}

/** Keeps the new name of the reader, which every page shows. */
export function renameSession(fullName: string): void {
  const kept = session();
  if (kept) keep({ ...kept, fullName });
}

function keep(kept: Session): void {
  localStorage.setItem(KEY, JSON.stringify(kept));
  CHANGED.dispatchEvent(new Event('change'));
}

export function forgetSession(): void {
  localStorage.removeItem(KEY);
  CHANGED.dispatchEvent(new Event('change'));
}

/**
 * Calls a function after each change of the session, in this tab or in another.
 * @returns a function that ends this
 */
export function onSessionChange(listener: () => void): () => void {
  CHANGED.addEventListener('change', listener);
  addEventListener('storage', listener);
  return () => {
    CHANGED.removeEventListener('change', listener);
    removeEventListener('storage', listener);
  };
}

/** The end of the address of a stream. */
export const STREAM = '?stream';

/** The readers for whom answers are, undefined for visitors. */
const addressees = new WeakMap<Response, string | undefined>();

/** Returns whether an answer of {@link signedFetch} is for the one who uses this browser now. */
export const isForNow = (answer: Response): boolean => addressees.get(answer) === session()?.readerId;

/**
 * Sends a request as the reader who is logged in. An answer of 401 says that nothing was done, so
 * the request is sent again: with a new token, or as nobody's if the session is over.
 */
export const signedFetch: typeof fetch = async (input, init) => {
  const before = session();
  const answer = await sendAs(before, input, init);
  if (answer.status !== 401 || before === undefined) return answer;

  if ((await reasonOf(answer.clone())) !== 'SESSION_ENDED') await renew(before.accessToken);
  // A stream leaves it to requests: that of the reader who ends the session may wait for its answer.
  else if (String(input).endsWith(STREAM)) return answer;
  else endSession(before.accessToken);
  const now = session();
  // A request of one reader must not be sent in the name of another.
  return now !== undefined && now.readerId !== before.readerId ? answer : sendAs(now, input, init);
};

async function sendAs(
  reader: Session | undefined,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const answer = await send(input, init, reader?.accessToken);
  addressees.set(answer, reader?.readerId);
  return answer;
}

function send(input: RequestInfo | URL, init: RequestInit | undefined, token?: string): Promise<Response> {
  const headers = new Headers(init?.headers);
  // The server sets the cookie, reads it and removes it for requests with this header alone.
  headers.set('refresh-token-in', 'cookie');
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return fetch(input, { ...init, headers });
}

/** Returns the reason of a 401: TOKEN_EXPIRED, SESSION_ENDED or TOKEN_INVALID. */
async function reasonOf(answer: Response): Promise<string | undefined> {
  const { errors } = (await answer.json()) as { errors?: { extensions?: { reason?: string } }[] };
  return errors?.[0]?.extensions?.reason;
}

/**
 * Renews the token in one tab at a time, by a lock of the browser: a refresh token can be used
 * once. A page over http from another machine has no locks; the server bears with two tabs there if
 * they ask within ten seconds.
 */
async function renew(refused: string): Promise<void> {
  if (!('locks' in navigator)) return renewAlone(refused);
  await navigator.locks.request(KEY, async () => {
    await renewAlone(refused);
    // Another tab may see what this one has stored only a moment later.
    await new Promise((resolve) => setTimeout(resolve, SEEN_AFTER_MS));
  });
}

/** Renews the token, unless another tab has done it meanwhile. */
async function renewAlone(refused: string): Promise<void> {
  if (session()?.accessToken !== refused) return;

  const answer = await send(ENDPOINT, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: REFRESH }),
  });
  const { data } = (await answer.json()) as { data?: { refreshTokens: AuthPayload } | null };
  // Without data the server was too busy to answer, and the cookie can be used later.
  if (!data) throw new Error('The server could not renew the login. Try again in a moment.');
  if (!keepSession(data.refreshTokens)) endSession(refused);
}

const REFRESH = `
  mutation RefreshTokens {
    refreshTokens {
      accessToken
      viewer { id fullName }
      userErrors { code }
    }
  }
`;

/** Forgets a session that the server has ended, unless the reader has logged in again meanwhile. */
function endSession(refused: string): void {
  if (session()?.accessToken !== refused) return;
  forgetSession();
  CHANGED.dispatchEvent(new Event('end'));
}

/** Calls a function when the server has ended the session. */
export function onSessionEnd(listener: () => void): void {
  CHANGED.addEventListener('end', listener);
}

function parsed(stored: string | null): Session | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as Session);
}
