import {
  ApolloClient,
  ApolloLink,
  HttpLink,
  InMemoryCache,
  type FieldMergeFunction,
  type TypePolicy,
} from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { tap } from 'rxjs';
import { isForNow, onSessionChange, session, signedFetch, STREAM } from './auth.ts';
import { askAgain, followTabs } from './changes.ts';
import { documentIds } from './documents.generated.ts';
import { recover } from './recovery.ts';
import { watchedLikes } from './shown-likes.ts';
import { watchTime } from './slow.ts';

declare module '@apollo/client' {
  namespace ApolloClient.DeclareDefaultOptions {
    interface WatchQuery {
      errorPolicy: 'all';
    }
  }
}

/**
 * A document by its hash, in place of its text. The server needs the file persisted-documents.json
 * for this (PERSISTED_DOCUMENTS).
 */
const persisted = () =>
  new ApolloLink((operation, forward) => {
    const sha256Hash = documentIds[operation.operationName ?? ''];
    operation.extensions = { persistedQuery: { version: 1, sha256Hash } };
    operation.setContext({ http: { includeQuery: false, includeExtensions: true } });
    return forward(operation);
  });

/** Refuses answers for a reader who has logged out meanwhile, so that the next one sees nothing of them. */
const ownAnswers = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    tap(() => {
      if (!isForNow(operation.getContext()['response'] as Response)) throw new Error(LEFT);
    }),
  ),
);
const LEFT = 'You had logged out before the answer was there.';

const isStream = ({ operationType }: ApolloLink.Operation) => operationType === OperationTypeNode.SUBSCRIPTION;

// Streams have an address of their own, for the logs of servers and proxies.
const uri = (operation: ApolloLink.Operation) => (isStream(operation) ? `/graphql${STREAM}` : '/graphql');
const sent = ApolloLink.from([ownAnswers, new HttpLink({ uri, fetch: signedFetch })]);
// A stream is not a request that is waited for.
const http = ApolloLink.split(isStream, sent, ApolloLink.from([watchTime, askAgain(() => client), sent]));

interface Tally {
  readonly count: number;
  readonly version: number;
}

/**
 * A list whose pages are joined. A list that is null is not for the reader to see; without this it
 * would be shown as an empty one.
 * @param keys the arguments that make another list
 */
function pages(keys: string[] = []) {
  const policy = relayStylePagination(keys);
  const join = policy.merge as FieldMergeFunction;
  const merge: FieldMergeFunction = (existing, incoming, options) =>
    incoming === null ? null : (join(existing, incoming, options) as unknown);
  return { ...policy, merge };
}

/** The fields of whatever can be liked. */
const likeable: TypePolicy['fields'] = {
  // A page that shows few likers leaves the list of another one as it is.
  likers: pages(['first']),
  likeTally: {
    merge: (known: Tally | undefined, tally: Tally) => (known && known.version > tally.version ? known : tally),
  },
  likeCount: {
    read: (count: number | undefined, { readField }) => {
      const tally = readField<Tally>('likeTally');
      return tally && watchedLikes.has(readField<string>('id') ?? '') ? tally.count : count;
    },
  },
};

export const client: ApolloClient = new ApolloClient({
  link: import.meta.env.VITE_PERSISTED_DOCUMENTS === 'true' ? ApolloLink.from([persisted(), http]) : http,
  // The fields of a query fail one by one: the page shows what there is.
  defaultOptions: { watchQuery: { errorPolicy: 'all' } },
  cache: new InMemoryCache({
    // The types that a fragment on an interface can apply to.
    possibleTypes: {
      Likeable: ['Book', 'BookList', 'Item', 'Review'],
      Node: ['Book', 'BookList', 'Item', 'Library', 'LibraryImport', 'Review', 'Session', 'User', 'Work'],
    },
    typePolicies: {
      Query: {
        fields: {
          books: pages(['query', 'author', 'genre', 'first']),
          copies: pages(['genre', 'orderBy', 'currency']),
          feed: pages(),
          libraries: pages(['near', 'country', 'state', 'city']),
        },
      },
      // A series and an author have a name instead of an id.
      Author: { keyFields: ['name'], fields: { books: pages() } },
      Series: { keyFields: ['name'], fields: { books: pages() } },
      Book: { fields: { ...likeable, copies: pages(), reviews: pages(['orderBy']) } },
      BookList: { fields: { ...likeable, entries: pages() } },
      Item: { fields: likeable },
      Review: { fields: likeable },
      LibraryImport: { fields: { rows: pages(['status']) } },
      User: {
        fields: {
          likes: pages(['of']),
          readBooks: pages(['orderBy']),
          ratings: pages(),
          reviews: pages(),
          shelf: pages(['status']),
          listings: pages(['orderBy']),
          actions: pages(['kinds', 'orderBy']),
          sessions: pages(),
          blocked: pages(),
          recentlyViewed: pages(),
          libraryImports: pages(),
          unlistedBooks: pages(['status']),
          lists: pages(),
          followers: pages(),
          following: pages(),
          followRequests: pages(),
          notifications: pages(),
        },
      },
    },
  }),
});

followTabs(client);
recover(client);

/** Another reader sees other data, so nothing of the former one stays. */
let reader = session()?.readerId;
onSessionChange(() => {
  const next = session()?.readerId;
  if (next === reader) return;
  reader = next;
  // A request of a page that closes meanwhile is aborted, which nobody waits for.
  client.resetStore().catch(() => undefined);
});
