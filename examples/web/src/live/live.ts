import type { ApolloClient } from '@apollo/client';
import { hasWish, onWishChange } from '../changes.ts';
import {
  LikeTalliesDocument,
  ShownThingsDocument,
  TallyFragmentDocument,
  ViewerChangedDocument,
  type LikeTalliesSubscription,
  type ViewerChangedSubscription,
  type ViewerDataKind,
} from '../documents.generated.ts';
import type { Likeable } from '../likes.ts';
import { onOtherLikes, shownLikes, watchedLikes } from '../shown-likes.ts';
import { keepOpen } from './keep-open.ts';

/** Counts and hearts that move by themselves. It is loaded after the page is shown. */

export function beginLive(client: ApolloClient): void {
  watchLikes(client);
  watchViewer(client);
}

/** The maximum number of things of a subscription. */
const IDS_MAX = 100;
/** A page shows its things one after the other. */
const SHOWING_MS = 300;

type Tally = NonNullable<LikeTalliesSubscription['likeTallies']['changes'][number]['likeTally']>;

/** Keeps the counts of the things on the page current, by one subscription. */
function watchLikes(client: ApolloClient): void {
  let watched: readonly string[] = [];
  let end: () => void = () => undefined;
  /** The newest tallies of things of which a change is on its way. */
  const held = new Map<string, Tally>();

  const take = ({ likeTallies: { changes } }: LikeTalliesSubscription) => {
    for (const { id, likeTally } of changes) if (likeTally) held.set(id, likeTally);
    show();
  };
  // The page adds a wish to the count, which a tally may have already. The answer says so.
  const show = () => {
    for (const [id, tally] of held) {
      const type = shownLikes.get(id);
      if (hasWish({ kind: 'like', id })) continue;
      held.delete(id);
      if (type) showTally(client, type, id, tally);
    }
  };
  const look = () => {
    const shown = [...shownLikes.keys()].slice(-IDS_MAX);
    if (shown.length > 0 && shown.every((id) => watched.includes(id))) return;
    end();
    watched = shown;
    const atEnd = () => keepCounts(client);
    if (shown.length > 0)
      end = keepOpen(client, { query: LikeTalliesDocument, variables: { ids: shown }, take, atEnd });
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  onOtherLikes(() => {
    clearTimeout(timer);
    timer = setTimeout(look, SHOWING_MS);
  });
  onWishChange(show);
  look();
}

/** Puts a tally into the cache, which keeps the newest one. */
function showTally({ cache }: ApolloClient, type: Likeable['__typename'], id: string, likeTally: Tally): void {
  watchedLikes.set(id, type);
  const data = { __typename: type, likeTally: { ...likeTally, __typename: 'LikeTally' } };
  cache.writeFragment({ id: `${type}:${id}`, fragment: TallyFragmentDocument, data });
}

/** Keeps the counts that are shown, until an answer or another stream has newer ones. */
function keepCounts({ cache }: ApolloClient): void {
  for (const [id, type] of watchedLikes) {
    cache.modify<{ likeCount: number }>({
      id: `${type}:${id}`,
      fields: { likeCount: (count, { readField }) => readField<Tally>('likeTally')?.count ?? count },
    });
  }
  watchedLikes.clear();
}

const OF_THINGS: readonly ViewerDataKind[] = ['LIKES', 'READINGS', 'RATINGS'];

/** Shows what the reader does on other devices, and the number of their notifications. */
function watchViewer(client: ApolloClient): void {
  // The first event of a stream names all kinds, so what changed before the stream opened is shown too.
  const take = ({ viewerChanged: { kinds } }: ViewerChangedSubscription) => {
    if (kinds.some((kind) => OF_THINGS.includes(kind))) askForThings(client);
    if (kinds.includes('NOTIFICATIONS')) client.refetchQueries({ include: ['Unread'] }).catch(() => undefined);
  };
  keepOpen(client, { query: ViewerChangedDocument, variables: {}, needsReader: true, take });
}

/** Asks what the reader did with the things on the page. The next event makes up for a failure. */
function askForThings(client: ApolloClient): void {
  const ids = [...shownLikes.keys()].slice(-IDS_MAX);
  if (ids.length === 0) return;
  client.query({ query: ShownThingsDocument, variables: { ids }, fetchPolicy: 'network-only' }).catch(() => undefined);
}
