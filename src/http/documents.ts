import type { ApolloServerOptions } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../context/context.ts';

/**
 * All letters of the documents that are kept: as many as a hundred pages of a frontend ask by. A letter takes 34 bytes of memory, 116
 * at most: 23 MB. Apollo's own store keeps what takes several times that, for whoever sends a new document each time.
 */
const LETTERS_MAX = 200_000;

/** Keeps documents that were parsed and found valid, those that are asked for most lately. */
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
