import { useSyncExternalStore } from 'react';
import { messageOf } from './errors.ts';
import { Signal } from './signal.ts';

/** One message at a time for the live region, which screen readers read out. */

const changed = new Signal();
let shown = '';

/** Shows a message until the next one, or until the reader closes it. */
export function notify(message: string): void {
  shown = message;
  changed.emit();
}

/** Shows that a change is done, unless there are problems, and returns those. */
export function notifyUnless<Problem>(problems: readonly Problem[] = [], done: string): readonly Problem[] {
  if (problems.length === 0) notify(done);
  return problems;
}

interface Changed {
  readonly data?:
    { readonly change: { readonly userErrors: readonly { readonly message: string }[] } } | null | undefined;
}

/** Shows what became of a change: that it is done, or the reason why nothing was done. */
export async function notifyOf(change: Promise<Changed>, done: string): Promise<void> {
  try {
    const { data } = await change;
    notify(data?.change.userErrors[0]?.message ?? done);
  } catch (error) {
    notify(messageOf(error));
  }
}

export const useNotice = (): string => useSyncExternalStore(changed.subscribe, () => shown);
