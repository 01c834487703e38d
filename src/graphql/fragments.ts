import { Kind, type DocumentNode, type SelectionSetNode } from 'graphql';

/** What the fragments of a document select, by their names. */
export const fragmentsOf = (document: DocumentNode): Map<string, SelectionSetNode> =>
  new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition.selectionSet]] : [],
    ),
  );
