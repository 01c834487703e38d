import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionNode } from 'graphql';

/**
 * The names of the requested fields, by the first of the document's nodes that request the page.
 * GraphQL merges these nodes. An entry is kept as long as its document.
 */
const known = new WeakMap<FieldNode, ReadonlySet<string>>();

/**
 * Returns the names of all fields that the document requests of a connection's nodes, for nodes of
 * any type. Directives may leave some of them out.
 */
export function fieldsAskedOfNodes(info: GraphQLResolveInfo): ReadonlySet<string> {
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
