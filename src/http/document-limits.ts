import {
  GraphQLError,
  Kind,
  visit,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Limits on the size of a document, independent of its cost: a repeated field costs nothing but the
 * work of merging it. Documents of frontends have a tenth of these sizes; the introspection query
 * of tools has 150 fields. The limits are checked first, so that no check of a document takes
 * longer than a few milliseconds.
 */

/** The maximum number of tokens, checked while the text is parsed. */
export const TOKENS_MAX = 2_000;
const FIELDS_MAX = 400;
const ALIASES_MAX = 100;
/** The maximum number of directives on one field, fragment or operation. */
const DIRECTIVES_MAX = 5;
/**
 * The maximum number of selections and of values of arguments. Those of a fragment are counted each
 * time it is spread. Fragments that spread others twice multiply them without bound.
 */
const EXPANDED_MAX = 4_000;
/**
 * The maximum work of checking whether fields at one place of the answer can be merged. The unit is
 * a comparison of two plain fields. GraphQL compares each field with all others.
 */
const COMPARISONS_MAX = 60_000;
/** The work of comparing two fragments, or two fields that have arguments or subfields. */
const OF_PARTS = 10;

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Returns the error for a document over the limits; `undefined` if it is within them. */
export function refusalOf(document: DocumentNode): GraphQLError | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions) {
    if (each.kind !== Kind.FRAGMENT_DEFINITION) continue;
    // Another rule names both, but only after all of them are compared.
    if (fragments.has(each.name.value))
      return new GraphQLError(`There are several fragments named "${each.name.value}".`, { nodes: each });
    fragments.set(each.name.value, each);
  }
  // The comparisons end only if no fragment contains itself. They are fast only if few fragments
  // are spread.
  return refusedNode(document) ?? refusedExpansion(document, fragments) ?? refusedMerging(document, fragments);
}

const tooMany = (what: string, most: number, node?: ASTNode) =>
  new GraphQLError(`There are too many ${what}; at most ${most} are allowed. Ask in several queries.`, {
    nodes: node ?? null,
  });

/** Counts the written fields, aliases and directives, without spreading fragments. */
function refusedNode(document: DocumentNode): GraphQLError | undefined {
  let refused: GraphQLError | undefined;
  let fields = 0;
  let aliases = 0;
  visit(document, {
    enter: (node) => {
      if ('directives' in node && node.directives.length > DIRECTIVES_MAX)
        refused ??= tooMany('directives at one place', DIRECTIVES_MAX, node);
      if (node.kind !== Kind.FIELD) return;
      if (++fields > FIELDS_MAX) refused ??= tooMany('fields in the query', FIELDS_MAX, node);
      if (node.alias && ++aliases > ALIASES_MAX) refused ??= tooMany('aliases in the query', ALIASES_MAX, node);
    },
  });
  return refused;
}

/** Counts the selections and values of all definitions once their fragments are spread. */
function refusedExpansion(document: DocumentNode, fragments: Fragments): GraphQLError | undefined {
  /** The sizes of fragments; `undefined` while one is being counted. */
  const sizes = new Map<string, number | undefined>();
  let circular: ASTNode | undefined;

  const sizeOfFragment = (node: ASTNode, name: string): number => {
    const fragment = fragments.get(name);
    if (!fragment) return 0;
    if (sizes.has(name)) {
      const size = sizes.get(name);
      if (size === undefined) circular ??= node;
      return size ?? 0;
    }
    sizes.set(name, undefined);
    const size = sizeOf(fragment.selectionSet);
    sizes.set(name, size);
    return size;
  };
  const sizeOf = ({ selections }: SelectionSetNode): number => {
    let size = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) size += 1 + sizeOfFragment(selection, selection.name.value);
      else size += 1 + valuesOf(selection) + (selection.selectionSet ? sizeOf(selection.selectionSet) : 0);
    }
    return size;
  };

  let size = 0;
  for (const each of document.definitions)
    if (each.kind === Kind.OPERATION_DEFINITION) size += sizeOf(each.selectionSet);
  for (const [name, fragment] of fragments) if (!sizes.has(name)) size += sizeOfFragment(fragment, name);
  if (circular) return new GraphQLError('A fragment contains itself, so it has no end.', { nodes: circular });
  return size > EXPANDED_MAX
    ? tooMany('fields and values, where those of a fragment count each time it is spread', EXPANDED_MAX)
    : undefined;
}

/** Returns the number of values in the arguments and directives of a selection. */
function valuesOf(selection: ASTNode & { selectionSet?: SelectionSetNode | undefined }): number {
  let values = 0;
  visit(selection, {
    enter: ({ kind }) => {
      if (kind.endsWith('Value')) values++;
      return kind === Kind.SELECTION_SET ? false : undefined;
    },
  });
  return values;
}

/** Counts the comparisons between fragments and between fields that stand at one place. */
function refusedMerging(document: DocumentNode, fragments: Fragments): GraphQLError | undefined {
  let comparisons = 0;
  const seen = new Set<string>();

  const merge = (sets: readonly SelectionSetNode[]): void => {
    const spread = new Set<string>();
    const fields = new Map<string, FieldNode[]>();
    let parts = sets.length;
    const collect = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          const name = (selection.alias ?? selection.name).value;
          const same = fields.get(name);
          if (same) same.push(selection);
          else fields.set(name, [selection]);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          collect(selection.selectionSet);
        } else {
          parts++;
          const { value: name } = selection.name;
          const fragment = spread.has(name) ? undefined : fragments.get(name);
          spread.add(name);
          seen.add(name);
          if (fragment) collect(fragment.selectionSet);
        }
      }
    };
    sets.forEach(collect);

    comparisons += OF_PARTS * pairsOf(parts);
    for (const same of fields.values()) {
      const isPlain = same.every(({ arguments: given, selectionSet }) => !selectionSet && !given?.length);
      comparisons += (isPlain ? 1 : OF_PARTS) * pairsOf(same.length);
      const below = same.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (below.length > 0) merge(below);
    }
  };

  for (const each of document.definitions) if (each.kind === Kind.OPERATION_DEFINITION) merge([each.selectionSet]);
  for (const [name, { selectionSet }] of fragments) if (!seen.has(name)) merge([selectionSet]);
  if (comparisons <= COMPARISONS_MAX) return undefined;
  return new GraphQLError(
    'Too many fragments, or repetitions of a field, stand at one place. ' +
      'Spread fewer fragments there, or ask in several queries.',
  );
}

const pairsOf = (count: number) => (count * (count - 1)) / 2;
