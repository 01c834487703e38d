import { Info } from 'luxon';
import { AUTHORS_MAX, TEXT_LENGTH_MAX } from '../catalogue/inputs.ts';
import { parseIsbn } from '../catalogue/isbn.ts';
import { beginningOf, tidied } from '../text/text.ts';
import { latestDayAt } from '../time/days.ts';
import { textOfHtml } from './html.ts';
import type { ImportedRead } from './lines.ts';

/**
 * Parses the cells of other services' files. A cell that cannot be parsed is left out with a
 * warning. Cells are first cut to the maximum length.
 */

/** The maximum length of a kept review or note, in code points. */
const REVIEW_LENGTH_MAX = 10_000;
/** The number of UTF-16 units that are read for each kept code point. HTML takes several. */
const UNITS_TIMES_MAX = 2;
/** The part of a list of names, days or ISBNs that is read, in UTF-16 units. */
const LIST_UNITS_MAX = 20_000;
const SHELVES_MAX = 100;
/** The maximum number of ISBNs of a line. Each is looked up. */
const ISBNS_MAX = 20;

/** The part of a title, author or shelf that is read, in UTF-16 units. */
const NAME_UNITS_MAX = UNITS_TIMES_MAX * TEXT_LENGTH_MAX;
/** The part of a cell with a day, a number or a warning that is read, in UTF-16 units. */
const SHORT_UNITS_MAX = 120;

const SHELF = 'name of the shelf';
const AUTHOR = 'name of an author';
const BETWEEN_NAMES = /[,;]/;
const VISIBLE = /\S/;

/** Returns the beginning of a text in UTF-16 units, without half a letter at its end. */
const cutTo = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
const FIRST_DAY = '1900-01-01';

/** The maximum number of readings in a list that are read. */
const LIST_MAX = 500;
/** The maximum number of ISBNs in a cell that are read. */
const ISBNS_READ_MAX = 100;
/** The maximum length of a cell in a warning about it, in code points; a longer one is cut. */
const CITED_LENGTH = 40;
const cited = (text: string): string => `"${beginningOf(text.trim(), CITED_LENGTH)}"`;

/** The maximum number of warnings about a line. A line has few, unless it is an attack. */
const WARNINGS_MAX = 20;

/** The cells of a line by the names of their columns; a missing column is empty. */
export type Cell = (name: string) => string;

/** Parses the cells of a line, and collects warnings about the parts that are left out. */
export class CellParser {
  readonly warnings: string[] = [];
  /** The orders of the days in the line: true for day before month, false for month before day. */
  readonly dayFirst = new Set<boolean>();
  readonly #today: string;
  readonly #isDayFirst: boolean | null;
  readonly #isHtml: boolean;

  /**
   * @param isDayFirst true if dates of the file begin with the day; null if unknown
   * @param isHtml whether the texts of the file are HTML
   */
  constructor(now: Date, isDayFirst: boolean | null, isHtml: boolean) {
    this.#today = latestDayAt(now);
    this.#isDayFirst = isDayFirst;
    this.#isHtml = isHtml;
  }

  warn(warning: string): void {
    if (this.warnings.length < WARNINGS_MAX && !this.warnings.includes(warning)) this.warnings.push(warning);
  }

  /** Returns a day as `2021-03-05`; null if it is not known to the day, or no day can be read. */
  day(text: string): string | null {
    const given = cutTo(text, SHORT_UNITS_MAX).trim();
    if (given === '') return null;
    // A single date after the twelfth of a month shows the order of all dates in the file.
    const isFirst = isDayFirst(given);
    if (isFirst !== null) this.dayFirst.add(isFirst);
    const [year = '', month = '', dayOfMonth = ''] = this.#partsOf(given);
    const read = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
    if (year !== '' && isDay(read) && read >= FIRST_DAY && read <= this.#today) return read;
    this.warn(`${cited(given)} is not a day between 1900 and today, so the day is unknown.`);
    return null;
  }

  /** Returns the year, the month and the day; nothing for a text of another form. */
  #partsOf(day: string): readonly string[] {
    const [, first = '', mark, second = '', year = ''] = YEAR_LAST.exec(day) ?? [];
    if (mark === undefined) return DAY.exec(day)?.slice(1) ?? namedPartsOf(day);
    if (first === second && year.length === 4) return [year, first, second];
    const isDayFirst = mark === '.' || this.#isDayFirst;
    // `21/05/09` may begin with the year.
    if (isDayFirst === null || (isDayFirst && mark !== '.' && year.length === 2)) return [];
    return isDayFirst ? [fullYear(year), second, first] : [fullYear(year), first, second];
  }

  /**
   * Returns the readings in a list of ranges and days, which are in any order:
   * `2021/03/01-2021/03/05, 2019/06/07`. A day may be `unknown`. Only the first readings of an
   * unrealistically long list are read.
   * @returns the readings, oldest first
   */
  reads(text: string): ImportedRead[] {
    if (text.trim() === '') return [];
    const dayOf = (each: string) => (each.trim() === 'unknown' ? null : this.day(each));
    const ranges = cutTo(text, LIST_UNITS_MAX).split(',', LIST_MAX + 1);
    const reads = ranges.slice(0, LIST_MAX).map((range) => {
      const [first = '', last] = range.split(/-(?=\s*(?:\d{4}\/|unknown|$))/);
      return last === undefined ? this.read(dayOf(first), null) : this.read(dayOf(last), dayOf(first));
    });
    if (ranges.length > LIST_MAX || text.length > LIST_UNITS_MAX)
      this.warn(`The line has more than ${LIST_MAX} readings; only the first ${LIST_MAX} were read.`);
    const lastDay = ({ startedOn, finishedOn }: ImportedRead) => finishedOn ?? startedOn ?? '';
    return reads.sort((one, other) => (lastDay(one) < lastDay(other) ? -1 : 1));
  }

  /** Returns a reading. If it began after its end, its beginning is treated as unknown. */
  read(finishedOn: string | null, startedOn: string | null): ImportedRead {
    if (startedOn === null || finishedOn === null || startedOn <= finishedOn) return { startedOn, finishedOn };
    this.warn(`A reading ends on ${finishedOn}, before its start on ${startedOn}; the start was left out.`);
    return { startedOn: null, finishedOn };
  }

  /** Warns if the file counts several readings, and has days for only some of them. */
  readCount(text: string, kept: number): void {
    const count = Number(text) || 0;
    if (count <= Math.max(kept, 1)) return;
    const were = kept === 1 ? 'was' : 'were';
    this.warn(`The file does not have the dates of all readings: ${kept} of ${count} ${were} imported.`);
  }

  /** Returns a rating from 0.25 to 5 in quarters; null if there is none. */
  stars(text: string): number | null {
    const given = cutTo(text, SHORT_UNITS_MAX).trim();
    const stars = drawnStars(given) ?? Number(given.replace(',', '.'));
    if (given === '' || stars === 0) return null;
    if (stars > 0 && stars <= 5 && Number.isInteger(stars * 4)) return stars;
    this.warn(`${cited(given)} is not a rating from 0.25 to 5 in quarters, and was left out.`);
    return null;
  }

  /**
   * Returns a review.
   * @param warning not empty if the review has spoilers
   */
  review(text: string, warning = ''): { review: string | null; hasSpoilers: boolean } {
    const isWarned = !NO_WARNING.test(cutTo(warning, SHORT_UNITS_MAX).trim());
    const isMarked = this.#isHtml && /<spoiler|class="spoiler/i.test(cutTo(text, REVIEW_LENGTH_MAX * UNITS_TIMES_MAX));
    return { review: this.text('review', text), hasSpoilers: isWarned || isMarked };
  }

  /** Returns a text with its line breaks, cut to the maximum length; null if it is empty. */
  text(what: string, text: string): string | null {
    const given = this.#text(what, text, REVIEW_LENGTH_MAX).replace(/\r\n?/g, '\n').trim();
    return this.#cut(what, given, REVIEW_LENGTH_MAX) || null;
  }

  /** Returns a title, tidied and cut to the maximum length in the catalogue. */
  title(text: string): string {
    return this.#name('title', this.#text('title', text));
  }

  /** Returns the name of a shelf; null if it is empty. */
  shelf(text: string): string | null {
    return this.#name(SHELF, this.#text(SHELF, text)) || null;
  }

  /** Returns the name of a person, in the spelling of the file. */
  person(text: string): string {
    return this.#text(AUTHOR, text);
  }

  /** Splits a list of people at commas and semicolons, or only at another sign. */
  people(text: string, separator?: string): string[] {
    const given = this.#list(text);
    return separator === undefined
      ? given.replace(COMMA_BEFORE_SUFFIX, ' ').split(BETWEEN_NAMES)
      : given.split(separator);
  }

  /**
   * Returns the names of authors, each once.
   * @param written returns the usual form of a name
   */
  authors(people: readonly string[], written?: (name: string) => string): string[] {
    return this.#names('authors', AUTHOR, people, AUTHORS_MAX, written);
  }

  /** Splits a list of shelves at commas or semicolons. Each name is there once, and tidied. */
  shelves(text: string): string[] {
    const given = this.#list(text).split(BETWEEN_NAMES);
    return this.#names('shelves', SHELF, given, SHELVES_MAX);
  }

  /**
   * Returns the ISBN-13s among texts, each once. ASINs and ISBNs with a wrong check digit are left
   * out.
   */
  isbns(...texts: string[]): string[] {
    const given = texts.map((text) => cutTo(text, LIST_UNITS_MAX).trim());
    if (given.some((text) => ROUNDED.test(text))) this.warn('A spreadsheet has rounded the ISBN, so it was left out.');
    const parts = given.flatMap((text) => text.replace(FRACTION, '').split(/[,;|]/, ISBNS_READ_MAX));
    const found = [...new Set(parts)].map((text) => parseIsbn(lengthened(text.trim())).isbn13);
    return this.#first('ISBNs', [...new Set(found.filter((isbn) => isbn !== undefined))], ISBNS_MAX);
  }

  /** Returns the first names of a list that are not empty, each once. */
  #names(
    many: string,
    one: string,
    given: readonly string[],
    most: number,
    written = (name: string) => name,
  ): string[] {
    const visible = given.filter((name) => VISIBLE.test(name));
    const names = this.#first(many, visible, most).map((name) => this.#name(one, written(cutTo(name, NAME_UNITS_MAX))));
    return [...new Set(names)].filter((name) => name !== '');
  }

  #name(what: string, text: string): string {
    return this.#cut(what, tidied(cutTo(text, NAME_UNITS_MAX)), TEXT_LENGTH_MAX);
  }

  /** Returns the text at the beginning of a cell; `lengthMax` code points of it will be kept. */
  #text(what: string, cell: string, lengthMax = TEXT_LENGTH_MAX): string {
    const given = cutTo(cell, lengthMax * UNITS_TIMES_MAX);
    if (given.length < cell.length) this.#warnOfLength(what, lengthMax);
    return this.#plain(given);
  }

  #list(cell: string): string {
    const given = cutTo(cell, LIST_UNITS_MAX);
    if (given.length < cell.length) this.#warnOfLength('list of names', LIST_UNITS_MAX);
    return this.#plain(given);
  }

  #plain(text: string): string {
    return this.#isHtml ? textOfHtml(text) : text;
  }

  #cut(what: string, text: string, lengthMax: number): string {
    const kept = beginningOf(text, lengthMax);
    if (kept.length < text.length) this.#warnOfLength(what, lengthMax);
    return kept;
  }

  #warnOfLength(what: string, lengthMax: number): void {
    this.warn(`The ${what} is longer than ${lengthMax.toLocaleString('en')} characters; the rest was cut.`);
  }

  /** Returns the first texts of a list, up to the maximum number. */
  #first(what: string, texts: readonly string[], most: number): string[] {
    if (texts.length > most) this.warn(`The line has more than ${most} ${what}; only the first ${most} were kept.`);
    return texts.slice(0, most);
  }
}

/** True for a day of the calendar. JavaScript would read February 30 as March 2. */
function isDay(text: string): boolean {
  const noon = new Date(`${text}T12:00:00Z`);
  return !Number.isNaN(noon.getTime()) && noon.toISOString().startsWith(text);
}

/** The words for no. Spreadsheets translate `FALSE`. */
const NO_WARNING = /^(?:|no|0|false|falsch|faux|falso|falskt?|fałsz|onwaar|usann)$/iu;

/** A time after a date. A second date does not match. */
const TIME = '(?:[T ]\\s*\\d{1,2}[:.]\\d{2}.*)?';
/** A day with slashes, hyphens or points. */
const DAY = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}$`);
/** A day as a spreadsheet writes it. With points, the day is always before the month. */
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4}|\\d{2})${TIME}$`);
const MONTHS = 12;

/** Spreadsheets leave the century out of the years from 1930 to 2029. */
const fullYear = (year: string): string => (year.length === 4 ? year : `${Number(year) < 30 ? '20' : '19'}${year}`);

/** A date with the month in English: `Mar 4, 2021` or `4 March 2021`. */
const WITH_MONTH = /^(?:([a-z]{3,9}) (\d{1,2}), |(\d{1,2})[ -]([a-z]{3,9})[ -])(\d{4})$/i;
const MONTH_NAMES = Info.months('long', { locale: 'en' }).map((name) => name.toLowerCase());

function namedPartsOf(day: string): string[] {
  const [, before, first, second = '', behind = '', year = ''] = WITH_MONTH.exec(day) ?? [];
  const name = (before ?? behind).toLowerCase();
  const month = name === '' ? -1 : MONTH_NAMES.findIndex((each) => each.startsWith(name));
  return month === -1 ? [] : [year, String(month + 1), first ?? second];
}

/** Returns the number of drawn stars: 3.5 for `★★★½☆`. */
function drawnStars(text: string): number | undefined {
  const [, full, half] = /^((?:[★⭐]\uFE0F?)+)(½?)☆*$/u.exec(text.trim()) ?? [];
  return full === undefined ? undefined : (full.match(/[★⭐]/gu)?.length ?? 0) + (half === '' ? 0 : 0.5);
}

/**
 * Returns true if the spreadsheet that wrote a day puts the day before the month: `25/4/2023`.
 * @returns null if this day could be either
 */
function isDayFirst(text: string): boolean | null {
  const [, first, mark, second] = YEAR_LAST.exec(text) ?? [];
  if (mark === '.') return null;
  if (Number(first) > MONTHS) return true;
  return Number(second) > MONTHS ? false : null;
}

/** An ISBN that a spreadsheet has converted to a number: `9780439023481.0`, `9.78044E+12`. */
const FRACTION = /(?<=^\d{13})\.0+$/;
const ROUNDED = /^\d(?:[.,]\d+)?E\+\d{1,2}$/i;
/** An ISBN-10 that a spreadsheet has converted to a number, without its leading zeros. */
const SHORTENED_ISBN = /^\d{6,8}[\dX]$/i;
const lengthened = (text: string): string => (SHORTENED_ISBN.test(text) ? text.padStart(10, '0') : text);

/** The part of a name that may stand behind a comma, as in `Kurt Vonnegut, Jr.`. */
const SUFFIX = '(?:[JS]r\\.?|II|III|IV)';
const COMMA_BEFORE_SUFFIX = new RegExp(`,\\s*(?=${SUFFIX}\\s*(?:[,;(]|$))`, 'gu');

/** The maximum number of parts of a name that are read. An inverted name has at most three. */
const PARTS_READ_MAX = 4;
const IS_SUFFIX = new RegExp(`^${SUFFIX}$`, 'u');

/** Turns `Camus, Albert` into `Albert Camus`, `Vonnegut, Kurt, Jr.` into `Kurt Vonnegut Jr.`. */
export function uninverted(name: string): string {
  const [last = '', first = '', suffix = '', ...more] = name.split(',', PARTS_READ_MAX).map(tidied);
  const isPlain = first !== '' && more.length === 0 && (suffix === '' || IS_SUFFIX.test(suffix));
  return tidied(isPlain ? `${first} ${last} ${suffix}` : name.replaceAll(',', ' '));
}
