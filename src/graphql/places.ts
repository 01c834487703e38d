import { Kind, visit, type ASTNode, type DocumentNode } from 'graphql';

/**
 * The places of the nodes of documents in their texts. GraphQL's own `loc` of a node makes each
 * error read the text from its beginning, once for every node that the error names: a text of empty
 * lines with two hundred mistakes took seconds.
 */

interface Place {
  readonly text: string;
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

const places = new WeakMap<ASTNode, Place>();
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Removes the places from the nodes of a parsed document, and keeps them for {@link placeOf}. It
 * walks the document once.
 */
export function takePlaces(document: DocumentNode): void {
  const text = document.loc?.source.body ?? '';
  let [line, lineStart, read] = [1, 0, 0];
  visit(document, {
    enter: (node) => {
      if (!node.loc || node.kind === Kind.DOCUMENT) return;
      const { start } = node.loc;
      // A node begins where its parent does or later, and after the nodes before it.
      for (; read < start; read++) {
        const code = text.charCodeAt(read);
        const endsLine = code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(read + 1) !== LINE_FEED);
        if (endsLine) [line, lineStart] = [line + 1, read + 1];
      }
      places.set(node, { text, start, line, column: start - lineStart + 1 });
      Object.assign(node, { loc: undefined });
    },
  });
}

/**
 * Returns the place of a node in its document; `undefined` unless {@link takePlaces} was called.
 */
export const placeOf = (node: ASTNode): Place | undefined => places.get(node);
