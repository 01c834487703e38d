import { Kind, type DocumentNode, type SelectionSetNode } from 'graphql';

/** The selection sets of a document's fragments, by name. */
export const fragmentsOf = (document: DocumentNode): Map<string, SelectionSetNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition.selectionSet]] : [],
    ),
  );
