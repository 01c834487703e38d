/** The calls whose answers are checked against every order in which they may have been decided. */

/** The verbs `add` and `call`, and `put` for an import, are followed by the title. */
export type BookVerb = 'edit' | 'remove' | 'look' | `${'add' | 'call' | 'put'} ${string}`;

/**
 * A mark has a moment, a day or an unknown time. The other verbs correct or end a reading, take the
 * book off its shelf, set a status, or read the state.
 */
export type ReadingVerb =
  | 'mark'
  | 'day'
  | 'unknown'
  | 'give a day'
  | 'forget the day'
  | 'unmark'
  | 'take off'
  | 'WANT_TO_READ'
  | 'READING'
  | 'READ'
  | 'GIVEN_UP'
  | 'look';

/** The verb `rate` is followed by the stars. */
export type RatingVerb = 'unrate' | 'look' | `rate ${number}`;

/** The verb `write` is followed by the text. */
export type ReviewVerb = 'delete' | 'take down' | 'look' | `write ${string}`;

/**
 * The verb `call` is followed by the name of the list. The others are followed by a book: `add` and
 * `move` also by `after` and the book after which it is placed, `note` also by the note.
 */
export type ListVerb = 'delete' | 'take down' | 'look' | `${'add' | 'move' | 'remove' | 'note' | 'call'} ${string}`;

/** The verb `call` is followed by the name. */
export type NameVerb = 'take down' | 'look' | `call ${string}`;
