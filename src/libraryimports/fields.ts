import { DateTime, Info } from 'luxon';
import { parseIsbn } from '../catalogue/isbn.ts';
import { beginningOf, tidied } from '../text/text.ts';
import { latestDayAt } from '../time/days.ts';
import type { ImportedRead } from './lines.ts';

/** Reads the cells of other services' files. A cell that cannot be read is left out, and told. */

/** The longest review or note that is kept, in code points. */
export const TEXT_LENGTH_MAX = 10_000;
const FIRST_DAY = '1900-01-01';

/** The maximum number of readings that are read of a list. */
const LIST_MAX = 1_000;
/** The length to which a cell is cut in a sentence about it, in code points. */
const CITED_LENGTH = 40;
const cited = (text: string): string => `"${beginningOf(text.trim(), CITED_LENGTH)}"`;

/** The maximum number of sentences about a line. A line has few, unless it is an attack. */
const SENTENCES_MAX = 20;

/** The cells of a line by the names of their columns; a missing column is empty. */
export type Cell = (name: string) => string;

/** Collects what is left out of a line. */
export class Cut {
  readonly sentences: string[] = [];
  readonly #today: string;
  readonly #isDayFirst: boolean | null;

  /** @param isDayFirst whether the days of the file begin with the day; null if none tells it */
  constructor(now: Date, isDayFirst: boolean | null) {
    this.#today = latestDayAt(now);
    this.#isDayFirst = isDayFirst;
  }

  add(sentence: string): void {
    if (this.sentences.length < SENTENCES_MAX && !this.sentences.includes(sentence)) this.sentences.push(sentence);
  }

  /** Returns a day as `2021-03-05`; null if it is not known to the day, or no day can be read. */
  day(text: string): string | null {
    if (text.trim() === '') return null;
    const [year = '', month = '', dayOfMonth = ''] = this.#partsOf(text.trim());
    const read = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
    if (year !== '' && DateTime.fromISO(read).isValid && read >= FIRST_DAY && read <= this.#today) return read;
    this.add(`${cited(text)} is not a day from 1900 until today, so the day is unknown.`);
    return null;
  }

  /** Returns the year, the month and the day; nothing for a text of another form. */
  #partsOf(day: string): readonly string[] {
    const [, first = '', mark, second = '', year = ''] = YEAR_LAST.exec(day) ?? [];
    if (mark === undefined) return DAY.exec(day)?.slice(1) ?? namedPartsOf(day);
    const isDayFirst = mark === '.' || this.#isDayFirst;
    // `21/05/09` may begin with the year.
    if (isDayFirst === null || (isDayFirst && mark !== '.' && year.length === 2)) return [];
    return isDayFirst ? [fullYear(year), second, first] : [fullYear(year), first, second];
  }

  /**
   * Returns the readings in a list of ranges and days, which are in any order:
   * `2021/03/01-2021/03/05, 2019/06/07`. A day may be `unknown`. Of a list that is too long to be
   * real, the first ones are read.
   * @returns the readings, oldest first
   */
  reads(text: string): ImportedRead[] {
    if (text.trim() === '') return [];
    const dayOf = (each: string) => (each.trim() === 'unknown' ? null : this.day(each));
    const ranges = text.split(',', LIST_MAX + 1).map((range) => range.split(/-(?=\d{4}\/|unknown|\s*$)/));
    const reads = ranges.slice(0, LIST_MAX).map(([first = '', last]) => {
      const [startedOn, finishedOn] = last === undefined ? [null, dayOf(first)] : [dayOf(first), dayOf(last)];
      return readOn(finishedOn, startedOn);
    });
    if (ranges.length > LIST_MAX) this.add(`The line lists more than ${LIST_MAX} readings; only the first are read.`);
    const lastDay = ({ startedOn, finishedOn }: ImportedRead) => finishedOn ?? startedOn ?? '';
    return reads.sort((one, other) => (lastDay(one) < lastDay(other) ? -1 : 1));
  }

  /** Tells how many readings are kept if the file counts several, and more than it has days. */
  readCount(text: string, kept: number): void {
    const count = Number(text) || 0;
    if (count <= Math.max(kept, 1)) return;
    const which = kept === 1 ? `one reading of ${count} is` : `${kept || 'no'} readings of ${count} are`;
    this.add(`The file does not have the dates of all readings: ${which} kept.`);
  }

  /** Returns a rating from 0.25 to 5 in quarters; null if there is none. */
  stars(text: string): number | null {
    const stars = drawnStars(text) ?? Number(text.trim().replace(',', '.'));
    if (text.trim() === '' || stars === 0) return null;
    if (stars > 0 && stars <= 5 && Number.isInteger(stars * 4)) return stars;
    this.add(`${cited(text)} is not a rating from 0.25 to 5 in quarters, and was left out.`);
    return null;
  }

  /**
   * Returns a review. Other services write it as HTML.
   * @param warning not empty if the review tells the plot
   */
  review(text: string, warning = ''): { review: string | null; hasSpoilers: boolean } {
    const isWarned = !NO_WARNING.test(warning.trim());
    return { review: this.text('review', plain(text)), hasSpoilers: isWarned || /<spoiler|class="spoiler/i.test(text) };
  }

  /** Returns a text, cut to the longest that is kept; null if it is empty. */
  text(what: string, text: string, lengthMax = TEXT_LENGTH_MAX): string | null {
    const given = text.replace(/\r\n?/g, '\n').trim();
    const kept = beginningOf(given, lengthMax);
    if (kept.length < given.length) this.add(`The ${what} is longer than ${lengthMax} characters; the rest was cut.`);
    return kept === '' ? null : kept;
  }

  /** Returns the first texts of a list, as many as are kept. */
  first(what: string, texts: readonly string[], most: number): string[] {
    if (texts.length > most) this.add(`The line has ${texts.length} ${what}; the first ${most} are kept.`);
    return texts.slice(0, most);
  }
}

/** The ways to say no, of which spreadsheets translate `FALSE`. */
const NO_WARNING = /^(?:|no|0|false|falsch|faux|falso|falskt?|fałsz|onwaar|usann)$/iu;

const TAGS = /<\/?(?:a|b|blockquote|br|div|em|h[1-6]|i|img|li|ol|p|s|span|spoiler|strong|sub|sup|u|ul)\b[^<>]*>/gi;
const BETWEEN_PARAGRAPHS = /<\/p>\s*<p\b[^<>]*>/gi;
const BREAKING = /<br\b[^<>]*>|<\/(?:blockquote|div|h[1-6]|li|p)>/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Returns the text of a little HTML; a text without tags stays as it is. */
function plain(text: string): string {
  if (text.search(TAGS) < 0) return text;
  const withoutTags = text.replace(BETWEEN_PARAGRAPHS, '\n\n').replace(BREAKING, '\n').replace(TAGS, '');
  return withoutTags.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_whole, name: string) => ENTITIES[name] ?? '');
}

/** Returns a reading. One that would have begun after its end has no known beginning. */
export const readOn = (finishedOn: string | null, startedOn: string | null = null): ImportedRead => ({
  startedOn: startedOn !== null && finishedOn !== null && startedOn > finishedOn ? null : startedOn,
  finishedOn,
});

/** A day with slashes, hyphens or points, perhaps with a time behind it. */
const DAY = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/;
/** A day as a spreadsheet writes it. With points, the day always comes before the month. */
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[T ].*)?$/;
const MONTHS = 12;

/** Spreadsheets leave the century out of the years from 1930 to 2029. */
const fullYear = (year: string): string => (year.length === 4 ? year : `${Number(year) < 30 ? '20' : '19'}${year}`);

/** The days of people who write the month in English: `Mar 4, 2021` and `4 March 2021`. */
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
 * Tells whether the spreadsheet that wrote a day puts the day before the month, as in `25/4/2023`.
 * @returns null if this day does not tell it
 */
export function isDayFirst(text: string): boolean | null {
  const [, first, mark, second] = YEAR_LAST.exec(text.trim()) ?? [];
  if (mark === '.') return null;
  if (Number(first) > MONTHS) return true;
  return Number(second) > MONTHS ? false : null;
}

/** An ISBN-10 that a spreadsheet took for a number, so that its leading zeros are lost. */
const SHORTENED_ISBN = /^\d{6,8}[\dX]$/i;
const lengthened = (text: string): string => (SHORTENED_ISBN.test(text) ? text.padStart(10, '0') : text);

/** Returns the ISBN-13s among texts, each once. ASINs and ISBNs with a wrong digit are none. */
export function isbnsIn(...texts: string[]): string[] {
  const found = texts.flatMap((text) => text.split(/[,;|]/)).map((text) => parseIsbn(lengthened(text.trim())).isbn13);
  return [...new Set(found.filter((isbn) => isbn !== undefined))];
}

/** Splits a list at commas or semicolons. Each name is there once, without stray spaces. */
export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;]/)
      .map(tidied)
      .filter((name) => name !== ''),
  ),
];

/** The part of a name that may stand behind a comma, as in `Kurt Vonnegut, Jr.`. */
const SUFFIX = '(?:[JS]r\\.?|II|III|IV)';
const COMMA_BEFORE_SUFFIX = new RegExp(`,\\s*(?=${SUFFIX}\\s*(?:[,;(]|$))`, 'gu');

/** Splits a list of people at commas or semicolons, as {@link namesIn}. */
export const peopleIn = (text: string): string[] => namesIn(text.replace(COMMA_BEFORE_SUFFIX, ' '));

const IS_SUFFIX = new RegExp(`^${SUFFIX}$`, 'u');

/** Turns `Camus, Albert` into `Albert Camus`, `Vonnegut, Kurt, Jr.` into `Kurt Vonnegut Jr.`. */
export function uninverted(name: string): string {
  const [last = '', first = '', suffix = '', ...more] = name.split(',').map(tidied);
  const isPlain = first !== '' && more.length === 0 && (suffix === '' || IS_SUFFIX.test(suffix));
  return tidied(isPlain ? `${first} ${last} ${suffix}` : name.replaceAll(',', ' '));
}
