import { useSyncExternalStore } from 'react';

/** One message at a time for the live region, which screen readers read out. */

const CHANGED = new EventTarget();
let shown = '';

/** Shows a message until the next one, or until the reader closes it. */
export function notify(message: string): void {
  shown = message;
  CHANGED.dispatchEvent(new Event('change'));
}

export const useNotice = (): string =>
  useSyncExternalStore(
    (listener) => {
      CHANGED.addEventListener('change', listener);
      return () => CHANGED.removeEventListener('change', listener);
    },
    () => shown,
  );
