import type { ApolloClient } from '@apollo/client';
import type { Session } from '../auth.ts';
import { inTurn, IN_TURN } from '../changes.ts';
import { ReadingStateDocument } from '../documents.generated.ts';
import { messageOf } from '../errors.ts';
import { setFollow } from '../follows.ts';
import { wordsOf } from '../format.ts';
import type { KeptWish } from '../kept-wish.ts';
import { setLike } from '../likes.ts';
import { notify } from '../notices.ts';
import { putOnShelf } from '../readings.ts';

/** Does what a visitor wanted who is logged in now, and says so. */
export function fulfil(client: ApolloClient, { to, __typename, id, title }: KeptWish, reader: Session): void {
  if (__typename === 'User') setFollow(client, { id, fullName: title }, true, true);
  else if (to === 'like') setLike(client, { __typename, id, title }, reader, true, `You like “${title}”.`);
  else wantToRead(client, { id, title }, reader).catch((error: unknown) => notify(messageOf(error)));
}

/** Puts a book on the shelf of those to read, unless the reader has it on a shelf, which a visitor does not see. */
async function wantToRead(
  client: ApolloClient,
  { id, title }: { readonly id: string; readonly title: string },
  reader: Session,
): Promise<void> {
  // The turn comes after the cache of the visitor is emptied, which ends the queries that are on their way.
  const { data } = await inTurn({ kind: 'reading', id }, () =>
    client.query({ query: ReadingStateDocument, variables: { id }, fetchPolicy: 'network-only', context: IN_TURN }),
  );
  const viewerReading = data?.node?.__typename === 'Book' ? data.node.viewerReading : null;
  if (viewerReading?.status) notify(`${title} is on your shelf “${wordsOf(viewerReading.status)}” already.`);
  else putOnShelf(client, reader, { id, title, viewerReading }, { status: 'WANT_TO_READ' });
}
