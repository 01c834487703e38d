import type { User } from '../identity/operations.ts';
import { shownReader } from '../identity/privacy.ts';
import { bookById, type Book } from '../catalogue/operations.ts';
import type { RequestContext } from '../context/context.ts';
import { badUserInput } from '../graphql/errors.ts';
import { idArgument, type NodeId } from '../graphql/ids.ts';
import { libraryById, type Library } from '../libraries/operations.ts';
import { shownItem, type Item } from '../market/operations.ts';
import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { sessionById, type Session } from '../sessions/operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Node: NodeObject;
  }
}

/** Anything with an id. */
export type NodeObject = Book | User | Session | Item | Library;

const NODES_MAX = 100;

function findNode(context: RequestContext, { type, key }: NodeId): Promise<NodeObject | null> {
  switch (type) {
    case 'Book':
      return bookById(context, key);
    case 'User':
      return shownReader(context, key);
    case 'Session':
      return sessionById(context, key);
    case 'Item':
      return shownItem(context, key);
    case 'Library':
      return libraryById(context, key);
  }
}

export const resolvers: Resolvers = {
  Query: {
    node: (_query, { id }, context) => findNode(context, idArgument('id', id)),
    nodes: (_query, { ids }, context) => {
      if (ids.length > NODES_MAX)
        throw badUserInput(`The argument "ids" has ${ids.length} ids; at most ${NODES_MAX} are allowed.`);
      return Promise.all(ids.map((id) => idArgument('ids', id)).map((id) => findNode(context, id)));
    },
  },
  Node: {
    __resolveType: (node: NodeObject) => node.type,
  },
};
