import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client';
import type { Unsubscribable } from 'rxjs';
import { onSessionChange, session } from '../auth.ts';
import { Signal } from '../signal.ts';

/** Subscriptions that are open while somebody looks at the page. */

/** A browser opens six connections to a server over HTTP/1.1, for all tabs together. Requests need some. */
const STREAMS_MAX = 4;
/** A stream that has ended is opened again after once or twice this time; later after each failure. */
const [AGAIN_MS, AGAIN_MS_MAX] = [1_000, 32_000];

/** The tab was hidden or shown again, the network is back, or somebody else uses the browser. */
const moved = new Signal();
const move = () => moved.emit();
document.addEventListener('visibilitychange', move);
addEventListener('online', move);

let reader = session()?.readerId;
onSessionChange(() => {
  if (session()?.readerId === reader) return;
  reader = session()?.readerId;
  move();
});

interface Stream<Data, Variables extends OperationVariables> {
  readonly query: TypedDocumentNode<Data, Variables>;
  readonly variables: Variables;
  /** True if it is open only while a reader is logged in. */
  readonly needsReader?: boolean;
  /** Called with each event. */
  readonly take: (data: Data) => void;
  /** Called when the stream has ended, before it is opened again. */
  readonly atEnd?: () => void;
}

/**
 * Opens a subscription again whenever it has ended, except while the tab is hidden. The first event of
 * each stream tells what is missed meanwhile.
 * @returns a function that ends this
 */
export function keepOpen<Data, Variables extends OperationVariables>(
  client: ApolloClient,
  stream: Stream<Data, Variables>,
): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const open = async () => {
    for (let waitMs = AGAIN_MS; !signal.aborted;) {
      let events = 0;
      const take = (data: Data) => {
        events++;
        stream.take(data);
      };
      const isWanted = !document.hidden && (stream.needsReader !== true || session() !== undefined);
      if (isWanted) await inSlot(() => untilEnd(client, { ...stream, take }, signal));
      stream.atEnd?.();
      waitMs = events > 0 || !isWanted ? AGAIN_MS : Math.min(2 * waitMs, AGAIN_MS_MAX);
      await pause(waitMs * (1 + Math.random()), signal);
    }
  };
  void open();
  return () => ended.abort();
}

/** Opens a stream if few enough are open in all tabs. A page over http from another machine has no locks. */
async function inSlot(open: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return open();
  for (let slot = 0; slot < STREAMS_MAX; slot++) {
    const isFree = await navigator.locks.request(`stream ${slot}`, { ifAvailable: true }, async (lock) => {
      if (lock) await open();
      return lock !== null;
    });
    if (isFree) return;
  }
}

/** Opens a stream, and waits until it ends. */
const untilEnd = <Data, Variables extends OperationVariables>(
  client: ApolloClient,
  { query, variables, take }: Stream<Data, Variables>,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    let subscription: Unsubscribable | undefined;
    const close = () => {
      subscription?.unsubscribe();
      stop();
      signal.removeEventListener('abort', close);
      resolve();
    };
    const stop = moved.subscribe(close);
    signal.addEventListener('abort', close);
    const events = client.subscribe<Data>({ query, variables, fetchPolicy: 'no-cache' });
    subscription = events.subscribe({
      next: ({ data }) => {
        if (data) take(data as Data);
      },
      error: close,
      complete: close,
    });
    if (signal.aborted) close();
  });

/** Waits for some time, or until something has moved. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stop = moved.subscribe(end);
    signal.addEventListener('abort', end);
  });
