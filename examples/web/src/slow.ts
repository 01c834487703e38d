import { ApolloLink } from '@apollo/client';
import { finalize } from 'rxjs';
import { useSyncExternalStore } from 'react';
import { Signal } from './signal.ts';

/** Requests that are not answered for long. */

const SLOW_MS = 10_000;

const slow = new Set<ApolloLink.Operation>();
const changed = new Signal();

/** Tells after a while that a request has no answer yet. */
export const watchTime = new ApolloLink((operation, forward) => {
  const timer = setTimeout(() => {
    slow.add(operation);
    changed.emit();
  }, SLOW_MS);
  return forward(operation).pipe(
    finalize(() => {
      clearTimeout(timer);
      if (slow.delete(operation)) changed.emit();
    }),
  );
});

/** Returns whether an answer takes long, and renders again when that changes. */
export const useIsSlow = (): boolean => useSyncExternalStore(changed.subscribe, () => slow.size > 0);
