import { ApolloLink, type ApolloClient, type DocumentNode } from '@apollo/client';
import { finalize } from 'rxjs';
import { useSyncExternalStore } from 'react';
import { session } from './auth.ts';
import {
  FollowStateDocument,
  LikeStateDocument,
  RatingStateDocument,
  ReadingStateDocument,
} from './documents.generated.ts';
import { messageOf } from './errors.ts';
import { notify } from './notices.ts';
import { Signal } from './signal.ts';

/**
 * A reader can change a like, a rating, a status or a follow again before the first change is answered. At
 * rest the cache has what the server has: changes of one thing are sent one after the other, and the
 * server is asked for a thing whose state is unknown.
 */

const QUERIES: Readonly<Record<'follow' | 'like' | 'rating' | 'reading', DocumentNode>> = {
  follow: FollowStateDocument,
  like: LikeStateDocument,
  rating: RatingStateDocument,
  reading: ReadingStateDocument,
};

/** A changeable is the like, the rating or the reading of something, or the follow of a reader. */
export interface Changeable {
  readonly kind: keyof typeof QUERIES;
  readonly id: string;
}

const keyOf = ({ kind, id }: Changeable) => `${kind} ${id}`;

/** The latest wish of a reader for each thing whose change is on its way. */
const wishes = new Map<string, unknown>();
const changed = new Signal();
/** The key of a wish. Another reader who logs in has wishes of their own. */
const wishOf = (thing: Changeable) => `${session()?.readerId} ${keyOf(thing)}`;

/** Returns whether a change of a thing is on its way. */
export const hasWish = (thing: Changeable): boolean => wishes.has(wishOf(thing));

/** Calls a function after each change of the wishes; returns a function that ends this. */
export const onWishChange = changed.subscribe;

/** Returns what the reader wants while a change is on its way. Afterwards the cache has what to show. */
export const useWish = <Wanted>(thing: Changeable): Wanted | undefined =>
  useSyncExternalStore(changed.subscribe, () => wishes.get(wishOf(thing)) as Wanted | undefined);

function setWish(key: string, wish: unknown): void {
  if (wish === undefined) wishes.delete(key);
  else wishes.set(key, wish);
  changed.emit();
}

/**
 * Changes a thing. Of the changes that wait for the one on its way only the last is sent.
 * @param send returns why nothing was done, or rejects if that is unknown
 */
export function change<Wanted>(
  client: ApolloClient,
  thing: Changeable,
  wanted: Wanted,
  send: (wanted: Wanted) => Promise<string | undefined>,
): void {
  const key = wishOf(thing);
  const isOnItsWay = wishes.has(key);
  setWish(key, wanted);
  if (isOnItsWay) return;

  const sendLatest = async () => {
    let sent: Wanted | undefined;
    while (wishes.get(key) !== sent && wishOf(thing) === key) {
      sent = wishes.get(key) as Wanted;
      const problem = await send(sent).catch(messageOf);
      // The next reader has not made this change.
      if (problem !== undefined && wishOf(thing) === key) {
        notify(problem);
        await ask(client, thing);
      }
    }
    setWish(key, undefined);
    for (const { changed } of reading) changed.set(keyOf(thing), thing);
    tabs.postMessage(thing);
  };
  void inTurn(thing, sendLatest);
}

const turns = new Map<string, Promise<void>>();

/** Calls a function when everything earlier about a thing has ended. */
export function inTurn<Result>(thing: Changeable, call: () => Promise<Result>): Promise<Result> {
  const key = keyOf(thing);
  const result = (turns.get(key) ?? Promise.resolve()).then(call);
  const end = () => {
    if (turns.get(key) === turn) turns.delete(key);
  };
  const turn: Promise<void> = result.then(end, end);
  turns.set(key, turn);
  return result;
}

const [RETRY_MS, RETRY_MS_MAX] = [1_000, 30_000];

/** Asks the server for what it has, until it answers. */
async function ask(client: ApolloClient, { kind, id }: Changeable): Promise<void> {
  for (let waitMs = RETRY_MS; ; waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)) {
    try {
      await client.query({ query: QUERIES[kind], variables: { id }, fetchPolicy: 'network-only', context: IN_TURN });
      return;
    } catch {
      await new Promise((resolve) => {
        const signal = AbortSignal.timeout(waitMs);
        signal.addEventListener('abort', resolve);
        addEventListener('online', resolve, { once: true, signal });
      });
    }
  }
}

/**
 * The context of a request about one changeable. It is sent in the turn of that thing, and its
 * answer has no other one.
 */
export const IN_TURN = { isInTurn: true };

/** The requests on their way, each with the things that were changed since it was sent. */
const reading = new Set<{ readonly changed: Map<string, Changeable> }>();

/** Asks again for what was changed while a request was on its way, because its answer may be older. */
export const askAgain = (clientOf: () => ApolloClient): ApolloLink =>
  new ApolloLink((operation, forward) => {
    if (operation.getContext()['isInTurn'] === true) return forward(operation);

    const request = { changed: new Map<string, Changeable>() };
    reading.add(request);
    return forward(operation).pipe(
      finalize(() => {
        reading.delete(request);
        for (const thing of request.changed.values()) void inTurn(thing, () => ask(clientOf(), thing));
      }),
    );
  });

const tabs = new BroadcastChannel('changes');

/** Asks for what the reader changes in other tabs, if this one knows it. */
export function followTabs(client: ApolloClient): void {
  tabs.onmessage = ({ data: thing }: MessageEvent<Changeable>) => {
    const known = Object.values(client.cache.extract() as Record<string, { readonly id?: unknown }>);
    if (known.some(({ id }) => id === thing.id)) void inTurn(thing, () => ask(client, thing));
  };
}
