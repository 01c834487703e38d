import pLimit from 'p-limit';
import { FILTERED_ROWS_MIN } from '../cassandra/paging.ts';
import { settle } from '../cassandra/settle.ts';
import { each, first, write, type Cassandra } from '../cassandra/statement.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { Lease } from '../leases/operations.ts';
import { nameKey } from './listing.ts';
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
 * The genres, each with how many books it has. Whatever brings a book into a genre, or takes it out, gives the genre a new
 * version when the lists are written; a worker counts the books of the genres whose version is not the counted one.
 */

const GENRES_AT_ONCE = 8;

/** A genre of the catalogue. */
export interface Genre {
  readonly name: string;
  /** Some seconds old. */
  readonly bookCount: number;
}

/** A page of genres. */
export type GenreConnection = Connection<{ cursor: Cursor; node: Genre }>;

/**
 * A page of the genres that have books, by name.
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
 * Lets the books of genres be counted. To be called when the lists have been written; may be repeated at any time.
 * @param names as they are to be shown
 */
export async function recordGenres({ cassandra }: AppContext, names: readonly string[]): Promise<void> {
  const byKey = new Map(names.map((name) => [nameKey(name), name]));
  await pLimit(GENRES_AT_ONCE).map([...byKey], async ([genre, name]) => {
    const version = await newVersion(cassandra, genre);
    await write(cassandra, updateGenre, { all_genres: 0, genre, name, version, write_timestamp: BigInt(version) });
  });
}

/**
 * Lets the books of one genre be counted once more, after its list was repaired.
 * @param names under which it may be shown where it is not yet
 */
export async function recountGenre(app: AppContext, genre: string, names: readonly string[]): Promise<void> {
  const found = await first(app.cassandra, selectGenreName, { all_genres: 0, genre });
  const name = found?.name ?? names.find((each) => nameKey(each) === genre);
  // Where it is shown nowhere, there is nothing to be counted.
  if (name !== undefined) await recordGenres(app, [name]);
}

async function newVersion(cassandra: Cassandra, genre: string): Promise<number> {
  let current = await genreVersions.read(cassandra, { genre });
  for (;;) {
    const [believed, next] = [current ?? null, (current ?? 0) + 1];
    const result = await settle(cassandra, () => genreVersions.compareAndSet(cassandra, { genre }, believed, next));
    if (result.applied) return next;
    current = result.current?.state;
  }
}

const lease = perProcess(({ randomId }) => new Lease('genres', randomId()));

/** Counts the genres whose books changed, if this server is the one that does. */
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
