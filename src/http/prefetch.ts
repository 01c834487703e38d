import {
  defaultFieldResolver,
  getNamedType,
  isAbstractType,
  isObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import type { RequestContext } from '../context/context.ts';
import { fieldsAskedOfNodes } from '../graphql/asked-fields.ts';
import type { Connection, ListedNode } from '../graphql/connections.ts';
import type { NodeType } from '../graphql/ids.ts';
import type { ReadsAhead } from '../feature/feature.ts';
import { features } from '../features.ts';

/**
 * Reads pages ahead. All data that features need for the nodes of a page is read together before
 * the first node is resolved, so that no field waits for its own read.
 */

/** An edge of a list, with the id of its node or only with the key, as `bookId`. */
type Edge = { readonly node?: ListedNode } & Readonly<Partial<Record<`${Lowercase<NodeType>}Id`, string>>>;

/** Changes a schema so that it reads its pages ahead. */
export function readAhead(schema: GraphQLSchema): void {
  const everyRead = features.flatMap(({ readsAhead = [] }) => readsAhead);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const nodes = nodesOfPage(schema, field.type);
      const reads = everyRead.filter(({ of }) => nodes.includes(of));
      if (reads.length === 0) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = async (source, args, context: RequestContext, info) => {
        const page = (await resolve(source, args, context, info)) as Connection<Edge> | null;
        if (page) await readNodes(context, page.edges, reads, fieldsAskedOfNodes(info));
        return page;
      };
    }
  }
}

/** Returns the types that nodes may be of if the field returns a connection. */
function nodesOfPage(schema: GraphQLSchema, type: GraphQLOutputType): readonly string[] {
  const connection = getNamedType(type);
  if (!isObjectType(connection) || !connection.name.endsWith('Connection')) return [];
  const edge = getNamedType(connection.getFields()['edges']?.type);
  const node = isObjectType(edge) ? getNamedType(edge.getFields()['node']?.type) : undefined;
  return (isAbstractType(node) ? schema.getPossibleTypes(node) : [node]).flatMap((each) => each?.name ?? []);
}

async function readNodes(
  context: RequestContext,
  edges: readonly Edge[],
  reads: readonly ReadsAhead[],
  asked: ReadonlySet<string>,
): Promise<void> {
  if (asked.size === 0) return;
  // Pages of one request that arrive at different moments need the same data of their nodes.
  await context.budget?.idle();
  await Promise.all(reads.map(({ of, read }) => read(context, nodesIn(edges, of), asked)));
}

const nodesIn = (edges: readonly Edge[], type: NodeType): ListedNode[] => {
  const name = `${type.toLowerCase() as Lowercase<NodeType>}Id` as const;
  return edges.flatMap(({ node, [name]: key }) => node ?? (key === undefined ? [] : { type, key }));
};
