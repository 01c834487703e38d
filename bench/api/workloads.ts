import type { Chance } from '../../tools/support/chance.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { DAY_MS } from '../../src/time/units.ts';
import type { Data } from './shapes.ts';
import type { OperationName } from './operations.ts';

/** The workloads: operations with their variables, and the measured mixes of them. */

const bookOf = (data: Data, chance: Chance) => data.books[skewed(chance, data.books.length)] ?? data.books[0];
const isbn = (data: Data, chance: Chance) => ({ isbn: bookOf(data, chance)?.isbn ?? '' });

const reader = ({ readers }: Data, _chance: Chance, turn: () => number) => ({
  id: encodeId({ type: 'User', key: readers[turn()]?.userId ?? '' }),
});

const YEAR_MS = 365 * DAY_MS;
/** A month as a part of a year. */
const MONTH = 1 / 12;
const momentAfter = (moment: Date, years: number) =>
  new Date(moment.getTime() + Math.floor(years * YEAR_MS)).toISOString();

/** Picks an index, with the square of a random number to prefer the first ones. */
export const skewed = (chance: Chance, count: number): number => Math.floor(count * chance.random() ** 2);

/** @param turn picks the requested readers, each once before any is repeated */
type Variables = (data: Data, chance: Chance, turn: () => number) => Record<string, unknown>;

/** Makes a function that picks random indexes, each once before any is repeated. */
function inTurn(count: number, chance: Chance): () => number {
  const indexes = Array.from({ length: count }, (_, index) => index);
  let left = 0;
  return () => {
    left = left === 0 ? count : left;
    const place = chance.below(left--);
    const [picked = 0, last = 0] = [indexes[place], indexes[left]];
    [indexes[place], indexes[left]] = [last, picked];
    return picked;
  };
}

const VARIABLES: Readonly<Record<OperationName, Variables>> = {
  book: isbn,
  // The home page belongs to the caller.
  home: () => ({}),
  likes: reader,
  likers: isbn,
  // The list ends before the benchmark's own changes, because those differ between systems.
  history: ({ registeredAt }, chance) => ({ to: momentAfter(registeredAt, 1 + chance.random()) }),
  range: reader,
  edge: isbn,
  count: isbn,
  timeRange: ({ registeredAt }, chance) => {
    const begin = chance.random();
    return { from: momentAfter(registeredAt, begin), to: momentAfter(registeredAt, begin + MONTH) };
  },
  like: (data, chance) => ({ id: encodeId({ type: 'Book', key: bookOf(data, chance)?.isbn ?? '' }) }),
  // The unlike takes back the preceding like.
  unlike: () => ({}),
};

/**
 * A separately measured workload: operations with their shares. A like is followed by its unlike.
 */
export interface Workload {
  readonly title: string;
  readonly shares: Partial<Readonly<Record<Exclude<OperationName, 'unlike'>, number>>>;
}

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  book: { title: 'book(isbn)', shares: { book: 1 } },
  home: { title: 'the home page of an app', shares: { home: 1 } },
  likes: { title: '20 likes of a reader, with counts and flags', shares: { likes: 1 } },
  likers: { title: '20 likers of a book', shares: { likers: 1 } },
  history: { title: '20 of the history of a reader', shares: { history: 1 } },
  like: { title: 'like and unlike', shares: { like: 1 } },
  // A like and its unlike are two requests.
  mixed: { title: '90 % reads, 10 % likes and unlikes', shares: { book: 6, likes: 6, likers: 6, like: 1 } },
  // The mix of reads in Meta's TAO: ranges, objects, edges, counts and ranges of time, of 101, as
  // in its public benchmark.
  tao: {
    title: "the mix of Meta's TAO",
    shares: { range: 41, book: 29, edge: 16, count: 12, timeRange: 3 },
  },
};

/** One operation of one reader. */
export interface Asked {
  readonly operation: OperationName;
  readonly reader: number;
  readonly variables: Record<string, unknown>;
}

/**
 * Makes random sequences. The requests of each are sent one after the other, so that each like is
 * taken back. No pair of reader and book is liked twice, or was liked before. Callers and requested
 * readers rotate, so that none is hot.
 */
export function sequences(data: Data, { shares }: Workload, count: number, chance: Chance): Asked[][] {
  const names = Object.entries(shares) as [OperationName, number][];
  const total = names.reduce((sum, [, share]) => sum + share, 0);
  const taken = new Set<string>();
  const [asking, askedAbout] = [inTurn(data.readers.length, chance), inTurn(data.readers.length, chance)];
  const one = (operation: OperationName): Asked => ({
    operation,
    reader: asking(),
    variables: VARIABLES[operation](data, chance, askedAbout),
  });
  return Array.from({ length: count }, () => {
    let left = chance.random() * total;
    const [operation = 'book'] = names.find(([, share]) => (left -= share) < 0) ?? names.at(-1) ?? [];
    if (operation !== 'like') return [one(operation)];

    for (;;) {
      const like = one('like');
      const pair = `${like.reader} ${String(like.variables['id'])}`;
      if (taken.has(pair) || data.isLiked(like.reader, String(like.variables['id']))) continue;
      taken.add(pair);
      return [like, { ...like, operation: 'unlike' }];
    }
  });
}
