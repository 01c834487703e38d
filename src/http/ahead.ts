import {
  defaultFieldResolver,
  getNamedType,
  isAbstractType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql';
import { bookLoader } from '../catalogue/loaders.ts';
import type { RequestContext } from '../context/context.ts';
import type { Connection } from '../graphql/connections.ts';
import { subjectOf, type NodeId } from '../graphql/ids.ts';
import { readCountsAhead, viewerLikeLoader } from '../likes/loaders.ts';

/**
 * Pages of books, or of books and copies, read ahead. The books, counts and likes of all nodes are
 * read together before the first node is resolved, so that no field waits for its own read. This
 * changes no answer: a field reads whatever was not read ahead.
 */

/** An edge to a book or a copy, as its list makes it. */
interface Edge {
  readonly node?: NodeId;
  readonly bookId?: string;
}

/** Makes the pages of a schema read ahead. */
export function readAhead(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isPageOfLikeables(schema, field.type)) continue;
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = async (source, args, context: RequestContext, info) => {
        const page = (await resolve(source, args, context, info)) as Connection<Edge> | null;
        if (page) await readNodes(context, page.edges, askedOfNodes(info));
        return page;
      };
    }
  }
}

/** True for a field that returns a connection whose nodes are books or may be. */
function isPageOfLikeables(schema: GraphQLSchema, type: GraphQLOutputType): boolean {
  const connection = getNamedType(type);
  if (!isObjectType(connection) || !connection.name.endsWith('Connection')) return false;
  const edge = getNamedType(connection.getFields()['edges']?.type);
  const node = isObjectType(edge) ? getNamedType(edge.getFields()['node']?.type) : undefined;
  const nodes = isAbstractType(node) ? schema.getPossibleTypes(node) : [node];
  return nodes.some((each) => each?.name === 'Book');
}

async function readNodes(context: RequestContext, edges: readonly Edge[], asked: ReadonlySet<string>): Promise<void> {
  if (asked.size === 0) return;
  // Pages of one request that arrive at different moments need the same data of their books.
  await context.budget?.idle();
  const ids = edges.flatMap(({ node, bookId }) => node ?? (bookId === undefined ? [] : { type: 'Book', key: bookId }));
  const subjects = ids.map((id) => subjectOf(id as NodeId));
  await Promise.all([
    bookLoader(context).ahead(ids.flatMap(({ type, key }) => (type === 'Book' ? key : []))),
    asked.has('likeCount') && readCountsAhead(context, subjects),
    (asked.has('viewerHasLiked') || asked.has('viewerLikedAt')) && viewerLikeLoader(context).ahead(subjects),
  ]);
}

/**
 * The names of the asked fields, by the first node of the document that asks for the page. GraphQL
 * merges all such nodes. An entry is kept as long as its document.
 */
const known = new WeakMap<FieldNode, ReadonlySet<string>>();

/**
 * Returns the names of all fields that the document asks of a connection's nodes. Directives may
 * leave some of them out.
 */
function askedOfNodes(info: GraphQLResolveInfo): ReadonlySet<string> {
  const [first] = info.fieldNodes;
  const kept = first && known.get(first);
  if (kept) return kept;

  const below = (fields: readonly FieldNode[], name: string) =>
    fields.flatMap((field) => fieldsOf(info, field)).filter((field) => field.name.value === name);
  const nodes = [...below(info.fieldNodes, 'nodes'), ...below(below(info.fieldNodes, 'edges'), 'node')];
  const asked = new Set(nodes.flatMap((node) => fieldsOf(info, node)).map(({ name }) => name.value));
  if (first) known.set(first, asked);
  return asked;
}

/** Returns the fields that a field selects, including those of its fragments. */
function fieldsOf({ fragments }: GraphQLResolveInfo, { selectionSet }: FieldNode): FieldNode[] {
  const within = (selection: SelectionNode): FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    const selected =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments[selection.name.value]?.selectionSet;
    return selected?.selections.flatMap(within) ?? [];
  };
  return selectionSet?.selections.flatMap(within) ?? [];
}
