import { folded } from '../text/folding.ts';

/** The keys of authors, genres and series. */

/**
 * Spaces, and punctuation that only separates or marks words. Other characters are part of a name:
 * C, C++ and C# differ. A dot in front of a word is part of it as well, as in .NET.
 */
const BETWEEN_WORDS =
  /[\s\p{Z}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc},;:'"·‧•・、。]|(?<=[\p{L}\p{N}\p{M}\p{P}])\.|\.(?!\p{L})/gu;

/**
 * Returns the key of an author, a genre or a series: `J.K. Rowling`, `J. K. Rowling` and `jk
 * rowling` have the same key. A name that consists only of such punctuation is its own key.
 */
export function nameKey(name: string): string {
  const text = folded(name);
  return text.replace(BETWEEN_WORDS, '') || text.replace(/[\s\p{Z}]/gu, '');
}

/** Removes the items with the name of an earlier one, also in another spelling. */
export function distinctByName<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const keys = new Set<string>();
  return items.filter((item) => {
    const key = nameKey(nameOf(item));
    return !keys.has(key) && keys.add(key);
  });
}
