/**
 * The fates of lines of files that were made without a look at the code that reads them, in the
 * columns of real exports. They were written down before any of the files was imported; a remark
 * says where something else was right, or is known to be missing.
 */

/**
 * The fate of a line, the title of its book or, if it has none, that in the file, and what the
 * reader has then: the status, with the day on which a book being read was begun or, if the file
 * does not tell it, `since` the status; the readings, newest first; and the rating. What is left
 * out is null or empty.
 */
export type Line = readonly [
  fate: string,
  title: string,
  status?: string | null,
  readings?: string,
  rating?: number | null,
];

interface Expected {
  readonly source: string;
  readonly lines: readonly Line[];
  /** Parts of what lines say was left out, by title. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** The reviews that the reader has once they are published, by title. */
  readonly reviews?: Readonly<Record<string, { readonly text: string; readonly hasSpoilers: boolean }>>;
}

export const FILES: Readonly<Record<string, Expected>> = {
  'goodreads-formulas.csv': {
    source: 'GOODREADS',
    lines: [
      ['MATCHED', 'The Name of the Wind', 'READ', '2013-02-28', 5],
      ['MATCHED', "Marley and Me: Life and Love With the World's Worst Dog", 'READ', '?', 3],
      // The book was read three times. The line says that the readings without a day are left out.
      ['MATCHED', 'The Lion, the Witch, and the Wardrobe', 'READ', '2012-12-24', 4],
      // `abandoned` is a shelf of the reader's own: they are asked once what it means.
      ['NOT_KEPT', 'Catch-22'],
      ['MATCHED', 'Middlesex', 'READING since 2010-05-04'],
      ['UNLISTED', 'Emma, Vol. 01 (Emma, #1)', 'WANT_TO_READ'],
      ['MATCHED', 'Emma', 'WANT_TO_READ'],
      ['NOT_KEPT', 'Les Misérables'],
      ['UNLISTED', '1Q84 (1Q84, #1-3)', 'READ'],
      ['MATCHED', 'The Road', 'READ', '2011-07-30', 4],
    ],
    reasons: { 'The Lion, the Witch, and the Wardrobe': 'one reading of 3 is kept' },
    reviews: {
      'The Name of the Wind': { text: 'Loved it.\n\nThe "silence of three parts" works.', hasSpoilers: false },
      'The Road': { text: 'Grey.\nAsh, and then more ash.', hasSpoilers: true },
    },
  },
  'goodreads-excel.csv': {
    source: 'GOODREADS',
    lines: [
      ['MATCHED', 'The Hunger Games', 'READ', '2023-04-07', 5],
      ['MATCHED', 'Jane Eyre', 'READ', '2022-12-31', 4],
      ['MATCHED', 'One Hundred Years of Solitude', 'WANT_TO_READ'],
      ['MATCHED', 'Slaughterhouse-Five', 'GIVEN_UP', '', 2],
      ['MATCHED', 'Frankenstein', 'READ', '2021-08-15', 4],
      ['UNLISTED', 'Die unendliche Geschichte', 'READ'],
      ['MATCHED', 'The Curious Incident of the Dog in the Night-Time', 'READING since 2019-11-05', '2018-05-03'],
    ],
  },
  'storygraph-first.csv': {
    source: 'STORYGRAPH',
    lines: [
      ['MATCHED', 'The Night Circus', 'READ', '2021-02-01/2021-02-14', 4.25],
      ['MATCHED', 'The Martian', 'READ', '2021-03-30 2019-06-01/2019-06-03', 4.5],
      ['MATCHED', 'Eat, Pray, Love', 'GIVEN_UP', '', 1.75],
      ['MATCHED', 'Watchmen', 'WANT_TO_READ'],
      ['UNLISTED', 'Piranesi', 'READING'],
      // The catalogue has a subtitle behind the title, and knows the book by both together.
      ['UNLISTED', 'The Tipping Point', 'READ'],
      // The book was read twice, on no known day, and one reading is kept.
      ['MATCHED', 'Uglies', 'READ', '?', 3],
      ['UNLISTED', '風の歌を聴け', 'READ'],
    ],
    reasons: { Uglies: 'one reading of 2 is kept' },
  },
  'storygraph-excel.csv': {
    source: 'STORYGRAPH',
    lines: [
      ['MATCHED', 'Steve Jobs', 'READ', '2023-04-26/2023-05-09', 3.75],
      ['MATCHED', 'Beautiful Creatures', 'READ', '2022-03-17', 2],
      ['MATCHED', 'Dracula', 'READ', '2022-04-05', 4.5],
      ['MATCHED', 'The Pillars of the Earth', 'READING since 2023-04-25'],
      // The catalogue has `Moby-Dick or, The Whale`.
      ['UNLISTED', 'Moby-Dick', 'WANT_TO_READ'],
      ['NOT_KEPT', 'The Princess Bride'],
      // Every book that the catalogue lacks is listed, even one without a word.
      ['UNLISTED', 'A Field Guide to Sleepy Towns', null],
      ['MATCHED', 'Les Misérables', 'GIVEN_UP', '', 2.5],
    ],
    reviews: {
      'Steve Jobs': {
        text: 'Long, but it holds.\nThe "reality distortion field" is real.',
        hasSpoilers: false,
      },
    },
  },
  'librarything-roles.tsv': {
    source: 'LIBRARYTHING',
    lines: [
      ['UNLISTED', 'La sombra del viento', null],
      ['MATCHED', 'The Odyssey', 'READ', '2007-04-16/2007-05-08', 5],
      ['MATCHED', 'The Poisonwood Bible', 'WANT_TO_READ'],
      ['MATCHED', 'Dune', 'READING 2021-08-01'],
      ['MATCHED', 'Lolita', 'WANT_TO_READ'],
      ['UNLISTED', 'Guards! Guards!', 'READ'],
      ['NOT_KEPT', 'The Secret Garden'],
      ['MATCHED', "The Handmaid's Tale", 'READ', '2019-09-10', 3.5],
      ['MATCHED', 'The Giver', 'READ', '?', 4],
      // The rating counts, and the reader is asked what `Your library` means.
      ['NOT_KEPT', 'Fifty Shades of Grey', null, '', 0.5],
      ['UNLISTED', '"A" Is for Alibi', 'READ'],
    ],
    reviews: { "The Handmaid's Tale": { text: 'Chilling.\n\nStill.', hasSpoilers: false } },
  },
  'librarything-resaved.csv': {
    source: 'LIBRARYTHING',
    lines: [
      ['MATCHED', 'Crime and Punishment', 'READ', '2015-03-02', 4],
      // The line is about a second copy of the book above.
      ['NOT_KEPT', 'Crime and Punishment', 'READ', '2015-03-02', 4],
      ['MATCHED', 'The Picture of Dorian Gray', 'GIVEN_UP'],
      ['MATCHED', 'The Count of Monte Cristo', 'READING 2024-01-01'],
      ['MATCHED', 'Sense and Sensibility', 'READING since 2009-10-11', '2018-06-01/2018-06-30'],
      ['UNLISTED', 'ノルウェイの森', 'WANT_TO_READ'],
      ['MATCHED', 'The Bell Jar', 'READ', '?', 4.5],
    ],
  },
  'hardcover-full.csv': {
    source: 'HARDCOVER',
    lines: [
      ['MATCHED', 'A Game of Thrones', 'READ', '2025-01-02/2025-02-11', 4.5],
      ['MATCHED', 'American Gods', 'GIVEN_UP', '', 2],
      ['MATCHED', 'The Goldfinch', 'WANT_TO_READ'],
      ['MATCHED', 'Catching Fire', 'READING 2025-05-01'],
      ['MATCHED', 'Dead Until Dark', 'READING 2025-04-01'],
      ['NOT_KEPT', 'The Shack'],
      ['UNLISTED', 'Project Hail Mary', 'READ'],
      ['NOT_KEPT', 'Hamlet'],
      ['MATCHED', 'A Feast for Crows', 'READ', '?', 3],
    ],
    reviews: {
      'A Game of Thrones': {
        text: 'Everybody dies.\n\nNot "everybody", but, well, most.',
        hasSpoilers: true,
      },
    },
  },
  'hardcover-edited.csv': {
    source: 'HARDCOVER',
    lines: [
      ['MATCHED', 'The Help', 'GIVEN_UP'],
      ['MATCHED', 'Wicked: The Life and Times of the Wicked Witch of the West', 'READ', '2024-03-15', 4],
      ['MATCHED', 'The Girl Who Played with Fire', 'READ', '2023-10-01', 3.5],
      ['MATCHED', "Ender's Game", 'WANT_TO_READ'],
      ['MATCHED', 'Macbeth', 'READING since 2025-01-01', '2019-12-20/2020-01-01'],
      ['UNLISTED', 'Klara and the Sun', 'WANT_TO_READ'],
      ['AMBIGUOUS', 'Bossypants'],
      ['MATCHED', 'Holes', 'READ', '2024-05-01', 4],
    ],
  },
  'bookwyrm-shelfless.csv': {
    source: 'BOOKWYRM',
    lines: [
      ['MATCHED', 'The Kite Runner', null, '', 4.5],
      ['MATCHED', 'Life of Pi', null],
      ['NOT_KEPT', 'Fight Club'],
      ['UNLISTED', 'Gideon the Ninth', null],
      ['UNLISTED', 'The Long Way Round the Lake', null],
      ['MATCHED', 'The Golden Compass', null, '', 5],
      ['MATCHED', 'If I Stay', null, '', 3.5],
    ],
    reviews: {
      'Life of Pi': { text: 'Boats\n\nI *liked* it, mostly.', hasSpoilers: false },
      'If I Stay': { text: 'She stays.', hasSpoilers: true },
    },
  },
  'bookwyrm-today.csv': {
    source: 'BOOKWYRM',
    lines: [
      ['MATCHED', 'The Red Tent', 'READ', '2024-10-21/2024-10-25', 3],
      ['MATCHED', 'Digital Fortress', 'GIVEN_UP'],
      ['MATCHED', 'Siddhartha', 'READING 2025-06-01'],
      ['MATCHED', 'Outliers: The Story of Success', 'WANT_TO_READ'],
      ['MATCHED', 'In Cold Blood', 'READ', '2023-03-03'],
      ['NOT_KEPT', 'Matilda'],
      ['UNLISTED', 'Perdido Street Station', 'READ'],
      ['MATCHED', 'A Clockwork Orange', 'READ', '?'],
      ['MATCHED', 'The Last Olympian', 'READ', '2024-02-29', 4],
      ['MATCHED', 'Anna Karenina', 'WANT_TO_READ'],
    ],
  },
};
