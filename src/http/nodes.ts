import type { User } from '../identity/operations.ts';
import { shownReader } from '../identity/privacy.ts';
import type { Book, Work } from '../catalogue/book.ts';
import { bookById } from '../catalogue/operations.ts';
import { workById } from '../catalogue/works.ts';
import type { RequestContext } from '../context/context.ts';
import { badUserInput, RequestError } from '../graphql/errors.ts';
import { idArgument, type NodeId } from '../graphql/ids.ts';
import { libraryById, type Library } from '../libraries/operations.ts';
import { importById, type LibraryImport } from '../libraryimports/operations.ts';
import { shownList, type BookList } from '../lists/operations.ts';
import { shownItem, type Item } from '../market/operations.ts';
import { shownReview, type Review } from '../reviews/operations.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { sessionById, type Session } from '../sessions/operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Node: NodeObject;
  }
}

/** An object with a global id. */
export type NodeObject = Book | Work | LibraryImport | BookList | User | Session | Item | Review | Library;

const NODES_MAX = 100;

function findNode(context: RequestContext, { type, key }: NodeId): Promise<NodeObject | null> {
  switch (type) {
    case 'Book':
      return bookById(context, key);
    case 'Work':
      return workById(context, key);
    case 'User':
      return shownReader(context, key);
    case 'Session':
      return sessionById(context, key);
    case 'Item':
      return shownItem(context, key);
    case 'BookList':
      return shownList(context, key);
    case 'Review':
      return shownReview(context, key);
    case 'LibraryImport':
      return importById(context, key);
    case 'Library':
      return libraryById(context, key);
  }
}

/**
 * Finds an element of a list so that it can fail alone: graphql-js answers null, with an error at
 * its path, for an error that stands in the element's place. The types of resolvers do not know
 * this.
 */
async function orError<Found>(find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    // An error of the server would be the same for all elements.
    if (error instanceof RequestError) return error as unknown as Found;
    throw error;
  }
}

export const resolvers = {
  Query: {
    node: (_query, { id }, context) => findNode(context, idArgument('id', id)),
    nodes: (_query, { ids }, context) => {
      if (ids.length > NODES_MAX)
        throw badUserInput(`The argument "ids" has ${ids.length} ids; at most ${NODES_MAX} are allowed.`);
      return Promise.all(ids.map((id) => orError(async () => findNode(context, idArgument('ids', id)))));
    },
  },
  Node: {
    __resolveType: (node: NodeObject) => node.type,
  },
} satisfies Resolvers;
