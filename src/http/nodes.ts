import type { RequestContext } from '../context/context.ts';
import { badUserInput, RequestError } from '../graphql/errors.ts';
import { idArgument, type NodeId, type NodeType } from '../graphql/ids.ts';
import type { Models } from '../graphql/models.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Node: NodeObject;
  }
}

/** An object with a global id. */
export type NodeObject = Models[NodeType];

const NODES_MAX = 100;

const findNode = (context: RequestContext, { type, key }: NodeId): Promise<NodeObject | null> =>
  context.nodeTypes[type].find(context, key);

/**
 * Finds an element of a list so that it can fail alone. For an error in the place of an element,
 * graphql-js answers null and adds the error with its path. The types of resolvers do not know
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
