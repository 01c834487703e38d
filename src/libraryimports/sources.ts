import { sourceOfGoodreads } from '../catalogue/editions.ts';
import { badUserInput } from '../graphql/errors.ts';
import type { LibrarySource } from '../graphql/generated/schema-types.ts';
import { READS_MAX } from '../reading/reads.ts';
import { CellParser, uninverted, type Cell } from './fields.ts';
import { repaired, type FileRecord, type Table } from './file.ts';
import type { ImportedLine, ImportedRead, ReadLine } from './lines.ts';
import { statusForShelf } from './shelf-names.ts';

/** The services whose files can be imported. Each is recognised by the names of its columns. */

type Content = Omit<ImportedLine, 'warnings'>;

interface Source {
  readonly name: LibrarySource;
  /** The columns that only the files of this source have. */
  readonly columns: readonly string[];
  /** True for the export of this server. Its texts are kept unchanged. */
  readonly isOwn?: true;
  readonly read: (cell: Cell, parser: CellParser) => Content;
}

/**
 * The maximum length of a line, in UTF-16 units. Reviews and notes may be long, other cells are
 * not.
 */
const LINE_LENGTH_MAX = 50_000;
const SHELVES_MAX = 100;

/** Goodreads, whose columns have changed over the years. */
const goodreads: Source = {
  name: 'GOODREADS',
  columns: ['Title', 'Author', 'Bookshelves'],
  read: (cell, parser) => {
    const shelves = parser.shelves(cell('Bookshelves'));
    const finishedOn = parser.day(cell('Date Read'));
    const listed = parser.reads(cell('Dates Read'));
    const named = shelves.find((name) => PLAIN.has(name)) ?? shelves.find((name) => statusForShelf(name) !== null);
    const dated = finishedOn !== null || listed.length > 0 ? 'read' : undefined;
    const shelf = parser.shelf(cell('Exclusive Shelf')) ?? named ?? dated ?? shelves[0] ?? null;
    const one = isFinished(shelf, finishedOn !== null) ? [parser.read(finishedOn, null)] : [];
    const reads = listed.length > 0 ? listed : one;
    parser.readCount(cell('Read Count'), reads.length);
    const progress = /^(?:\d{1,2}|100)$/.test(cell('Progress')) ? Number(cell('Progress')) : null;
    return {
      title: parser.title(cell('Title')),
      authors: parser.authors([parser.person(cell('Author')), ...parser.people(cell('Additional Authors'))]),
      isbns: parser.isbns(cell('ISBN13'), cell('ISBN')),
      sourceIds: goodreadsIdsIn(cell('Book Id')),
      shelf,
      reads,
      startedOn: null,
      progress,
      addedOn: parser.day(cell('Date Added')),
      ...givenUpOn(shelf, listed.length > 0 ? null : finishedOn),
      // Our own export has the quarters in a separate column.
      rating: parser.stars(cell('Star Rating') || cell('My Rating')),
      ...parser.review(cell('My Review'), cell('Spoiler')),
      privateNotes: parser.text('private note', cell('Private Notes')),
      tags: shelves.filter((name) => name !== shelf),
    };
  },
};

/** The apostrophe before a text that a spreadsheet would run, as our own export writes it. */
const MADE_HARMLESS = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;

/**
 * The export of this library, in the format of Goodreads with additional columns. Its texts are not
 * HTML. It has no tags: the second column of shelves repeats the first. A book without a shelf is
 * on none, even if it was read.
 */
const ownExport: Source = {
  name: 'GOODREADS',
  columns: [...goodreads.columns, 'Star Rating', 'Progress'],
  isOwn: true,
  read: (cell, parser) => {
    const line = goodreads.read(cell, parser);
    const shelf = `${cell('Exclusive Shelf')}${cell('Bookshelves')}`.trim() === '' ? null : line.shelf;
    return { ...line, shelf, startedOn: parser.day(cell('Date Started')), tags: [] };
  },
};

/** Returns the ids of a book from its Goodreads id; none if the cell has no number. */
function goodreadsIdsIn(text: string): string[] {
  const number = text.trim();
  return /^\d{1,12}$/.test(number) ? [sourceOfGoodreads(number)] : [];
}

/** Returns the one reading of a line, which is finished or not. */
const readingOf = (parser: CellParser, isFinished: boolean, startedOn: string | null, lastDay: string | null) => {
  const read = parser.read(lastDay, startedOn);
  return { reads: isFinished ? [read] : [], startedOn: isFinished ? null : read.startedOn };
};

/** Returns the day on which a book was given up; null if it was not, or the day is unknown. */
const givenUpOn = (shelf: string | null, day: string | null) =>
  isGivenUp(shelf) && day !== null ? { addedOn: day } : {};

/** The exclusive shelves that every account of Goodreads has. */
const PLAIN = new Set(['read', 'currently-reading', 'to-read']);

const storygraph: Source = {
  name: 'STORYGRAPH',
  columns: ['Title', 'Read Status'],
  read: (cell, parser) => {
    const listed = parser.reads(cell('Dates Read').trim() || cell('Last Date Read'));
    const shelf = parser.shelf(cell('Read Status')) ?? (listed.length > 0 ? 'read' : null);
    const [reads, startedOn] = storygraphReads(parser, shelf, listed, Number(cell('Read Count')) || 0);
    parser.readCount(cell('Read Count'), reads.length);
    return {
      title: parser.title(cell('Title')),
      // The second name of each column is the one of 2021.
      authors: parser.authors(parser.people(cell('Authors') || cell('Author'))),
      isbns: parser.isbns(cell('ISBN/UID') || cell('ISBN')),
      sourceIds: [],
      shelf,
      reads,
      startedOn,
      progress: null,
      addedOn: parser.day(cell('Date Added')),
      ...givenUpOn(shelf, listed.at(-1)?.finishedOn ?? null),
      rating: parser.stars(cell('Star Rating')),
      ...parser.review(cell('Review')),
      privateNotes: null,
      tags: parser.shelves(cell('Tags')),
    };
  },
};

/**
 * Separates the finished readings of a line of StoryGraph from the unfinished one. All their dates
 * are in one list.
 * @param count the number of finished readings
 * @returns the finished readings, and the first day of the other one
 */
function storygraphReads(
  parser: CellParser,
  shelf: string | null,
  listed: ImportedRead[],
  count: number,
): readonly [reads: ImportedRead[], startedOn: string | null] {
  if (isReadShelf(shelf) && listed.length === 0) return [[parser.read(null, null)], null];
  if (shelf === null || isReadShelf(shelf)) return [listed, null];
  const newest = listed.at(-1);
  const isOpen = isGivenUp(shelf) || newest?.finishedOn === null || listed.length > count;
  const finished = (isOpen ? listed.slice(0, -1) : listed).filter(({ finishedOn }) => finishedOn !== null);
  // A single day of a book that was given up is the day of giving it up.
  const begunOn = newest?.startedOn ?? (isGivenUp(shelf) ? null : newest?.finishedOn);
  const startedOn = isOpen ? (begunOn ?? null) : null;
  // If the count is lower than the number of dates, other readings may have been given up too.
  return [finished.length <= count ? finished : [], startedOn];
}

/** LibraryThing has one line for each book, and marks the line breaks in its texts. */
const withLineBreaks = (text: string): string => text.replaceAll('[Return]', '\n');

const librarything: Source = {
  name: 'LIBRARYTHING',
  columns: ['Title', 'Primary Author', 'Collections'],
  read: (cell, parser) => {
    const inBrackets = (name: string) =>
      cell(name)
        .trim()
        .replace(/^\[(.*)\]$/, '$1');
    const [started, finished] = [inBrackets('Date Started'), inBrackets('Date Read')];
    const [startedOn, finishedOn] = [parser.day(started), parser.day(finished)];
    const collections = parser.shelves(cell('Collections'));
    const statuses = collections.filter((name) => statusForShelf(name) !== null);
    // A book that is read again may be in the collections of both readings.
    const known = statuses.find((name) => statusForShelf(name) === 'READING') ?? statuses[0];
    // A year alone gives no day, but shows that the book was read.
    const dated = (finished !== '' && 'Read') || (started !== '' && 'Currently reading') || null;
    const shelf = known ?? dated ?? collections[0] ?? null;
    const reading = readingOf(parser, isFinished(shelf, finished !== ''), startedOn, finishedOn);
    return {
      title: parser.title(cell('Title')),
      authors: parser.authors(
        [parser.person(cell('Primary Author')), ...parser.people(cell('Secondary Author'), '|')],
        uninverted,
      ),
      isbns: parser.isbns(inBrackets('ISBN'), cell('ISBNs')),
      sourceIds: [],
      shelf,
      ...reading,
      ...(reading.reads.length === 0 && statuses.some(isReadShelf) && { reads: [parser.read(null, null)] }),
      progress: null,
      addedOn: parser.day(inBrackets('Entry Date')),
      ...givenUpOn(shelf, finishedOn),
      rating: parser.stars(cell('Rating')),
      ...parser.review(withLineBreaks(cell('Review'))),
      privateNotes: parser.text('private note', withLineBreaks(cell('Private Comment'))),
      tags: [...new Set([...parser.shelves(cell('Tags')), ...collections])].filter((name) => name !== shelf),
    };
  },
};

/** Returns a name without the role in parentheses at its end. */
const withoutRole = (name: string): string => (name.endsWith(')') ? name.slice(0, name.lastIndexOf('(')) : name);

const hardcover: Source = {
  name: 'HARDCOVER',
  columns: ['Title', 'Author', 'Status'],
  read: (cell, parser) => {
    const [startedOn, finishedOn] = [parser.day(cell('Date Started')), parser.day(cell('Date Finished'))];
    const dated = (finishedOn !== null && 'Read') || (startedOn !== null && 'Currently Reading') || null;
    const shelf = parser.shelf(cell('Status')) ?? dated;
    const people = parser.people(cell('Author')).map((name) => name.trim());
    // Translators, narrators and others have their role in parentheses.
    const authors = people.filter((name) => !name.endsWith(')') || /\(author\)$/i.test(name));
    return {
      title: parser.title(cell('Title')),
      authors: parser.authors((authors.length > 0 ? authors : people).map(withoutRole).reverse()),
      isbns: parser.isbns(cell('ISBN 13'), cell('ISBN 10')),
      sourceIds: [],
      shelf,
      ...readingOf(parser, isFinished(shelf, finishedOn !== null), startedOn, finishedOn),
      progress: null,
      addedOn: parser.day(cell('Date Added')),
      ...givenUpOn(shelf, finishedOn),
      rating: parser.stars(cell('Rating')),
      ...parser.review(cell('Review'), cell('Review Contains Spoilers')),
      privateNotes: parser.text('private note', cell('Private Notes')),
      // `Favourites (#3)` is the third place of a list.
      tags: parser.shelves(cell('Lists')).map((name) => name.replace(/\s*\(#\d+\)$/, '')),
    };
  },
};

const bookwyrm: Source = {
  name: 'BOOKWYRM',
  columns: ['title', 'author_text', 'remote_id'],
  read: (cell, parser) => {
    const [startedOn, finishedOn] = [parser.day(cell('start_date')), parser.day(cell('finish_date'))];
    const names = [parser.shelf(cell('shelf_name')), parser.shelf(cell('shelf'))].filter((name) => name !== null);
    // A book on several shelves is exported with any one of them.
    const stoppedOn = finishedOn === null ? parser.day(cell('stopped_date')) : null;
    const dated = (finishedOn !== null && 'Read') || (stoppedOn !== null && 'Stopped reading') || null;
    const shelf = names.find((name) => statusForShelf(name) !== null) ?? dated ?? names[0] ?? null;
    const isRead = isReadShelf(shelf) || finishedOn !== null;
    // The book may have been read before the reading that was stopped, and be read after it.
    const begunOn = stoppedOn === null || isGivenUp(shelf) ? startedOn : null;
    return {
      title: parser.title(cell('title')),
      authors: parser.authors(parser.people(cell('author_text'))),
      isbns: parser.isbns(cell('isbn_13'), cell('isbn_10')),
      sourceIds: goodreadsIdsIn(cell('goodreads_key')),
      shelf,
      ...readingOf(parser, isRead, begunOn, isRead ? finishedOn : stoppedOn),
      progress: null,
      addedOn: parser.day(cell('shelf_date')),
      ...givenUpOn(shelf, stoppedOn),
      rating: parser.stars(cell('rating')),
      ...parser.review([cell('review_name'), cell('review_content')].filter(Boolean).join('\n\n'), cell('review_cw')),
      privateNotes: null,
      tags: names.slice(0, 1).filter((name) => name !== shelf),
    };
  },
};

const SOURCES = [ownExport, goodreads, storygraph, librarything, hardcover, bookwyrm];

const isReadShelf = (shelf: string | null): boolean => shelf !== null && statusForShelf(shelf) === 'READ';
const isGivenUp = (shelf: string | null): boolean => shelf !== null && statusForShelf(shelf) === 'GIVEN_UP';
/**
 * True for a book that was finished. The last day of a book that was given up does not finish it.
 */
const isFinished = (shelf: string | null, hasLastDay: boolean): boolean =>
  isReadShelf(shelf) || (hasLastDay && !isGivenUp(shelf));

/** The facts about a file that are known after it was read to its end. */
export interface Survey {
  readonly source: Source;
  readonly lines: number;
  /** True if dates begin with the day; null if unknown or contradictory. */
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

    const parser = parserOf(source, now, null);
    const shelf = lineIn(record, source, parser).content?.shelf;
    for (const isFirst of parser.dayFirst) dayFirst.add(isFirst);
    if (shelf != null) shelves.add(shelf);
    if (shelves.size > SHELVES_MAX)
      throw badUserInput(
        `The file has at least ${shelves.size} shelves, and an import can have at most ${SHELVES_MAX}. ` +
          'Send the file in parts, each with the first line.',
      );
  }
  const [isFirst = null, ...others] = dayFirst;
  return { source, lines, isDayFirst: others.length > 0 ? null : isFirst };
}

/**
 * Yields the lines of a file by the names of its columns.
 * @param now the latest moment of a valid day
 */
export async function* linesOf({ records }: Table, survey: Survey, now: Date): AsyncGenerator<ReadLine> {
  for await (const record of records())
    yield lineIn(record, survey.source, parserOf(survey.source, now, survey.isDayFirst));
}

const parserOf = ({ isOwn }: Source, now: Date, isDayFirst: boolean | null) => new CellParser(now, isDayFirst, !isOwn);

function lineIn({ line, cell, problem }: FileRecord, { isOwn, read }: Source, parser: CellParser): ReadLine {
  if (problem !== undefined) return { line, problem };
  const text: Cell = isOwn ? (name) => cell(name).replace(MADE_HARMLESS, '') : (name) => repaired(cell(name));
  const content = withinLimits(read(text, parser), parser);
  if (content.title === '' && content.isbns.length === 0 && content.sourceIds.length === 0)
    return { line, problem: 'The line has no title, ISBN or number of a book.' };
  if (JSON.stringify(content).length > LINE_LENGTH_MAX)
    return { line, problem: `The line has more than ${LINE_LENGTH_MAX.toLocaleString('en')} characters.` };
  return { line, content: { ...content, warnings: parser.warnings } };
}

function withinLimits(content: Content, parser: CellParser): Content {
  if (content.reads.length > READS_MAX)
    parser.warn(`The line has more than ${READS_MAX} readings; only the newest ${READS_MAX} were kept.`);
  return { ...content, reads: content.reads.slice(-READS_MAX) };
}
