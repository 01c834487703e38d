/** The calls whose answers are checked against every order in which they may have been decided. */

/** `add`, `call` and `put`, by an import, with the title. */
export type BookVerb = 'edit' | 'remove' | 'look' | `${'add' | 'call' | 'put'} ${string}`;

/** A mark with a moment, with a day or with an unknown time; the end of one; a status. */
export type ReadingVerb =
  'mark' | 'day' | 'unknown' | 'unmark' | 'WANT_TO_READ' | 'READING' | 'READ' | 'GIVEN_UP' | 'look';

/** `call` with the name. */
export type NameVerb = 'take down' | 'look' | `call ${string}`;
