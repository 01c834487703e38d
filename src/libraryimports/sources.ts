import { sourceOfGoodreads } from '../catalogue/editions.ts';
import { AUTHORS_MAX } from '../catalogue/inputs.ts';
import { badUserInput } from '../graphql/errors.ts';
import type { LibrarySource, ReadingStatus } from '../graphql/schema.generated.ts';
import { READS_MAX } from '../reading/reads.ts';
import { tidied } from '../text/text.ts';
import { Cut, isbnsIn, isDayFirst, namesIn, peopleIn, readOn, uninverted, type Cell } from './fields.ts';
import { OWN_COLUMNS, turnsOf, type Table } from './file.ts';
import { SHELF_LENGTH_MAX, type ImportedLine, type ImportedRead, type ReadLine } from './lines.ts';

/** The services whose files can be imported, each known by the names of its columns. */

type Said = Omit<ImportedLine, 'cut'>;

interface Source {
  readonly name: LibrarySource;
  /** The columns that the files of this source have and those of others have not. */
  readonly columns: readonly string[];
  /** The columns with days. */
  readonly days: readonly string[];
  readonly read: (cell: Cell, cut: Cut) => Said;
}

/** Reviews and notes may be long, other cells are not. In UTF-16 units. */
const LINE_LENGTH_MAX = 50_000;
/** The maximum number of ISBNs of a line, each of which is looked up. */
const ISBNS_MAX = 20;

/** Goodreads, whose columns came and went over the years. */
const goodreads: Source = {
  name: 'GOODREADS',
  columns: ['Title', 'Author', 'Bookshelves'],
  days: ['Date Read', 'Dates Read', 'Date Added'],
  read: (cell, cut) => {
    const shelves = namesIn(cell('Bookshelves'));
    const shelf = tidied(cell('Exclusive Shelf')) || (shelves.find((name) => PLAIN.has(name)) ?? null);
    const finishedOn = cut.day(cell('Date Read'));
    const told = cut.reads(cell('Dates Read'));
    const one = isFinished(shelf, finishedOn !== null) ? [readOn(finishedOn)] : [];
    const reads = told.length > 0 ? told : one;
    cut.readCount(cell('Read Count'), reads.length);
    const progress = /^(?:\d{1,2}|100)$/.test(cell('Progress')) ? Number(cell('Progress')) : null;
    return {
      title: tidied(cell('Title')),
      authors: [...new Set([tidied(cell('Author')), ...peopleIn(cell('Additional Authors'))])].filter(Boolean),
      isbns: isbnsIn(cell('ISBN13'), cell('ISBN')),
      sourceIds: goodreadsIdsIn(cell('Book Id')),
      shelf,
      reads,
      startedOn: null,
      progress,
      addedOn: cut.day(cell('Date Added')),
      ...givenUpOn(shelf, told.length > 0 ? null : finishedOn),
      // Our own export has the quarters in a column of its own.
      rating: cut.stars(cell('Star Rating') || cell('My Rating')),
      ...cut.review(cell('My Review'), cell('Spoiler')),
      privateNotes: cut.text('private note', cell('Private Notes')),
      tags: shelves.filter((name) => name !== shelf),
    };
  },
};

/** The export of this library, in the form of Goodreads with columns of its own. */
const ownExport: Source = {
  name: 'GOODREADS',
  columns: [...goodreads.columns, ...OWN_COLUMNS],
  days: [...goodreads.days, 'Date Started'],
  read: (cell, cut) => ({
    ...goodreads.read(cell, cut),
    startedOn: cut.day(cell('Date Started')),
    // A review that was written here is no HTML, and its reader has said whether it tells the plot.
    ...cut.review('', cell('Spoiler')),
    review: cut.text('review', cell('My Review')),
  }),
};

/** Returns the ids of a book by its number at Goodreads; none if the cell has no number. */
function goodreadsIdsIn(text: string): string[] {
  const number = text.trim();
  return /^\d{1,12}$/.test(number) ? [sourceOfGoodreads(number)] : [];
}

/** Returns the one reading of a line, which is finished or not. */
const readingOf = (isFinished: boolean, startedOn: string | null, finishedOn: string | null) => ({
  reads: isFinished ? [readOn(finishedOn, startedOn)] : [],
  startedOn: isFinished ? null : startedOn,
});

/** Returns the day since which a book is given up, if it is and the day is known. */
const givenUpOn = (shelf: string | null, day: string | null) =>
  isGivenUp(shelf) && day !== null ? { startedOn: null, addedOn: day } : {};

/** The exclusive shelves that every account of Goodreads has. */
const PLAIN = new Set(['read', 'currently-reading', 'to-read']);

const storygraph: Source = {
  name: 'STORYGRAPH',
  columns: ['Title', 'Read Status'],
  days: ['Dates Read', 'Last Date Read', 'Date Added'],
  read: (cell, cut) => {
    const shelf = tidied(cell('Read Status')) || null;
    const told = cut.reads(cell('Dates Read').trim() || cell('Last Date Read'));
    const [reads, startedOn] = storygraphReads(shelf, told, Number(cell('Read Count')) || 0);
    cut.readCount(cell('Read Count'), reads.length);
    return {
      title: tidied(cell('Title')),
      // The second names are those of 2021.
      authors: peopleIn(cell('Authors') || cell('Author')),
      isbns: isbnsIn(cell('ISBN/UID') || cell('ISBN')),
      sourceIds: [],
      shelf: shelf ?? (told.length > 0 ? 'read' : null),
      reads,
      startedOn,
      progress: null,
      addedOn: cut.day(cell('Date Added')),
      ...givenUpOn(shelf, told.at(-1)?.finishedOn ?? null),
      rating: cut.stars(cell('Star Rating')),
      ...cut.review(cell('Review')),
      privateNotes: null,
      tags: namesIn(cell('Tags')),
    };
  },
};

/**
 * Tells the finished readings of a line of StoryGraph from the one that is under way or was given
 * up, whose dates are in the same list.
 * @param count of the readings that were finished
 * @returns the finished readings, and the day on which the other one was begun
 */
function storygraphReads(
  shelf: string | null,
  told: ImportedRead[],
  count: number,
): readonly [reads: ImportedRead[], startedOn: string | null] {
  if (isReadShelf(shelf) && told.length === 0) return [[readOn(null)], null];
  if (shelf === null || isReadShelf(shelf)) return [told, null];
  const newest = told.at(-1);
  const isOpen = isGivenUp(shelf) || newest?.finishedOn === null || told.length > count;
  const finished = (isOpen ? told.slice(0, -1) : told).filter(({ finishedOn }) => finishedOn !== null);
  const startedOn = isOpen ? (newest?.startedOn ?? newest?.finishedOn ?? null) : null;
  // If fewer are counted than there are dates, others may have been given up too.
  return [finished.length <= count ? finished : [], startedOn];
}

/** LibraryThing has a line for each book, and a word for the line breaks in it. */
const withLineBreaks = (text: string): string => text.replaceAll('[Return]', '\n');

const librarything: Source = {
  name: 'LIBRARYTHING',
  columns: ['Title', 'Primary Author', 'Collections'],
  days: ['Date Started', 'Date Read', 'Entry Date'],
  read: (cell, cut) => {
    const inBrackets = (name: string) =>
      cell(name)
        .trim()
        .replace(/^\[(.*)\]$/, '$1');
    const [started, finished] = [inBrackets('Date Started'), inBrackets('Date Read')];
    const [startedOn, finishedOn] = [cut.day(started), cut.day(finished)];
    const collections = namesIn(cell('Collections'));
    const statuses = collections.filter((name) => becomes(name) !== null);
    // A book that is read again may be in the collections of both readings.
    const told = statuses.find((name) => becomes(name) === 'READING') ?? statuses[0];
    // A year alone is no day, and tells all the same that the book was read then.
    const dated = (finished !== '' && 'Read') || (started !== '' && 'Currently reading') || null;
    const shelf = told ?? dated ?? collections[0] ?? null;
    const reading = readingOf(isFinished(shelf, finished !== ''), startedOn, finishedOn);
    return {
      title: tidied(cell('Title')),
      authors: [cell('Primary Author'), ...cell('Secondary Author').split('|')].map(uninverted).filter(Boolean),
      isbns: isbnsIn(inBrackets('ISBN'), cell('ISBNs')),
      sourceIds: [],
      shelf,
      ...reading,
      ...(reading.reads.length === 0 && statuses.some(isReadShelf) && { reads: [readOn(null)] }),
      progress: null,
      addedOn: cut.day(inBrackets('Entry Date')),
      ...givenUpOn(shelf, finishedOn),
      rating: cut.stars(cell('Rating')),
      ...cut.review(withLineBreaks(cell('Review'))),
      privateNotes: cut.text('private note', withLineBreaks(cell('Private Comment'))),
      tags: [...new Set([...namesIn(cell('Tags')), ...collections])].filter((name) => name !== shelf),
    };
  },
};

const hardcover: Source = {
  name: 'HARDCOVER',
  columns: ['Title', 'Author', 'Status'],
  days: ['Date Started', 'Date Finished', 'Date Added'],
  read: (cell, cut) => {
    const shelf = tidied(cell('Status')) || null;
    const [startedOn, finishedOn] = [cut.day(cell('Date Started')), cut.day(cell('Date Finished'))];
    const people = peopleIn(cell('Author'));
    // Translators, narrators and others have their role in parentheses.
    const authors = people.filter((name) => !name.endsWith(')') || /\(author\)$/i.test(name));
    return {
      title: tidied(cell('Title')),
      authors: (authors.length > 0 ? authors : people).map((name) => tidied(name.replace(/\([^()]*\)$/, ''))).reverse(),
      isbns: isbnsIn(cell('ISBN 13'), cell('ISBN 10')),
      sourceIds: [],
      shelf,
      ...readingOf(isFinished(shelf, finishedOn !== null), startedOn, finishedOn),
      progress: null,
      addedOn: cut.day(cell('Date Added')),
      ...givenUpOn(shelf, finishedOn),
      rating: cut.stars(cell('Rating')),
      ...cut.review(cell('Review'), cell('Review Contains Spoilers')),
      privateNotes: cut.text('private note', cell('Private Notes')),
      // `Favourites (#3)` is the third place of a list.
      tags: namesIn(cell('Lists')).map((name) => name.replace(/\s*\(#\d+\)$/, '')),
    };
  },
};

const bookwyrm: Source = {
  name: 'BOOKWYRM',
  columns: ['title', 'author_text', 'remote_id'],
  days: ['start_date', 'finish_date', 'stopped_date', 'shelf_date'],
  read: (cell, cut) => {
    const [startedOn, finishedOn] = [cut.day(cell('start_date')), cut.day(cell('finish_date'))];
    const names = [tidied(cell('shelf_name')), tidied(cell('shelf'))].filter((name) => name !== '');
    // A book that stands on several shelves is exported with one of them, which may be any.
    const stoppedOn = finishedOn === null ? cut.day(cell('stopped_date')) : null;
    const dated = (finishedOn !== null && 'Read') || (stoppedOn !== null && 'Stopped reading') || null;
    const shelf = names.find((name) => becomes(name) !== null) ?? dated ?? names[0] ?? null;
    return {
      title: tidied(cell('title')),
      authors: peopleIn(cell('author_text')),
      isbns: isbnsIn(cell('isbn_13'), cell('isbn_10')),
      sourceIds: goodreadsIdsIn(cell('goodreads_key')),
      shelf,
      // The book may have been read before the reading that was stopped.
      ...readingOf(isReadShelf(shelf) || finishedOn !== null, stoppedOn === null ? startedOn : null, finishedOn),
      progress: null,
      addedOn: cut.day(cell('shelf_date')),
      ...givenUpOn(shelf, stoppedOn),
      rating: cut.stars(cell('rating')),
      ...cut.review([cell('review_name'), cell('review_content')].filter(Boolean).join('\n\n'), cell('review_cw')),
      privateNotes: null,
      tags: names.slice(0, 1).filter((name) => name !== shelf),
    };
  },
};

const SOURCES = [ownExport, goodreads, storygraph, librarything, hardcover, bookwyrm];

/** The statuses that the shelves of all these services have from the beginning, by their names. */
const BECOMES: Readonly<Record<string, ReadingStatus>> = {
  'to read': 'WANT_TO_READ',
  'want to read': 'WANT_TO_READ',
  wishlist: 'WANT_TO_READ',
  'currently reading': 'READING',
  reading: 'READING',
  paused: 'READING',
  read: 'READ',
  'read but unowned': 'READ',
  'did not finish': 'GIVEN_UP',
  dnf: 'GIVEN_UP',
  stopped: 'GIVEN_UP',
  'stopped reading': 'GIVEN_UP',
};

/** Returns the status of a shelf by its name; null for a shelf of the reader's own. */
export function becomes(shelf: string): ReadingStatus | null {
  const name = shelf.toLowerCase().replaceAll(/[-_\s]+/g, ' ');
  // A reader may call a shelf as they like, for example `constructor`.
  return Object.hasOwn(BECOMES, name) ? (BECOMES[name] ?? null) : null;
}

const isReadShelf = (shelf: string | null): boolean => shelf !== null && becomes(shelf) === 'READ';
const isGivenUp = (shelf: string | null): boolean => shelf !== null && becomes(shelf) === 'GIVEN_UP';
/** True for a book that was finished. The last day of one that was given up is no day of that. */
const isFinished = (shelf: string | null, hasLastDay: boolean): boolean =>
  isReadShelf(shelf) || (hasLastDay && !isGivenUp(shelf));

/**
 * Reads the lines of a file by the names of its columns.
 * @param now the moment until which days may be
 * @throws `BAD_USER_INPUT` for a file of no known source
 */
export async function linesOf(
  { columns, records }: Table,
  now: Date,
): Promise<{ source: LibrarySource; lines: ReadLine[] }> {
  const source = SOURCES.find((each) => each.columns.every((name) => columns.includes(name)));
  if (!source)
    throw badUserInput(
      'The columns match none of the supported services: Goodreads, StoryGraph, LibraryThing, ' +
        'Hardcover or BookWyrm. Send the file as the service made it, with its first line.',
    );
  const isFirst = await isDayFirstIn(records, source.days);
  const turn = turnsOf();
  const lines: ReadLine[] = [];
  for (const record of records) {
    lines.push(lineIn(record, source, new Cut(now, isFirst)));
    await turn(record.length);
  }
  return { source: source.name, lines };
}

/**
 * Finds out whether the days of a file begin with the day. One after the twelfth tells it for all.
 * @returns null if no day tells it, or some contradict others
 */
async function isDayFirstIn(records: Table['records'], days: Source['days']): Promise<boolean | null> {
  const told = new Set<boolean>();
  const turn = turnsOf();
  for (const { cell, length, problem } of records) {
    const cells = problem === undefined ? days.map(cell) : [];
    for (const isFirst of cells.map(isDayFirst)) if (isFirst !== null) told.add(isFirst);
    await turn(length);
  }

  const [isFirst, ...others] = told;
  return others.length > 0 ? null : (isFirst ?? null);
}

function lineIn({ line, cell, problem }: Table['records'][number], source: Source, cut: Cut): ReadLine {
  if (problem !== undefined) return { line, problem };
  const said = withinLimits(source.read(cell, cut), cut);
  if (said.title === '') return { line, problem: 'The line has no title.' };
  if (JSON.stringify(said).length > LINE_LENGTH_MAX)
    return { line, problem: `The line has more than ${LINE_LENGTH_MAX} characters.` };
  return { line, said: { ...said, cut: cut.sentences } };
}

function withinLimits(said: Said, cut: Cut): Said {
  if (said.reads.length > READS_MAX) cut.add(`The line has more than ${READS_MAX} readings; only the newest are kept.`);
  return {
    ...said,
    authors: cut.first('authors', said.authors, AUTHORS_MAX),
    isbns: cut.first('ISBNs', said.isbns, ISBNS_MAX),
    shelf: cut.text('name of the shelf', said.shelf ?? '', SHELF_LENGTH_MAX),
    reads: said.reads.slice(-READS_MAX),
  };
}
