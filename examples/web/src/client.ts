import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { onSessionChange, session, signedFetch } from './auth.ts';
import { documentIds } from './documents.generated.ts';

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
const persisted = new ApolloLink((operation, forward) => {
  const sha256Hash = documentIds[operation.operationName ?? ''];
  operation.extensions = { persistedQuery: { version: 1, sha256Hash } };
  operation.setContext({ http: { includeQuery: false, includeExtensions: true } });
  return forward(operation);
});

const http = new HttpLink({ uri: '/graphql', fetch: signedFetch });

export const client = new ApolloClient({
  link: import.meta.env['VITE_PERSISTED_DOCUMENTS'] === 'true' ? ApolloLink.from([persisted, http]) : http,
  // The fields of a query fail one by one: the page shows what there is.
  defaultOptions: { watchQuery: { errorPolicy: 'all' } },
  cache: new InMemoryCache({
    // The types that a fragment on an interface can apply to.
    possibleTypes: { Likeable: ['Book', 'Item'], Node: ['Book', 'Item', 'Library', 'Session', 'User'] },
    // Pages of a list are joined. The arguments that make another list are named here.
    typePolicies: {
      Query: { fields: { books: relayStylePagination(['query', 'author', 'genre', 'first']) } },
      Book: { fields: { likers: relayStylePagination(), copies: relayStylePagination() } },
      Item: { fields: { likers: relayStylePagination() } },
      User: {
        fields: {
          likes: relayStylePagination(['of']),
          readBooks: relayStylePagination(['orderBy']),
          shelf: relayStylePagination(['status']),
          listings: relayStylePagination(['orderBy']),
          actions: relayStylePagination(['kinds', 'orderBy']),
          sessions: relayStylePagination(),
          blocked: relayStylePagination(),
          recentlyViewed: relayStylePagination(),
        },
      },
    },
  }),
});

/** Another reader sees other data, so nothing of the former one stays. */
let reader = session()?.readerId;
onSessionChange(() => {
  const next = session()?.readerId;
  if (next === reader) return;
  reader = next;
  // A request of a page that closes meanwhile is aborted, which nobody waits for.
  client.resetStore().catch(() => undefined);
});
