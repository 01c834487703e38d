import pLimit from 'p-limit';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { untilKnown } from '../cassandra/retries.ts';
import { each, first, write, type Cassandra } from '../cassandra/statement.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { Lease } from '../leases/operations.ts';
import { beginningOf } from '../text/text.ts';
import { nextTurn } from '../time/turns.ts';
import { nameKey } from './name-key.ts';
import {
  genresByName,
  genreVersions,
  selectBooksOfGenre,
  selectGenreName,
  selectGenres,
  updateGenre,
  updateGenreCount,
} from './tables.ts';

/**
 * The genres and their numbers of books. A change that adds a book to a genre, or removes it, gives
 * the genre a new version when the lists are written. A worker counts the books of each genre whose
 * version differs from the counted version.
 */

const GENRES_AT_ONCE = 8;

/** The maximum number of genres that a name is compared with: the bound of their table. */
const COMPARED_MAX = 5_000;
/**
 * The number of genres that a name is compared with in one turn of the event loop, so that other
 * requests are not delayed.
 */
const COMPARED_PER_TURN = 250;
/**
 * The maximum length of the compared part of a name, in code points. Names of genres are shorter.
 */
const ASKED_LENGTH_MAX = 200;
/** The maximum number of genres that are suggested. */
const SUGGESTED_MAX = 5;
/** The minimum likeness of a suggested genre; 1 means the same name. */
const LIKENESS_MIN = 0.3;

export interface Genre {
  readonly name: string;
  /** The number of books, some seconds old. */
  readonly bookCount: number;
}

export type GenreConnection = Connection<{ cursor: Cursor; node: Genre }>;

/**
 * Returns a page of the genres that have books, by name.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export function genresOf({ cassandra }: RequestContext, page: PageArguments): Promise<GenreConnection> {
  const list = {
    name: 'genres',
    descending: false,
    ...genresByName.list(cassandra, { all_genres: 0 }),
    filter: { keep: (row: { book_count: number | null }) => (row.book_count ?? 0) > 0, rowsMin: FILTERED_ROWS_MIN },
  };
  return connection(page, list, ({ name, book_count }, cursor) => ({
    cursor,
    node: { name, bookCount: book_count ?? 0 },
  }));
}

/**
 * Returns the genres with the most similar names, most similar first; none if a book has exactly
 * this genre.
 * @param genre the key of a genre
 */
export async function genresLike({ cassandra }: RequestContext, genre: string): Promise<Genre[]> {
  const all = { descending: false, from: undefined, limit: COMPARED_MAX };
  const found = await genresByName.read(cassandra, { all_genres: 0 }, all);
  const used = found.filter(({ book_count }) => book_count !== null && book_count > 0);
  if (used.some(({ genre: key }) => key === genre)) return [];

  const asked = pairsOf(beginningOf(genre, ASKED_LENGTH_MAX));
  const compared: { readonly likeness: number; readonly genre: Genre }[] = [];
  for (const [index, { genre: key, name, book_count }] of used.entries()) {
    if (index % COMPARED_PER_TURN === COMPARED_PER_TURN - 1) await nextTurn();
    compared.push({ likeness: likeness(asked, pairsOf(key)), genre: { name, bookCount: book_count ?? 0 } });
  }
  return compared
    .filter((each) => each.likeness >= LIKENESS_MIN)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, SUGGESTED_MAX)
    .map((each) => each.genre);
}

/** Returns the Sørensen–Dice coefficient of the pairs of neighbouring letters of two names. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  const shared = [...fewer].filter((pair) => more.has(pair)).length;
  return (2 * shared) / Math.max(1, one.size + other.size);
}

const pairsOf = (name: string): Set<string> => {
  const letters = Array.from(name);
  return new Set(letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`));
};

/**
 * Marks genres to be counted. Call it after the lists are written; it can be repeated at any time.
 * @param names the names to show
 */
export async function recordGenres({ cassandra }: AppContext, names: readonly string[]): Promise<void> {
  const byKey = new Map(names.map((name) => [nameKey(name), name]));
  await pLimit(GENRES_AT_ONCE).map([...byKey], async ([genre, name]) => {
    const version = await newVersion(cassandra, genre);
    await write(cassandra, updateGenre, { all_genres: 0, genre, name, version, write_timestamp: BigInt(version) });
  });
}

/**
 * Marks a genre to be counted again after its list was repaired.
 * @param names candidates for the name of a genre without a stored name
 */
export async function recountGenre(app: AppContext, genre: string, names: readonly string[]): Promise<void> {
  const found = await first(app.cassandra, selectGenreName, { all_genres: 0, genre });
  const name = found?.name ?? names.find((each) => nameKey(each) === genre);
  // A genre without a name is not shown, so it needs no count.
  if (name !== undefined) await recordGenres(app, [name]);
}

async function newVersion(cassandra: Cassandra, genre: string): Promise<number> {
  let current = await genreVersions.read(cassandra, { genre });
  for (;;) {
    const [believed, next] = [current ?? null, (current ?? 0) + 1];
    const result = await untilKnown(cassandra, () => genreVersions.compareAndSet(cassandra, { genre }, believed, next));
    if (result.applied) return next;
    current = result.current?.state;
  }
}

const lease = perProcess(({ randomId }) => new Lease('genres', randomId()));

/** Releases the lease, so that another server can count the genres. */
export const endCountingGenres = (app: AppContext): Promise<void> => lease(app).release(app);

/** Counts the genres whose books changed, if this server holds the lease. */
export async function countGenres(app: AppContext): Promise<void> {
  if (!(await lease(app).hold(app))) return;

  for await (const { genre, version, counted_version } of each(app.cassandra, selectGenres, { all_genres: 0 })) {
    if (version === counted_version) continue;
    let book_count = 0;
    for await (const _book of each(app.cassandra, selectBooksOfGenre, { genre })) book_count++;
    const counted = { book_count, counted_version: version, write_timestamp: BigInt(version) };
    await write(app.cassandra, updateGenreCount, { all_genres: 0, genre, ...counted });
    if (!(await lease(app).keep(app))) return;
  }
}
