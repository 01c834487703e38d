import { Kind, type DocumentNode, type SelectionSetNode } from 'graphql';
import { fragmentsOf } from '../graphql/fragments.ts';

/**
 * How many levels of fields are within each other, those of fragments included: each list within a list waits for the one
 * around it.
 * @param document a valid one, whose fragments are in no circle
 * @param selectionSet that of the operation
 */
export function depthOf(document: DocumentNode, selectionSet: SelectionSetNode): number {
  const fragments = fragmentsOf(document);
  // Each is looked at once: fragments within fragments may be spread more often than anybody can count.
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
