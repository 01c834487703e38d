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
 * Pages of books, or of books and copies, have at hand what is shown of each before the first one is looked at: their books, counts and the
 * viewer's likes are read at once, instead of one after the other, and each field finds what it needs without waiting. It changes no answer:
 * what was not read ahead, a field reads itself.
 */

/** An edge that leads to a book or a copy, as its list makes it. */
interface Edge {
  readonly node?: NodeId;
  readonly bookId?: string;
}

/** Lets the pages of a schema read ahead. */
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

/** Whether a field is a connection whose nodes are books, or may be. */
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
  // Pages of one request that come at different moments need the same of their books.
  await context.budget?.idle();
  const ids = edges.flatMap(({ node, bookId }) => node ?? (bookId === undefined ? [] : { type: 'Book', key: bookId }));
  const subjects = ids.map((id) => subjectOf(id as NodeId));
  await Promise.all([
    bookLoader(context).ahead(ids.flatMap(({ type, key }) => (type === 'Book' ? key : []))),
    asked.has('likeCount') && readCountsAhead(context, subjects),
    (asked.has('viewerHasLiked') || asked.has('viewerLikedAt')) && viewerLikeLoader(context).ahead(subjects),
  ]);
}

/** By the first of the places where a field is asked for, which are merged; kept as long as its document. */
const known = new WeakMap<FieldNode, ReadonlySet<string>>();

/** The names of all fields that are asked for of a connection's nodes; more, where directives leave some out. */
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

/** The fields that a field selects, those of its fragments as well. */
function fieldsOf({ fragments }: GraphQLResolveInfo, { selectionSet }: FieldNode): FieldNode[] {
  const within = (selection: SelectionNode): FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection];
    const selected =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments[selection.name.value]?.selectionSet;
    return selected?.selections.flatMap(within) ?? [];
  };
  return selectionSet?.selections.flatMap(within) ?? [];
}
