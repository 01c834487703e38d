import { useSyncExternalStore } from 'react';
import { session } from './auth.ts';
import { messageOf } from './errors.ts';
import { Signal } from './signal.ts';

/** One message at a time for the live region, which screen readers read out. */

interface Shown {
  readonly message: string;
  /** Undoes what the message says, for the reader who did it. */
  readonly undo: (() => void) | undefined;
  readonly readerId: string | undefined;
}

const changed = new Signal();
let shown: Shown = { message: '', undo: undefined, readerId: undefined };

/**
 * Shows a message until the next one, or until the reader closes it.
 * @param undo undoes what the message says
 */
export function notify(message: string, undo?: () => void): void {
  shown = { message, undo, readerId: session()?.readerId };
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

/** Shows what became of a change: that it is done and can be undone, or why nothing was done. */
export async function notifyOf(change: Promise<Changed>, done: string, undo?: () => void): Promise<void> {
  try {
    const { data } = await change;
    const problem = data?.change.userErrors[0]?.message;
    if (problem === undefined) notify(done, undo);
    else notify(problem);
  } catch (error) {
    notify(messageOf(error));
  }
}

export const useNotice = (): Shown => useSyncExternalStore(changed.subscribe, () => shown);
