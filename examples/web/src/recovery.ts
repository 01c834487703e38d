import type { ApolloClient } from '@apollo/client';
import { Signal } from './signal.ts';

/** Failed queries are sent again when the reader asks for it, and when the network is back. */

const wanted = new Signal();

/** Asks again for what failed. */
export const tryAgain = (): void => wanted.emit();

/** Calls a function when what failed is to be asked for again; returns a function that ends this. */
export const onTryAgain = wanted.subscribe;

/** Asks again for the queries of the page that have failed. */
export function recover(client: ApolloClient): void {
  onTryAgain(() => {
    const again = client.refetchQueries({
      include: 'active',
      onQueryUpdated: (query) => query.getCurrentResult().error !== undefined,
    });
    // The page shows the error.
    again.catch(() => undefined);
  });
  addEventListener('online', tryAgain);
}
