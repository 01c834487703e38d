import { getNamedType, isObjectType, Kind, type DocumentNode, type GraphQLFieldResolver } from 'graphql';
import type { RequestContext } from '../context/context.ts';
import type { Connection } from './connections.ts';

/** An edge of a feature. It has its node, or the resolver of `node` finds it. */
interface Edge {
  readonly node?: unknown;
}

/**
 * The resolvers of `nodes` for all connections of a schema. They return the `node` of each edge.
 */
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
