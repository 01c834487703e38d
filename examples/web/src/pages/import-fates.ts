import type { ImportDetailsFragment, ImportFate, LibrarySource } from '../documents.generated.ts';

/** Returns the fates that lines may have, in the words for readers, each with its number of lines. */
export const fatesOf = (found: ImportDetailsFragment): readonly (readonly [ImportFate, string, number])[] => [
  ['MATCHED', 'On your shelves', found.matched],
  ['AMBIGUOUS', 'For you to choose', found.ambiguous],
  ['UNLISTED', 'Not in the catalogue', found.unlisted],
  ['NOT_KEPT', 'Left as it was', found.notKept],
  ['FAILED', 'Unreadable', found.failed],
];

/** Returns the number of lines with a fate. */
export const linesWith = (fate: ImportFate, found: ImportDetailsFragment): number =>
  fatesOf(found).find(([name]) => name === fate)?.[2] ?? 0;

/** The services, as they write their names. */
export const SOURCES: Readonly<Record<LibrarySource, string>> = {
  GOODREADS: 'Goodreads',
  STORYGRAPH: 'StoryGraph',
  LIBRARYTHING: 'LibraryThing',
  HARDCOVER: 'Hardcover',
  BOOKWYRM: 'BookWyrm',
};
