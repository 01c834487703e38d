/**
 * The expected fates of lines of files with the columns of real exports, made without reading the
 * code that parses them. They were written down before any of the files was imported; a comment
 * marks an expectation that was corrected later, or a known gap.
 */

/**
 * The fate of a line, the title of its book (or the title in the file if it has none), and the
 * reader's data after the import: the status, with the day on which a book being read was begun or,
 * if the file does not contain it, `since` the status; the readings, newest first; and the rating.
 * Omitted values are null or empty.
 */
export type Line = readonly [
  fate: string,
  title: string,
  status?: string | null,
  readings?: string,
  rating?: number | null,
];

export interface Expected {
  readonly source: string;
  readonly lines: readonly Line[];
  /** Parts of the warnings of lines, by title. */
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
      // The book was read three times. The line warns that the readings without a day are left out.
      ['MATCHED', 'The Lion, the Witch, and the Wardrobe', 'READ', '2012-12-24', 4],
      // `abandoned` is a shelf of the reader's own: they are asked once for its status.
      ['NOT_KEPT', 'Catch-22'],
      ['MATCHED', 'Middlesex', 'READING since 2010-05-04'],
      ['UNLISTED', 'Emma, Vol. 01 (Emma, #1)', 'WANT_TO_READ'],
      ['MATCHED', 'Emma', 'WANT_TO_READ'],
      ['NOT_KEPT', 'Les Misérables'],
      ['UNLISTED', '1Q84 (1Q84, #1-3)', 'READ'],
      ['MATCHED', 'The Road', 'READ', '2011-07-30', 4],
    ],
    reasons: { 'The Lion, the Witch, and the Wardrobe': '1 of 3 was imported' },
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
      // The catalogue has the title with a subtitle.
      ['UNLISTED', 'The Tipping Point', 'READ'],
      // The book was read twice, on no known day, and one reading is kept.
      ['MATCHED', 'Uglies', 'READ', '?', 3],
      ['UNLISTED', '風の歌を聴け', 'READ'],
    ],
    reasons: { Uglies: '1 of 2 was imported' },
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
      // The rating is imported, and the reader is asked for the status of `Your library`.
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
  'goodreads-unicode-text.txt': {
    source: 'GOODREADS',
    lines: [
      ['MATCHED', 'Pride and Prejudice', 'READ', '2020-12-25', 5],
      ['MATCHED', 'Wuthering Heights', 'READ', '2021-04-03'],
      ['MATCHED', 'One Hundred Years of Solitude', 'WANT_TO_READ'],
      ['UNLISTED', 'Мастер и Маргарита', 'READ'],
      ['UNLISTED', '坊っちゃん', 'WANT_TO_READ'],
      ['UNLISTED', 'موسم الهجرة إلى الشمال', 'READING'],
      ['MATCHED', 'Great Expectations', 'READ', '2018-06-30', 4],
      ['MATCHED', 'Into the Wild', 'READ', '?'],
      ['MATCHED', 'The Little Prince', 'READ', '?', 3],
    ],
    reasons: { 'Great Expectations': '1 of 2 was imported' },
    reviews: { 'Great Expectations': { text: 'Pip said "no".\nThen, of course:\nyes.', hasSpoilers: false } },
  },
  'goodreads-by-hand.csv': {
    source: 'GOODREADS',
    lines: [
      ['MATCHED', 'Gone Girl', 'READ', '2020-12-25', 4],
      ['MATCHED', 'The Glass Castle', 'READ', '2021-03-04', 4],
      ['MATCHED', 'Night', 'READ', '2021-03-04', 5],
      ['MATCHED', 'The Road', 'READ', '?', 3],
      ['MATCHED', 'It', 'WANT_TO_READ'],
      ['MATCHED', 'Lord of the Flies', 'READ', '?', 4.5],
      ['MATCHED', 'Room', 'READ', '?', 2],
      // Goodreads has no author's last name first, and may have a comma in the name of a company.
      ['UNLISTED', 'Emma', 'WANT_TO_READ'],
      ['MATCHED', 'A Tale of Two Cities', 'READ', '2019-07-04'],
      ['MATCHED', "Angela's Ashes", 'READING since 2022-10-11'],
      ['MATCHED', 'The Color Purple', 'GIVEN_UP', '', 2],
      ['MATCHED', 'Little Women', 'READ', '?'],
    ],
    reasons: {
      'The Road': '"2021/03" is not a day',
      'Lord of the Flies': '"2/30/2020" is not a day',
      Room: '"1/5/2999" is not a day',
    },
  },
  'goodreads-macintosh.csv': {
    source: 'GOODREADS',
    lines: [
      ['MATCHED', 'Jane Eyre', 'READ', '2021-10-21', 5],
      ['MATCHED', 'Les Misérables', 'WANT_TO_READ'],
      ['MATCHED', 'One Hundred Years of Solitude', 'READING since 2022-03-04'],
      ['UNLISTED', 'Las aventuras de Íñigo', 'READ'],
    ],
    reviews: { 'Jane Eyre': { text: '“Reader”, I read it.', hasSpoilers: false } },
  },
  'goodreads-editions.csv': {
    source: 'GOODREADS',
    lines: [
      ['MATCHED', 'The Shining', 'READ', '2019-10-31 2010-01-05', 5],
      ['MATCHED', 'The Shining', 'READ', '2019-10-31 2010-01-05', 5],
      ['MATCHED', 'The Diary of a Young Girl', 'WANT_TO_READ'],
      // The author of the catalogue is Kurt Vonnegut Jr., who may be another person.
      ['UNLISTED', 'Slaughterhouse-Five', 'READ'],
      ['UNLISTED', 'Stride Toward Freedom', 'READ'],
      ['MATCHED', 'The Stranger', 'READ', '2005-06-07', 5],
      ['MATCHED', "Harry Potter and the Sorcerer's Stone", 'READ', '1999-08-01', 5],
      ['NOT_KEPT', 'The Fellowship of the Ring'],
      ['MATCHED', 'The Lord of the Rings', 'READING since 2020-12-12'],
      ['MATCHED', "The Hitchhiker's Guide to the Galaxy", 'READ', '2011-11-21', 5],
      ['MATCHED', 'Jurassic Park', 'READ', '2015-06-12', 3],
    ],
    reasons: { 'The Stranger': '1 of 10 was imported' },
    reviews: {
      "Harry Potter and the Sorcerer's Stone": { text: 'Still magic & owls.\n\nMore <3', hasSpoilers: true },
      'Jurassic Park': { text: '- Dinosaurs!\nThe park fails.', hasSpoilers: true },
    },
  },
  'storygraph-rereads.csv': {
    source: 'STORYGRAPH',
    lines: [
      [
        'MATCHED',
        'Harry Potter and the Chamber of Secrets',
        'READING 2024-05-01',
        '2020-12-20/2021-01-02 2012-07-01/2012-07-10',
        4,
      ],
      ['MATCHED', 'The Goldfinch', 'GIVEN_UP', '', 1.5],
      ['MATCHED', 'American Gods', 'READING 2022-08-01'],
      ['MATCHED', 'Digital Fortress', 'READ', '2021-05-01', 4],
      ['MATCHED', 'Deception Point', 'READ', '2021-02-02 2020-01-01/2020-01-03', 3.75],
      ['MATCHED', 'The Da Vinci Code', 'READ', '2021-04-01/2021-04-05 2019-03-03'],
      ['MATCHED', 'The Da Vinci Code', 'READ', '2021-04-01/2021-04-05 2019-03-03'],
      ['MATCHED', 'The Shack', 'READ', '?'],
      ['MATCHED', 'The Lovely Bones', 'READ', '?', 3.5],
      ['MATCHED', 'Eleanor & Park', 'WANT_TO_READ'],
      ['MATCHED', 'A Dance with Dragons', 'READ', '?'],
      ['UNLISTED', 'Stride Toward Freedom', 'READ'],
      ['MATCHED', 'Matched', 'GIVEN_UP', '2015-01-01/2015-01-09'],
    ],
    reasons: { 'The Shack': '"2999/01/01" is not a day', 'Deception Point': '2 of 10 were imported' },
    reviews: { 'The Lovely Bones': { text: 'First line.\n\nSecond line & more', hasSpoilers: false } },
  },
  'storygraph-semicolons.csv': {
    source: 'STORYGRAPH',
    lines: [
      ['MATCHED', 'Anna Karenina', 'READ', '2021-05-01/2021-05-09', 4.5],
      ['MATCHED', "Bridget Jones's Diary", 'READ', '2020-03-17', 3.25],
      ['MATCHED', 'Me Talk Pretty One Day', 'WANT_TO_READ'],
      ['MATCHED', 'Angels & Demons', 'READING since 2022-06-05'],
      ['MATCHED', 'Allegiant', 'GIVEN_UP', '', 1],
      ['MATCHED', 'Insurgent', 'READING since 2022-06-07'],
      ['UNLISTED', 'Die Verwandlung', 'READ'],
      ['MATCHED', 'The Alchemist', 'READ', '2019-04-03'],
      ['MATCHED', 'Mockingjay', 'READ', '2021-05-09'],
    ],
  },
  'librarything-latin1.tsv': {
    source: 'LIBRARYTHING',
    lines: [
      ['MATCHED', 'The Little Prince', 'READ', '2011-02-03', 4.5],
      ['MATCHED', 'Wuthering Heights', 'READ', '?'],
      ['MATCHED', 'Slaughterhouse-Five', 'WANT_TO_READ'],
      ['MATCHED', 'One Hundred Years of Solitude', 'WANT_TO_READ'],
      ['MATCHED', 'Outliers: The Story of Success', 'READ', '?', 0.5],
      ['MATCHED', 'The Two Towers', 'READ', '2012-11-30/2012-12-24', 5],
      // The book is read again, and it is not known when it was read before.
      ['MATCHED', 'The Pillars of the Earth', 'READING 2023-05-06', '?'],
      ['MATCHED', 'Paper Towns', 'WANT_TO_READ'],
      ['NOT_KEPT', 'The Joy Luck Club'],
      ['MATCHED', 'The Bell Jar', 'READ', '2019-03-01/2019-03-09', 3.5],
      ['UNLISTED', 'Der Prozeß', 'READ'],
    ],
    reviews: { 'The Bell Jar': { text: 'Cold, clear & true.\n\nAgain "soon".', hasSpoilers: false } },
  },
  'librarything-commas.csv': {
    source: 'LIBRARYTHING',
    lines: [
      ['MATCHED', 'Memoirs of a Geisha', 'READ', '?', 3],
      // The catalogue has only the title, and a longer title may belong to another book.
      ['UNLISTED', "Tuesdays with Morrie: An Old Man, a Young Man, and Life's Greatest Lesson", 'READ'],
      ['MATCHED', 'The Hobbit', 'READ', '1988-05-06', 5],
      ['MATCHED', 'Hamlet', 'READ', '2010-01-01/2010-01-09', 4],
      ['NOT_KEPT', 'Hamlet', 'READ', '2010-01-01/2010-01-09', 4],
      ['MATCHED', 'Green Eggs and Ham', 'READ', '?'],
      ['MATCHED', 'A Clash of Kings', 'READING 2020-02-01'],
      ['UNLISTED', 'Анна Каренина', 'WANT_TO_READ'],
      ['MATCHED', 'The Guernsey Literary and Potato Peel Pie Society', 'READ', '2012-08-01', 2.5],
    ],
  },
  'hardcover-rereads.csv': {
    source: 'HARDCOVER',
    lines: [
      ['MATCHED', '1984', 'READ', '2024-06-01/2024-06-12 2019-01-05/2019-01-20', 4.5],
      ['MATCHED', '1984', 'READ', '2024-06-01/2024-06-12 2019-01-05/2019-01-20', 4.5],
      // The catalogue has the title with a subtitle, which may be another book.
      ['UNLISTED', 'Freakonomics', 'READ'],
      ['MATCHED', 'Outlander', 'READING 2024-02-02'],
      ['MATCHED', 'The Giving Tree', 'READ', '?', 5],
      ['MATCHED', "The Time Traveler's Wife", 'READ', '2020-02-01/2020-02-11', 0.5],
      ['MATCHED', 'Fifty Shades Freed', 'GIVEN_UP', '', 1],
      ['MATCHED', 'Slaughterhouse-Five', 'READ', '2018-05-05'],
      ['MATCHED', 'Memoirs of a Geisha', 'WANT_TO_READ', '2015-01-01/2015-01-20', 4],
      ['MATCHED', 'Night', 'WANT_TO_READ'],
      ['UNLISTED', 'Kafka on the Shore', 'READING'],
    ],
    reasons: { 'The Giving Tree': '"2999-01-01" is not a day' },
    reviews: { "The Time Traveler's Wife": { text: 'He goes.\nShe stays, "naturally".\n\nWell.', hasSpoilers: false } },
  },
  'hardcover-semicolons.csv': {
    source: 'HARDCOVER',
    lines: [
      ['MATCHED', 'Where the Wild Things Are', 'READ', '2024-03-14/2024-03-15', 4.5],
      ['MATCHED', 'The Host', 'GIVEN_UP', '', 1.5],
      ['UNLISTED', 'Stardust', 'READING'],
      ['MATCHED', 'Eclipse', 'WANT_TO_READ'],
      ['MATCHED', 'New Moon', 'READING 2024-02-01'],
      ['MATCHED', 'Paper Towns', 'READ', '2024-02-29', 5],
    ],
    reviews: {
      'Where the Wild Things Are': { text: 'Wild; quite wild.', hasSpoilers: false },
      'Paper Towns': { text: 'Margo geht.', hasSpoilers: true },
    },
  },
  'bookwyrm-own-shelves.csv': {
    source: 'BOOKWYRM',
    lines: [
      ['MATCHED', 'Brave New World', 'READ', '2024-01-01/2024-01-10', 4.5],
      ['MATCHED', 'Middlesex', 'GIVEN_UP'],
      ['MATCHED', 'Holes', 'WANT_TO_READ', '2010-05-01/2010-05-03'],
      ['MATCHED', 'Room', 'READ', '2022-02-02'],
      // The catalogue has the title with a subtitle here too.
      ['UNLISTED', 'Wild', 'READ'],
      ['MATCHED', 'The Bell Jar', 'READ', '2020-08-09', 0.5],
      ['UNLISTED', 'رجال في الشمس', 'READING'],
      ['MATCHED', 'The Diary of a Young Girl', 'READING 2025-03-04'],
      // The shelf is "read", although the last reading was stopped.
      ['MATCHED', 'The Sea of Monsters', 'READ', '?'],
      ['MATCHED', 'Dear John', 'GIVEN_UP', '2019-01-01/2019-01-05', 3],
    ],
    reviews: { 'Brave New World': { text: 'Soma\n\nOne.\n\nTwo & three.', hasSpoilers: false } },
  },
  'bookwyrm-american.csv': {
    source: 'BOOKWYRM',
    lines: [
      ['MATCHED', 'Gone with the Wind', 'READ', '2020-10-01/2020-10-21', 4],
      ['MATCHED', "My Sister's Keeper", 'READ', '2020-03-05/2020-03-06', 3.5],
      ['UNLISTED', 'Subcutanean', 'WANT_TO_READ'],
      ['MATCHED', 'The Outsiders', 'GIVEN_UP'],
      ['MATCHED', 'The Notebook', 'READING 2022-05-06'],
      ['MATCHED', 'City of Glass', 'READ', '2021-01-31', 2],
    ],
  },
  'own-export-excel.csv': {
    source: 'GOODREADS',
    lines: [
      ['MATCHED', 'The Stand', 'READ', '2021-03-01/2021-03-05 2019-06-07 ?', 4.25],
      ['MATCHED', 'Eragon', 'READ', '2019-06-07'],
      ['MATCHED', 'The Notebook', 'READING since 2020-03-03'],
      ['MATCHED', 'The Firm', null, '', 2.5],
      ['MATCHED', 'A Time to Kill', 'GIVEN_UP', '2018-01-05', 1],
      ['MATCHED', 'Water for Elephants', 'READ', '?'],
      ['UNLISTED', 'Snow Crash', 'WANT_TO_READ'],
    ],
    reviews: { 'A Time to Kill': { text: "- Too long.\n'= No more.", hasSpoilers: false } },
  },
};
