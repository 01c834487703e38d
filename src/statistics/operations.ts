import { keysInParts } from '../cassandra/statement-builders.ts';
import { all } from '../cassandra/maybe-promise.ts';
import { first } from '../cassandra/statement.ts';
import type { Book } from '../catalogue/book.ts';
import { nameKey } from '../catalogue/name-key.ts';
import { existingBook } from '../catalogue/operations.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { badUserInput, invalidInput } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { requireViewer, type User } from '../identity/operations.ts';
import { isShown, shownReader } from '../identity/privacy.ts';
import { ratingsAmong } from '../ratings/exported.ts';
import { finishedInYear } from '../reading/years.ts';
import { goals } from './aggregate.ts';
import { selectGoal } from './tables.ts';

/** The goals of readers for a year, and the statistics of the books that they finished in it. */

const FIRST_YEAR = 1900;
const GOAL_MAX = 10_000;
/** The maximum number of books of a year that are read. */
const BOOKS_MAX = 2_000;
const GENRES_MAX = 20;
/** The maximum number of finished books that a month shows. */
const SHOWN_MAX = 100;

/** A month of the statistics of a year. */
export interface MonthOfReading {
  /** From 1. */
  readonly month: number;
  readonly books: number;
  readonly pages: number;
  /** Last finished first. */
  readonly finished: readonly { readonly finishedOn: string; readonly book: Book }[];
}

/** The books of a genre that a reader finished in a year. */
export interface GenreOfReading {
  readonly genre: string;
  readonly books: number;
}

/** A year of a reader. */
export interface ReadingStatistics {
  readonly year: number;
  readonly goal: number | null;
  readonly isShared: boolean;
  readonly books: number;
  readonly pages: number;
  readonly months: readonly MonthOfReading[];
  readonly genres: readonly GenreOfReading[];
  readonly longest: Book | null;
  readonly dearest: Book | null;
  readonly isComplete: boolean;
}

/**
 * Sets the number of books that the viewer wants to read in a year.
 * @param input `books`: null for no goal
 * @throws {UserError} `INVALID_INPUT` about `year` or `books`
 */
export async function setReadingGoal(context: RequestContext, input: { year: number; books?: number | null }) {
  const viewer = await requireViewer(context);
  const { year, books } = readInput({
    year: () => yearInput(context, input.year),
    books: () => booksInput(input.books ?? null),
  });
  const key = { userId: viewer.id, year };

  const expected = await goals.read(context, key);
  await goals.change(context, key, expected, (state) =>
    (state?.books ?? null) === books ? undefined : { books, is_shared: state?.is_shared ?? null },
  );
  return { viewer };
}

/**
 * Shows the viewer's statistics of a year to everyone, or only to those who see their readings.
 * @throws {UserError} `INVALID_INPUT` about `year`
 */
export async function shareYear(context: RequestContext, input: { year: number; isShared: boolean }) {
  const viewer = await requireViewer(context);
  const { year } = readInput({ year: () => yearInput(context, input.year) });
  const key = { userId: viewer.id, year };

  const expected = await goals.read(context, key);
  await goals.change(context, key, expected, (state) =>
    (state?.is_shared ?? false) === input.isShared
      ? undefined
      : { books: state?.books ?? null, is_shared: input.isShared },
  );
  return { viewer };
}

/** A year begins on the International Date Line half a day before it does in UTC. */
const lastYear = ({ clock }: AppContext): number => clock().getUTCFullYear() + 1;

/** Returns whether there are statistics of a year. */
export const hasStatistics = (app: AppContext, year: number): boolean => year >= FIRST_YEAR && year <= lastYear(app);

function yearInput(app: AppContext, year: number): number {
  if (hasStatistics(app, year)) return year;
  throw invalidInput(['year'], `A year is from ${FIRST_YEAR} to ${lastYear(app)}.`);
}

function booksInput(books: number | null): number | null {
  if (books === null || (books >= 1 && books <= GOAL_MAX)) return books;
  throw invalidInput(['books'], `A goal is from 1 to ${GOAL_MAX.toLocaleString('en')} books, or null for none.`);
}

/**
 * Returns the statistics of the books that a reader finished in a year, in UTC; null if the caller
 * may see neither the reader's readings nor this year.
 * @throws `BAD_USER_INPUT` about `year`
 */
export async function statisticsOf(
  context: RequestContext,
  user: User,
  year: number,
): Promise<ReadingStatistics | null> {
  if (!hasStatistics(context, year))
    throw badUserInput(`The argument "year" is from ${FIRST_YEAR} to ${lastYear(context)}.`);

  const [goal, seesReadings] = await Promise.all([
    first(context.cassandra, selectGoal, { user_id: user.id, year }),
    isShown(context, user.id, 'readings'),
  ]);
  const isShared = goal?.state.is_shared === true;
  const isSeen = seesReadings || (isShared && (await shownReader(context, user.id)) !== null);
  if (!isSeen) return null;

  const found = await finishedInYear(context, user.id, year, BOOKS_MAX + 1);
  const finished = found.slice(0, BOOKS_MAX);
  const [books, ratings] = await Promise.all([
    all(finished.map(({ bookId }) => existingBook(context, bookId))),
    ratingsOf(context, user.id, finished),
  ]);

  const times = books.map((book, index) => ({ book, days: finished[index]?.days ?? [] }));
  const inMonths = Map.groupBy(
    times.flatMap(({ days, book }) => days.map((finishedOn) => ({ finishedOn, book }))),
    ({ finishedOn }) => Number(finishedOn.slice(5, 7)),
  );
  const months = Array.from({ length: 12 }, (_, index) => {
    const read = inMonths.get(index + 1) ?? [];
    const finished = read
      .toSorted((one, other) => Number(one.finishedOn < other.finishedOn) - Number(one.finishedOn > other.finishedOn))
      .slice(0, SHOWN_MAX);
    const pages = sum(read.map(({ book }) => book.pages ?? 0));
    return { month: index + 1, books: read.length, pages, finished };
  });
  return {
    year,
    goal: goal?.state.books ?? null,
    isShared,
    books: sum(months.map((each) => each.books)),
    pages: sum(months.map((each) => each.pages)),
    months,
    genres: genresIn(books),
    longest: highest(books, ({ pages }) => pages ?? 0),
    dearest: highest(books, ({ id }) => ratings.get(id) ?? 0),
    isComplete: found.length <= BOOKS_MAX,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Reads a reader's ratings of the books that they finished, in stars. */
async function ratingsOf(
  context: RequestContext,
  userId: string,
  finished: readonly { readonly bookId: string }[],
): Promise<ReadonlyMap<string, number>> {
  const bookIds = finished.map(({ bookId }) => bookId);
  const found = await Promise.all(keysInParts(bookIds).map((some) => ratingsAmong(context, userId, some)));
  return new Map(found.flatMap((some) => [...some]));
}

/** Returns the genres, the most frequent one first, each by its most frequent name. */
function genresIn(books: readonly Book[]): GenreOfReading[] {
  const names = books.flatMap(({ genres }) => genres);
  return [...Map.groupBy(names, nameKey).values()]
    .map((all) => ({ genre: counted(all)[0]?.genre ?? '', books: all.length }))
    .toSorted(byFrequency)
    .slice(0, GENRES_MAX);
}

const counted = (names: readonly string[]): GenreOfReading[] =>
  [...Map.groupBy(names, (genre) => genre)].map(([genre, all]) => ({ genre, books: all.length })).toSorted(byFrequency);

const byFrequency = (one: GenreOfReading, other: GenreOfReading) =>
  other.books - one.books || (one.genre < other.genre ? -1 : 1);

/** Returns the book with the highest value above 0, the first one of several. */
const highest = (books: readonly Book[], valueOf: (book: Book) => number): Book | null =>
  books.reduce<Book | null>((best, book) => {
    const isHigher = valueOf(book) > (best === null ? 0 : valueOf(best));
    return isHigher ? book : best;
  }, null);
