import { sourceOfGoodreads } from '../catalogue/editions.ts';
import { badUserInput } from '../graphql/errors.ts';
import type { LibrarySource } from '../graphql/generated/schema-types.ts';
import { READS_MAX } from '../reading/reads.ts';
import { Cut, uninverted, type Cell } from './fields.ts';
import { repaired, type FileRecord, type Table } from './file.ts';
import type { ImportedLine, ImportedRead, ReadLine } from './lines.ts';
import { becomes } from './shelf-names.ts';

/** The services whose files can be imported, each known by the names of its columns. */

type Said = Omit<ImportedLine, 'cut'>;

interface Source {
  readonly name: LibrarySource;
  /** The columns that the files of this source have and those of others have not. */
  readonly columns: readonly string[];
  /** True for the export of this library, whose texts come back as they are. */
  readonly isOwn?: true;
  readonly read: (cell: Cell, cut: Cut) => Said;
}

/** Reviews and notes may be long, other cells are not. In UTF-16 units. */
const LINE_LENGTH_MAX = 50_000;
const SHELVES_MAX = 100;

/** Goodreads, whose columns came and went over the years. */
const goodreads: Source = {
  name: 'GOODREADS',
  columns: ['Title', 'Author', 'Bookshelves'],
  read: (cell, cut) => {
    const shelves = cut.shelves(cell('Bookshelves'));
    const finishedOn = cut.day(cell('Date Read'));
    const told = cut.reads(cell('Dates Read'));
    const named = shelves.find((name) => PLAIN.has(name)) ?? shelves.find((name) => becomes(name) !== null);
    const dated = finishedOn !== null || told.length > 0 ? 'read' : undefined;
    const shelf = cut.shelf(cell('Exclusive Shelf')) ?? named ?? dated ?? shelves[0] ?? null;
    const one = isFinished(shelf, finishedOn !== null) ? [cut.read(finishedOn, null)] : [];
    const reads = told.length > 0 ? told : one;
    cut.readCount(cell('Read Count'), reads.length);
    const progress = /^(?:\d{1,2}|100)$/.test(cell('Progress')) ? Number(cell('Progress')) : null;
    return {
      title: cut.title(cell('Title')),
      authors: cut.authors([cut.person(cell('Author')), ...cut.people(cell('Additional Authors'))]),
      isbns: cut.isbns(cell('ISBN13'), cell('ISBN')),
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

/** The apostrophe before a text that a spreadsheet would run, as our own export writes it. */
const MADE_HARMLESS = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;

/**
 * The export of this library, in the form of Goodreads with columns of its own. What was written
 * here is no HTML, and has no tags: the only shelf is written twice.
 */
const ownExport: Source = {
  name: 'GOODREADS',
  columns: [...goodreads.columns, 'Star Rating', 'Progress'],
  isOwn: true,
  read: (cell, cut) => ({ ...goodreads.read(cell, cut), startedOn: cut.day(cell('Date Started')), tags: [] }),
};

/** Returns the ids of a book by its number at Goodreads; none if the cell has no number. */
function goodreadsIdsIn(text: string): string[] {
  const number = text.trim();
  return /^\d{1,12}$/.test(number) ? [sourceOfGoodreads(number)] : [];
}

/** Returns the one reading of a line, which is finished or not. */
const readingOf = (cut: Cut, isFinished: boolean, startedOn: string | null, lastDay: string | null) => {
  const read = cut.read(lastDay, startedOn);
  return { reads: isFinished ? [read] : [], startedOn: isFinished ? null : read.startedOn };
};

/** Returns the day since which a book is given up, if it is and the day is known. */
const givenUpOn = (shelf: string | null, day: string | null) =>
  isGivenUp(shelf) && day !== null ? { addedOn: day } : {};

/** The exclusive shelves that every account of Goodreads has. */
const PLAIN = new Set(['read', 'currently-reading', 'to-read']);

const storygraph: Source = {
  name: 'STORYGRAPH',
  columns: ['Title', 'Read Status'],
  read: (cell, cut) => {
    const told = cut.reads(cell('Dates Read').trim() || cell('Last Date Read'));
    const shelf = cut.shelf(cell('Read Status')) ?? (told.length > 0 ? 'read' : null);
    const [reads, startedOn] = storygraphReads(cut, shelf, told, Number(cell('Read Count')) || 0);
    cut.readCount(cell('Read Count'), reads.length);
    return {
      title: cut.title(cell('Title')),
      // The second names are those of 2021.
      authors: cut.authors(cut.people(cell('Authors') || cell('Author'))),
      isbns: cut.isbns(cell('ISBN/UID') || cell('ISBN')),
      sourceIds: [],
      shelf,
      reads,
      startedOn,
      progress: null,
      addedOn: cut.day(cell('Date Added')),
      ...givenUpOn(shelf, told.at(-1)?.finishedOn ?? null),
      rating: cut.stars(cell('Star Rating')),
      ...cut.review(cell('Review')),
      privateNotes: null,
      tags: cut.shelves(cell('Tags')),
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
  cut: Cut,
  shelf: string | null,
  told: ImportedRead[],
  count: number,
): readonly [reads: ImportedRead[], startedOn: string | null] {
  if (isReadShelf(shelf) && told.length === 0) return [[cut.read(null, null)], null];
  if (shelf === null || isReadShelf(shelf)) return [told, null];
  const newest = told.at(-1);
  const isOpen = isGivenUp(shelf) || newest?.finishedOn === null || told.length > count;
  const finished = (isOpen ? told.slice(0, -1) : told).filter(({ finishedOn }) => finishedOn !== null);
  // The only day of a book that was given up is that of giving it up.
  const begunOn = newest?.startedOn ?? (isGivenUp(shelf) ? null : newest?.finishedOn);
  const startedOn = isOpen ? (begunOn ?? null) : null;
  // If fewer are counted than there are dates, others may have been given up too.
  return [finished.length <= count ? finished : [], startedOn];
}

/** LibraryThing has a line for each book, and a word for the line breaks in it. */
const withLineBreaks = (text: string): string => text.replaceAll('[Return]', '\n');

const librarything: Source = {
  name: 'LIBRARYTHING',
  columns: ['Title', 'Primary Author', 'Collections'],
  read: (cell, cut) => {
    const inBrackets = (name: string) =>
      cell(name)
        .trim()
        .replace(/^\[(.*)\]$/, '$1');
    const [started, finished] = [inBrackets('Date Started'), inBrackets('Date Read')];
    const [startedOn, finishedOn] = [cut.day(started), cut.day(finished)];
    const collections = cut.shelves(cell('Collections'));
    const statuses = collections.filter((name) => becomes(name) !== null);
    // A book that is read again may be in the collections of both readings.
    const told = statuses.find((name) => becomes(name) === 'READING') ?? statuses[0];
    // A year alone is no day, and tells all the same that the book was read then.
    const dated = (finished !== '' && 'Read') || (started !== '' && 'Currently reading') || null;
    const shelf = told ?? dated ?? collections[0] ?? null;
    const reading = readingOf(cut, isFinished(shelf, finished !== ''), startedOn, finishedOn);
    return {
      title: cut.title(cell('Title')),
      authors: cut.authors(
        [cut.person(cell('Primary Author')), ...cut.people(cell('Secondary Author'), '|')],
        uninverted,
      ),
      isbns: cut.isbns(inBrackets('ISBN'), cell('ISBNs')),
      sourceIds: [],
      shelf,
      ...reading,
      ...(reading.reads.length === 0 && statuses.some(isReadShelf) && { reads: [cut.read(null, null)] }),
      progress: null,
      addedOn: cut.day(inBrackets('Entry Date')),
      ...givenUpOn(shelf, finishedOn),
      rating: cut.stars(cell('Rating')),
      ...cut.review(withLineBreaks(cell('Review'))),
      privateNotes: cut.text('private note', withLineBreaks(cell('Private Comment'))),
      tags: [...new Set([...cut.shelves(cell('Tags')), ...collections])].filter((name) => name !== shelf),
    };
  },
};

/** Returns a name without the role in parentheses at its end. */
const withoutRole = (name: string): string => (name.endsWith(')') ? name.slice(0, name.lastIndexOf('(')) : name);

const hardcover: Source = {
  name: 'HARDCOVER',
  columns: ['Title', 'Author', 'Status'],
  read: (cell, cut) => {
    const [startedOn, finishedOn] = [cut.day(cell('Date Started')), cut.day(cell('Date Finished'))];
    const dated = (finishedOn !== null && 'Read') || (startedOn !== null && 'Currently Reading') || null;
    const shelf = cut.shelf(cell('Status')) ?? dated;
    const people = cut.people(cell('Author')).map((name) => name.trim());
    // Translators, narrators and others have their role in parentheses.
    const authors = people.filter((name) => !name.endsWith(')') || /\(author\)$/i.test(name));
    return {
      title: cut.title(cell('Title')),
      authors: cut.authors((authors.length > 0 ? authors : people).map(withoutRole).reverse()),
      isbns: cut.isbns(cell('ISBN 13'), cell('ISBN 10')),
      sourceIds: [],
      shelf,
      ...readingOf(cut, isFinished(shelf, finishedOn !== null), startedOn, finishedOn),
      progress: null,
      addedOn: cut.day(cell('Date Added')),
      ...givenUpOn(shelf, finishedOn),
      rating: cut.stars(cell('Rating')),
      ...cut.review(cell('Review'), cell('Review Contains Spoilers')),
      privateNotes: cut.text('private note', cell('Private Notes')),
      // `Favourites (#3)` is the third place of a list.
      tags: cut.shelves(cell('Lists')).map((name) => name.replace(/\s*\(#\d+\)$/, '')),
    };
  },
};

const bookwyrm: Source = {
  name: 'BOOKWYRM',
  columns: ['title', 'author_text', 'remote_id'],
  read: (cell, cut) => {
    const [startedOn, finishedOn] = [cut.day(cell('start_date')), cut.day(cell('finish_date'))];
    const names = [cut.shelf(cell('shelf_name')), cut.shelf(cell('shelf'))].filter((name) => name !== null);
    // A book that stands on several shelves is exported with one of them, which may be any.
    const stoppedOn = finishedOn === null ? cut.day(cell('stopped_date')) : null;
    const dated = (finishedOn !== null && 'Read') || (stoppedOn !== null && 'Stopped reading') || null;
    const shelf = names.find((name) => becomes(name) !== null) ?? dated ?? names[0] ?? null;
    const isRead = isReadShelf(shelf) || finishedOn !== null;
    // The book may have been read before the reading that was stopped, and be read after it.
    const begunOn = stoppedOn === null || isGivenUp(shelf) ? startedOn : null;
    return {
      title: cut.title(cell('title')),
      authors: cut.authors(cut.people(cell('author_text'))),
      isbns: cut.isbns(cell('isbn_13'), cell('isbn_10')),
      sourceIds: goodreadsIdsIn(cell('goodreads_key')),
      shelf,
      ...readingOf(cut, isRead, begunOn, isRead ? finishedOn : stoppedOn),
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

const isReadShelf = (shelf: string | null): boolean => shelf !== null && becomes(shelf) === 'READ';
const isGivenUp = (shelf: string | null): boolean => shelf !== null && becomes(shelf) === 'GIVEN_UP';
/** True for a book that was finished. The last day of one that was given up is no day of that. */
const isFinished = (shelf: string | null, hasLastDay: boolean): boolean =>
  isReadShelf(shelf) || (hasLastDay && !isGivenUp(shelf));

/** The facts about a file that are known once it was read to its end. */
export interface Survey {
  readonly source: Source;
  readonly lines: number;
  /** True if the days begin with the day; null if no day tells it, or some contradict others. */
  readonly isDayFirst: boolean | null;
}

/**
 * Reads a file to its end.
 * @throws `BAD_USER_INPUT` for a file that cannot be read, or of no known source
 */
export async function surveyOf({ columns, records }: Table, now: Date): Promise<Survey> {
  const source = SOURCES.find((each) => each.columns.every((name) => columns.includes(name)));
  if (!source)
    throw badUserInput(
      'The columns match none of the supported services: Goodreads, StoryGraph, LibraryThing, ' +
        'Hardcover or BookWyrm. Send the file as the service made it, with its first line.',
    );

  let lines = 0;
  const shelves = new Set<string>();
  const dayFirst = new Set<boolean>();
  for await (const record of records()) {
    lines++;
    if (record.problem !== undefined) continue;

    const cut = cutOf(source, now, null);
    const shelf = lineIn(record, source, cut).said?.shelf;
    for (const isFirst of cut.dayFirst) dayFirst.add(isFirst);
    if (shelf != null) shelves.add(shelf);
    if (shelves.size > SHELVES_MAX)
      throw badUserInput(
        `The file has at least ${shelves.size} shelves, and an import can have at most ${SHELVES_MAX}. Send the file in parts, each with the first line.`,
      );
  }
  const [isFirst = null, ...others] = dayFirst;
  return { source, lines, isDayFirst: others.length > 0 ? null : isFirst };
}

/**
 * Yields the lines of a file by the names of its columns.
 * @param now the moment until which days may be
 */
export async function* linesOf({ records }: Table, survey: Survey, now: Date): AsyncGenerator<ReadLine> {
  for await (const record of records())
    yield lineIn(record, survey.source, cutOf(survey.source, now, survey.isDayFirst));
}

const cutOf = ({ isOwn }: Source, now: Date, isDayFirst: boolean | null) => new Cut(now, isDayFirst, !isOwn);

function lineIn({ line, cell, problem }: FileRecord, { isOwn, read }: Source, cut: Cut): ReadLine {
  if (problem !== undefined) return { line, problem };
  const text: Cell = isOwn ? (name) => cell(name).replace(MADE_HARMLESS, '') : (name) => repaired(cell(name));
  const said = withinLimits(read(text, cut), cut);
  if (said.title === '' && said.isbns.length === 0 && said.sourceIds.length === 0)
    return { line, problem: 'The line has no title, and no ISBN or number of a book.' };
  if (JSON.stringify(said).length > LINE_LENGTH_MAX)
    return { line, problem: `The line has more than ${LINE_LENGTH_MAX} characters.` };
  return { line, said: { ...said, cut: cut.sentences } };
}

function withinLimits(said: Said, cut: Cut): Said {
  if (said.reads.length > READS_MAX) cut.add(`The line has more than ${READS_MAX} readings; only the newest are kept.`);
  return { ...said, reads: said.reads.slice(-READS_MAX) };
}
