import { getNamedType, isObjectType, Kind, type DocumentNode, type GraphQLFieldResolver } from 'graphql';
import type { RequestContext } from '../context/context.ts';
import type { Connection } from './connections.ts';

/** An edge as its feature makes it: what it leads to is in it, or is found by the resolver of its `node`. */
interface Edge {
  readonly node?: unknown;
}

/** The resolvers of `nodes`, for every connection of a schema: what each of its edges gives as its `node`. */
export const nodesOfConnections = ({ definitions }: DocumentNode) =>
  Object.fromEntries(
    definitions.flatMap((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value.endsWith('Connection')
        ? [[definition.name.value, { nodes }]]
        : [],
    ),
  );

const nodes: GraphQLFieldResolver<Connection<Edge>, RequestContext> = ({ edges }, _args, context, info) => {
  const type = getNamedType(info.parentType.getFields()['edges']?.type);
  const resolve = isObjectType(type) ? type.getFields()['node']?.resolve : undefined;
  return edges.map((edge) => (resolve ? resolve(edge, {}, context, info) : edge.node));
};
