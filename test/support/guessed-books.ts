import type { Expected } from './held-out-libraries.ts';

/**
 * The fates of lines whose ISBN or number at Goodreads agrees with the title and the author, or
 * not: translations, pen names, omnibuses, comics, and mistakes. Their author had not read the code
 * that matches them.
 */
export const GUESSES: Readonly<Record<string, Expected>> = {
  'goodreads-guessed-ids.csv': {
    source: 'GOODREADS',
    lines: [
      ['AMBIGUOUS', 'Knitting for Cats'],
      ['AMBIGUOUS', 'Knitting for Dogs'],
      ['MATCHED', "Harry Potter and the Sorcerer's Stone", 'WANT_TO_READ'],
      ['MATCHED', 'The Catcher in the Rye', 'WANT_TO_READ'],
      ['MATCHED', 'Pride and Prejudice', 'WANT_TO_READ'],
      // The catalogue knows the original title.
      ['MATCHED', 'Crime and Punishment', 'WANT_TO_READ'],
      ['MATCHED', 'Crime and Punishment', 'WANT_TO_READ'],
      ['MATCHED', 'Eleanor & Park', 'WANT_TO_READ'],
      ['MATCHED', 'A Feast for Crows', 'WANT_TO_READ'],
      ['MATCHED', 'Angels & Demons', 'WANT_TO_READ'],
      ['UNLISTED', 'J.R.R. Tolkien 4-Book Boxed Set: The Hobbit and The Lord of the Rings', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'Harry Potter and the Chamber of Secrets'],
      ['MATCHED', 'The Hobbit', 'WANT_TO_READ'],
      ['MATCHED', 'Dune', 'WANT_TO_READ'],
      ['UNLISTED', 'Duna', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'O jogo do exterminador'],
      ['MATCHED', 'To Kill a Mockingbird', 'WANT_TO_READ'],
      ['MATCHED', 'It', 'WANT_TO_READ'],
      ['UNLISTED', 'The Stand', 'WANT_TO_READ'],
      ['UNLISTED', 'The Hunger Games Trilogy Boxset (The Hunger Games, #1-3)', 'WANT_TO_READ'],
      ['UNLISTED', 'Twilight: The Graphic Novel, Vol. 1 (Twilight: The Graphic Novel, #1)', 'WANT_TO_READ'],
      ['MATCHED', "Marley and Me: Life and Love With the World's Worst Dog", 'WANT_TO_READ'],
      ['MATCHED', 'Green Eggs and Ham', 'WANT_TO_READ'],
      ['MATCHED', 'And Then There Were None', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'The Fellowship of the Ring'],
      ['AMBIGUOUS', 'Emma, Vol. 01 (Emma, #1)'],
      ['MATCHED', 'Room', 'WANT_TO_READ'],
      ['MATCHED', 'American Gods', 'WANT_TO_READ'],
      ['MATCHED', 'The Lord of the Rings', 'WANT_TO_READ'],
    ],
  },
  'storygraph-guessed-isbns.csv': {
    source: 'STORYGRAPH',
    lines: [
      ['MATCHED', 'The Hobbit', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'Gone Girl'],
      ['AMBIGUOUS', 'Knitting for Cats'],
      ['MATCHED', '1984', 'WANT_TO_READ'],
      ['MATCHED', 'The Lovely Bones', 'WANT_TO_READ'],
      ['MATCHED', 'The Alchemist', 'WANT_TO_READ'],
      ['MATCHED', 'Twilight', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'Mockingjay'],
      ['MATCHED', 'Divergent', 'WANT_TO_READ'],
      ['MATCHED', 'Life of Pi', 'WANT_TO_READ'],
      ['MATCHED', 'The Notebook', 'WANT_TO_READ'],
      ['MATCHED', 'Romeo and Juliet', 'WANT_TO_READ'],
      ['MATCHED', 'Frankenstein', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'Odyssee'],
      ['MATCHED', 'Steve Jobs', 'WANT_TO_READ'],
      ['MATCHED', 'Watchmen', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'It Ends with Us'],
      ['AMBIGUOUS', 'Emma: A Modern Retelling'],
      ['MATCHED', 'Wild: From Lost to Found on the Pacific Crest Trail', 'WANT_TO_READ'],
      ['UNLISTED', 'Steelheart', 'WANT_TO_READ'],
      ['MATCHED', 'Siddhartha', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'Drakula'],
      // The line waits for its book by ISBN, which is shown instead of the title.
      ['UNLISTED', '9780385743563', 'WANT_TO_READ'],
      ['MATCHED', 'Me Talk Pretty One Day', 'WANT_TO_READ'],
    ],
  },
  'bookwyrm-guesses.csv': {
    source: 'BOOKWYRM',
    lines: [
      ['AMBIGUOUS', 'Knitting for Cats'],
      ['MATCHED', 'Fahrenheit 451', 'WANT_TO_READ'],
      ['MATCHED', 'Gone Girl', 'WANT_TO_READ'],
      ['MATCHED', 'Matilda', 'WANT_TO_READ'],
      ['FAILED', ''],
      ['MATCHED', 'Where the Sidewalk Ends', 'WANT_TO_READ'],
      ['MATCHED', 'Charlie and the Chocolate Factory', 'WANT_TO_READ'],
      ['MATCHED', "The Hitchhiker's Guide to the Galaxy", 'WANT_TO_READ'],
    ],
  },
  'librarything-guesses.csv': {
    source: 'LIBRARYTHING',
    lines: [
      ['MATCHED', 'One Hundred Years of Solitude', 'WANT_TO_READ'],
      ['MATCHED', 'Slaughterhouse-Five', 'WANT_TO_READ'],
      ['MATCHED', 'Les Misérables', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'Die Firma'],
      ['MATCHED', 'A Wrinkle in Time', 'WANT_TO_READ'],
      ['MATCHED', 'Eragon', 'WANT_TO_READ'],
    ],
  },
};
