import { firstOf, type Slice } from './paging.ts';
import { KEYS_PER_STATEMENT } from './statement-builders.ts';

/** Lists that one statement can read several of, such as the partitions of a table. */
export interface ManyLists<Row, Position> {
  readonly count: number;
  /**
   * Reads at most `limit` rows of each of some lists.
   * @param numbers the numbers of the lists, from 0
   * @param until if set, rows behind it in the merged order may be left out
   * @returns the rows of each list, in the order of the numbers
   */
  readonly read: (
    numbers: readonly number[],
    slice: Slice<Position>,
    until: Row | undefined,
  ) => Promise<readonly (readonly Row[])[]>;
}

/** One of the merged lists. */
interface Part<Row> {
  readonly source: number;
  readonly number: number;
  /** The rows that were read and not yet returned. */
  rows: readonly Row[];
  /** All rows of the list up to this one were read; unset before the first read. */
  readTo: Row | undefined;
  /** True if all rows of the list were read. */
  isWhole: boolean;
}

/**
 * Thousands of lists, read as one, in one direction. Most of them have none of the next rows: a
 * sample of the lists shows how far the next rows reach at most, and of the others only rows up to
 * there are read. Lists that can contribute more rows are read again. Rows that were read and not
 * returned are kept, so the rows after them are read of few lists.
 */
export class Merge<Row extends Position, Position> {
  readonly #sources: readonly ManyLists<Row, Position>[];
  readonly #compare: (one: Row, other: Row) => number;
  readonly #descending: boolean;
  readonly #parts: readonly Part<Row>[];
  #from: Position | undefined;

  /**
   * @param compare the comparison of rows, for `sort`. Only rows of one list may be equal, which
   *   keep their order
   * @param slice `from`: the position after which the first rows are, in any of the lists
   */
  constructor(
    sources: readonly ManyLists<Row, Position>[],
    compare: (one: Row, other: Row) => number,
    { descending, from }: Omit<Slice<Position>, 'limit'>,
  ) {
    this.#sources = sources;
    this.#compare = compare;
    this.#descending = descending;
    this.#from = from;
    this.#parts = sources.flatMap(({ count }, source) =>
      Array.from({ length: count }, (_, number) => ({
        source,
        number,
        rows: [],
        readTo: undefined,
        isWhole: false,
      })),
    );
  }

  /** Returns the next rows; fewer than `limit` at the end. */
  async next(limit: number): Promise<Row[]> {
    for (let round = 0; ; round++) {
      const first = this.#first(limit);
      const furthest = first.at(limit - 1)?.row;
      const unread = this.#parts.filter((part) => !this.#isReadTo(part, furthest));
      if (unread.length === 0) return this.#take(first);

      const some = this.#leastRead(unread);
      const isSampled = round === 0 && furthest === undefined;
      await this.#read(isSampled ? sampleOf(some, limit) : some, limit, furthest);
    }
  }

  /** Returns the first of all kept rows. */
  #first(limit: number): { readonly row: Row; readonly part: Part<Row> }[] {
    const kept = this.#parts.flatMap((part) => part.rows.map((row) => ({ row, part })));
    return firstOf(kept, (one, other) => this.#compare(one.row, other.row), { descending: this.#descending, limit });
  }

  /** Returns whether a list has no unread row up to a row; up to its end if there is no row. */
  #isReadTo({ isWhole, readTo }: Part<Row>, row: Row | undefined): boolean {
    if (isWhole) return true;
    if (!readTo || row === undefined) return false;
    const apart = this.#compare(readTo, row);
    return this.#descending ? apart <= 0 : apart >= 0;
  }

  /**
   * Returns those lists of which the least is known: what these have may make it needless to read
   * the others.
   */
  #leastRead(parts: readonly Part<Row>[]): readonly Part<Row>[] {
    const byEnd = [...Map.groupBy(parts, ({ readTo }) => readTo)].toSorted(([one], [other]) => {
      const apart = one && other ? this.#compare(one, other) : Number(!other) - Number(!one);
      return this.#descending && one && other ? -apart : apart;
    });
    const some: Part<Row>[] = [];
    for (const [, group] of byEnd) {
      if (some.length > 0 && some.length + group.length > KEYS_PER_STATEMENT) break;
      for (const part of group) some.push(part);
    }
    return some;
  }

  #take(first: readonly { readonly row: Row; readonly part: Part<Row> }[]): Row[] {
    for (const [part, taken] of Map.groupBy(first, (each) => each.part)) part.rows = part.rows.slice(taken.length);
    this.#from = first.at(-1)?.row ?? this.#from;
    return first.map(({ row }) => row);
  }

  /** Reads some lists again from where the last returned row was. */
  async #read(parts: readonly Part<Row>[], limit: number, until: Row | undefined): Promise<void> {
    // The square root shares the limit, so that few lists have more rows that count.
    const kept = parts.reduce((most, { rows }) => Math.max(most, rows.length), 0);
    const rowsMax = kept + Math.ceil((limit * (kept > 0 ? 2 : 1)) / Math.sqrt(parts.length));
    const slice = { descending: this.#descending, from: this.#from, limit: rowsMax };
    const reading = [...Map.groupBy(parts, ({ source }) => source)].map(async ([source, some]) => {
      const numbers = some.map(({ number }) => number);
      const found = (await this.#sources[source]?.read(numbers, slice, until)) ?? [];
      for (const [index, part] of some.entries()) {
        part.rows = found[index] ?? [];
        const isCut = part.rows.length >= rowsMax;
        part.readTo = isCut ? part.rows.at(-1) : until;
        part.isWhole = !isCut && until === undefined;
      }
    });
    await Promise.all(reading);
  }
}

/**
 * Returns some of many lists, spread evenly, and all of few. With this number, the sample and the
 * others have about as many rows up to the one that is found to be the furthest.
 */
function sampleOf<Item>(items: readonly Item[], limit: number): readonly Item[] {
  const step = Math.floor(Math.sqrt(items.length / limit));
  return step < 4 ? items : items.filter((_, index) => index % step === 0);
}
