import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { importSample } from './support/books.ts';
import type { Client } from './support/client.ts';
import { untilImported } from './support/library-imports.ts';

/**
 * Imports of files that were made without a look at the code that reads them, in the columns of
 * real exports. What becomes of each line was written down before any of them was imported; a
 * remark says where something else was right, or is known to be missing.
 */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importSample(server.app, 200);
});

/**
 * The fate of a line, the title of its book or, if it has none, that in the file, and what the
 * reader has then: the status, with the day on which a book being read was begun or, if the file
 * does not tell it, `since` the status; the readings, newest first; and the rating. What is left
 * out is null or empty.
 */
type Line = readonly [fate: string, title: string, status?: string | null, readings?: string, rating?: number | null];

interface Expected {
  readonly source: string;
  readonly lines: readonly Line[];
  /** Parts of what lines say was left out, by title. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** The reviews that the reader has once they are published, by title. */
  readonly reviews?: Readonly<Record<string, { readonly text: string; readonly hasSpoilers: boolean }>>;
}

const FILES: Readonly<Record<string, Expected>> = {
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

interface Reading {
  readonly status: string | null;
  readonly since: string;
  readonly startedOn: string | null;
  readonly readings: readonly { readonly finishedOn: string | null; readonly startedOn: string | null }[];
}

interface Row {
  readonly line: number;
  readonly fate: string;
  readonly reason: string | null;
  readonly title: string;
  readonly book: {
    readonly title: string;
    readonly viewerRating: number | null;
    readonly viewerReading: Reading | null;
    readonly viewerReview: { readonly text: string; readonly hasSpoilers: boolean } | null;
  } | null;
}

/** Returns the lines of an import with what they have made of the reader's library. */
async function linesOf(reader: Client, id: string): Promise<{ rows: readonly Row[]; unlisted: Map<number, string> }> {
  const { node, viewer } = await reader.data(
    `query ($id: ID!) {
      node(id: $id) { ... on LibraryImport { rows(first: 30) { nodes { line fate reason title book {
        title viewerRating viewerReview { text hasSpoilers }
        viewerReading { status since startedOn readings { finishedOn startedOn } }
      } } } } }
      viewer { unlistedBooks(first: 30) { nodes { line status } } }
    }`,
    { id },
  );
  const unlisted = viewer.unlistedBooks.nodes as readonly { line: number; status: string }[];
  return { rows: node.rows.nodes, unlisted: new Map(unlisted.map(({ line, status }) => [line, status])) };
}

/** The title without the series that some titles of the catalogue end with. */
const plain = (title: string) => title.replace(/ *\([^()]*\)$/, '');

const saidOf = ({ status, since, startedOn }: Reading) =>
  status === 'READING' ? `READING ${startedOn ?? `since ${since.slice(0, 10)}`}` : status;

const readingsOf = ({ readings }: Reading) =>
  readings
    .map(({ startedOn, finishedOn }) => `${startedOn === null ? '' : `${startedOn}/`}${finishedOn ?? '?'}`)
    .join(' ');

/** Says of a line what the table says. */
function lineOf({ line, fate, title, book }: Row, unlisted: Map<number, string>): Line {
  if (fate === 'UNLISTED') return [fate, title, unlisted.get(line) ?? null];
  if (book === null) return [fate, title];
  const { viewerReading: reading, viewerRating: rating } = book;
  if (reading === null) return [fate, plain(book.title), null, '', rating];
  return [fate, plain(book.title), saidOf(reading), readingsOf(reading), rating];
}

/** Fills in what a line of the table leaves out. */
function filled(line: Line): Line {
  const [fate, title, status = null, readings = '', rating = null] = line;
  return fate === 'MATCHED' || fate === 'NOT_KEPT' ? [fate, title, status, readings, rating] : line;
}

test.each(Object.entries(FILES))('%s: every line has its fate', async (name, expected) => {
  const reader = await server.client().registerSomebody();
  const file = await readFile(join(import.meta.dirname, 'own-libraries/held-out', name));
  const done = await untilImported(reader, file);
  const reviews = expected.reviews ?? {};
  await reader.mutate('publishImportedReviews', { importId: done.id }, '__typename');
  const { rows, unlisted } = await linesOf(reader, done.id);

  expect(done.source).toBe(expected.source);
  expect(rows.map((row) => lineOf(row, unlisted))).toEqual(expected.lines.map(filled));
  for (const [title, left] of Object.entries(expected.reasons ?? {}))
    expect(rows.find(({ book }) => book !== null && plain(book.title) === title)?.reason).toContain(left);
  expect(
    Object.fromEntries(
      rows.flatMap(({ book }) => (book?.viewerReview ? [[plain(book.title), book.viewerReview] as const] : [])),
    ),
  ).toEqual(reviews);
});

test.each([
  ['25/4/2023', '4/5/2022', '2023-04-25', '2022-05-04'],
  ['4/25/2023', '4/5/2022', '2023-04-25', '2022-04-05'],
  ['25-04-2023', '04-05-2022', '2023-04-25', '2022-05-04'],
  ['3.4.2023', '31.02.2022', '2023-04-03', '?'],
  // Nothing is guessed.
  ['3/4/2023', '4/5/2022', '?', '?'],
  ['25/4/2023', '5/31/2022', '?', '?'],
])('a spreadsheet wrote the days %s and %s', async (one, other, ...expected) => {
  const reader = await server.client().registerSomebody();
  const lines = [`The Hobbit,J.R.R. Tolkien,,read,${one}`, `Divergent,Veronica Roth,,read,${other}`];
  const file = ['Title,Author,Bookshelves,Exclusive Shelf,Date Read', ...lines].join('\n');
  const { id } = await untilImported(reader, Buffer.from(file));
  const { rows } = await linesOf(reader, id);
  expect(rows.map(({ book }) => book?.viewerReading && readingsOf(book.viewerReading))).toEqual(expected);
});
