import { Kind, type DocumentNode, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from '../graphql/fragments.ts';

/**
 * Returns the number of nested levels of fields, including those of fragments. Each list within a
 * list waits for the outer one.
 * @param document a valid document, whose fragments form no cycle
 * @param selectionSet the selection set of the operation
 */
export function depthOf(document: DocumentNode, selectionSet: SelectionSetNode): number {
  const fragments = fragmentsOf(document);
  // Each fragment is visited once: nested fragments may be spread exponentially often.
  const depths = new Map<string, number>();

  const depthIn = ({ selections }: SelectionSetNode): number =>
    Math.max(
      ...selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return 1 + (selection.selectionSet ? depthIn(selection.selectionSet) : 0);
        if (selection.kind === Kind.INLINE_FRAGMENT) return depthIn(selection.selectionSet);
        return depthOfFragment(selection.name.value);
      }),
    );
  const depthOfFragment = (name: string): number => {
    const fragment = fragments.get(name);
    const depth = depths.get(name) ?? (fragment ? depthIn(fragment) : 0);
    depths.set(name, depth);
    return depth;
  };
  return depthIn(selectionSet);
}
