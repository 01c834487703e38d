import { badUserInput } from '../graphql/errors.ts';
import { wordsOf } from '../text/folding.ts';
import { isLongerThan } from '../text/text.ts';
import { authorTerm, genreTerm, titleKey } from './listing.ts';
import { nameKey } from './name-key.ts';
import { otherQueriesOf, withAnd } from './word-forms.ts';

/** Reads the arguments of a search. */

const TEXT_LENGTH_MAX = 200;

/** The arguments of a search. */
export interface BookSearch {
  readonly query?: string | null | undefined;
  readonly author?: string | null | undefined;
  readonly genre?: string | null | undefined;
}

/** One interpretation of a search. */
export interface Terms {
  readonly words: readonly string[];
  /** The key of the query as a whole title. */
  readonly title: string | undefined;
  /** The key of an author's full name. */
  readonly author: string | undefined;
  /** The words of an author's name, if it may be only a part of the name. */
  readonly authorWords: readonly string[];
  readonly genre: string | undefined;
  /** The terms of the author and the genre. */
  readonly narrowing: readonly string[];
}

/**
 * Returns the interpretations of a search as it was typed, and those with other forms of its words.
 * An interpretation with the full name of the author is first.
 * @throws `BAD_USER_INPUT` when an argument has no letter or digit, or is too long
 */
export function readingsOf(search: BookSearch): [typed: Terms[], otherwise: Terms[]] {
  const words = search.query == null ? [] : textArgument('query', search.query, wordsOf);
  const author = search.author == null ? undefined : nameArgument('author', search.author);
  const genre = search.genre == null ? undefined : nameArgument('genre', search.genre);
  const ofGenre = genre === undefined ? [] : [genreTerm(genre)];

  const ofWords = { words, title: titleKey(wordsOf(withAnd(search.query ?? ''))), genre };
  const anybody = { author: undefined, authorWords: [], narrowing: ofGenre };
  const byName = { author, authorWords: [], narrowing: [authorTerm(author ?? ''), ...ofGenre] };
  const byPart = { ...anybody, authorWords: wordsOf(search.author ?? '') };
  const authors = author === undefined ? [anybody] : [byName, byPart];
  const others = otherQueriesOf(search.query ?? '').map((form) => ({ words: form, title: titleKey(form), genre }));
  return [
    authors.map((by) => ({ ...ofWords, ...by })),
    others.flatMap((form) => authors.map((by) => ({ ...form, ...by }))),
  ];
}

/** Returns the name of an interpretation, for its cursors. */
export const nameOf = ({ words, narrowing, authorWords }: Terms) =>
  [...words, ...narrowing, ...authorWords.map((word) => `@~${word}`)].join(' ');

/** Reads the name of an author, a genre or a series as its key. */
export const nameArgument = (argument: string, text: string): string =>
  textArgument(argument, text, (name) => (wordsOf(name).length > 0 ? [nameKey(name)] : [])).join('');

function textArgument(name: string, text: string, partsOf: (text: string) => string[]): string[] {
  const parts = isLongerThan(text, TEXT_LENGTH_MAX) ? [] : partsOf(text);
  if (parts.length === 0)
    throw badUserInput(
      `The argument "${name}" must have letters or digits, and at most ${TEXT_LENGTH_MAX} characters.`,
    );
  return parts;
}
