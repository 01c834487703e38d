import type { ApolloServerOptions } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../context/context.ts';

/**
 * The maximum number of characters of all stored documents together: those of about a hundred pages
 * of a frontend. A character takes 34 bytes of memory, at most 116, so the store takes at most 23
 * MB. Apollo's own store would take several times that for a client that always sends new
 * documents.
 */
const LETTERS_MAX = 200_000;

/**
 * Makes a store of documents that were parsed and validated. It keeps the most recently used ones.
 */
export function documentStore(): NonNullable<ApolloServerOptions<RequestContext>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: LETTERS_MAX,
    sizeCalculation: ({ loc }) => Math.max(1, loc?.end ?? LETTERS_MAX),
  });
  return {
    get: (hash) => Promise.resolve(documents.get(hash)),
    set: (hash, document) => {
      documents.set(hash, document);
      return Promise.resolve();
    },
    delete: (hash) => Promise.resolve(documents.delete(hash)),
  };
}
