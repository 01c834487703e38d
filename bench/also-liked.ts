import { readFile } from 'node:fs/promises';
import pLimit from 'p-limit';
import { loadAccount } from '../tools/bulk/accounts.ts';
import { ActionsInBulk } from '../tools/bulk/actions.ts';
import { SAMPLE } from '../tools/places.ts';
import { fractionOf } from '../tools/sample/sample-readers.ts';
import type { Book } from '../src/catalogue/book.ts';
import { bookIdsByNumber } from '../src/catalogue/import.ts';
import { booksNow } from '../src/catalogue/operations.ts';
import { keysInParts } from '../src/cassandra/statement-builders.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../src/context/context.ts';
import { subjectOf, uuidOf } from '../src/graphql/ids.ts';
import { alsoLikedOf, refreshAlsoLiked } from '../src/likes/also-liked.ts';
import { loadLikes } from '../tools/bulk/likes.ts';
import { ALSO_LIKED_MAX } from '../src/likes/similarity.ts';
import { say } from '../src/terminal/progress.ts';
import { DAY_MS } from '../src/time/units.ts';
import { machine, median, percentile, withBench } from './bench.ts';

/**
 * `npm run bench -- also-liked PAIRS`: measures how many held-out likes are found by the also-liked
 * lists. It holds out a tenth of the likes of each reader, computes the lists from the others, and
 * counts the held-out books among the 20 that the lists of a reader's books suggest, and among the
 * 20 most liked ones that the reader does not like yet. PAIRS is a file in the format of `npm run
 * admin -- load`.
 */

const HELD_OUT = 0.1;
const SUGGESTED = 20;
const SEED = 1;
const ACCOUNTS_AT_ONCE = 64;
const READERS_PER_PART = 1_000;
const LIKED_WITHIN_MS = 700 * DAY_MS;

const [pairsFile] = process.argv.slice(2);
if (pairsFile === undefined) {
  say('Usage: npm run bench -- also-liked PAIRS, a file as npm run admin -- load takes it');
  process.exit(2);
}

/** The books of a reader, by their ids. */
interface Reader {
  readonly number: string;
  readonly liked: readonly string[];
  readonly heldOut: ReadonlySet<string>;
}

/** Returns the ids of books that a reader may like, most likely first. */
type Suggest = (reader: Reader) => readonly string[];

say(`${machine()}; seed ${String(SEED)}`);
await withBench(1, async ({ app }) => {
  const { readers, books } = await readersOf(app, pairsFile);
  const heldOut = readers.reduce((sum, reader) => sum + reader.heldOut.size, 0);
  const liked = readers.reduce((sum, reader) => sum + reader.liked.length, 0);
  say(`${readers.length} readers, ${books.size} books; ${liked} likes are loaded, ${heldOut} are held out`);
  await load(app, readers, books);

  const lists = await computed(app, [...books.keys()]);
  const counts = new Map<string, number>();
  for (const id of readers.flatMap((reader) => reader.liked)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const popular = [...counts].toSorted(([, one], [, other]) => other - one).map(([id]) => id);

  const [also, most] = [recall(readers, byLists(lists)), recall(readers, () => popular)];
  say(`recall@${SUGGESTED} of alsoLiked ${percent(also)}, of the most liked books ${percent(most)}`);
  say(`alsoLiked finds ${(also / most).toFixed(2)} × as many`);
});
process.exit(0);

/** Reads the pairs of the file whose books the catalogue has. */
async function readersOf(app: AppContext, file: string) {
  const ids = await bookIdsByNumber(SAMPLE);
  const pairs = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [reader = '', number = ''] = line.split('\t');
      const id = ids.get(number);
      return id === undefined ? [] : [{ reader, id }];
    });
  const found = await pLimit(4).map(keysInParts([...new Set(pairs.map(({ id }) => id))]), (part) =>
    booksNow(app, part),
  );
  const books = new Map(found.flatMap((part) => [...part]));
  const isHeldOut = ({ reader, id }: { reader: string; id: string }) =>
    fractionOf(`held out ${String(SEED)} ${reader} ${id}`) < HELD_OUT;
  const byReader = Map.groupBy(
    pairs.filter(({ id }) => books.has(id)),
    ({ reader }) => reader,
  );
  const readers = [...byReader].map(([number, own]): Reader => {
    const { held = [], others = [] } = Object.groupBy(own, (pair) => (isHeldOut(pair) ? 'held' : 'others'));
    return { number, liked: others.map(({ id }) => id), heldOut: new Set(held.map(({ id }) => id)) };
  });
  return { readers, books };
}

async function load(app: AppContext, readers: readonly Reader[], books: ReadonlyMap<string, Book>): Promise<void> {
  const begin = app.clock().getTime() - LIKED_WITHIN_MS;
  const activityLog = new ActionsInBulk();
  for (let from = 0; from < readers.length; from += READERS_PER_PART) {
    const some = readers.slice(from, from + READERS_PER_PART);
    await pLimit(ACCOUNTS_AT_ONCE).map(some, ({ number }) => {
      const who = { email: `reader-${number}@load.example`, fullName: `Reader ${number}`, passwordHash: '' };
      return loadAccount(app, userIdOf(number), who, new Date(begin), activityLog);
    });
    const likes = some.flatMap(({ number, liked }) =>
      liked.flatMap((id) => {
        const book = books.get(id);
        if (!book) return [];
        const likedAt = new Date(begin + Math.floor(fractionOf(`liked ${number} ${id}`) * LIKED_WITHIN_MS));
        const likeableId = subjectOf({ type: 'Book', key: id });
        const { title, authors } = book;
        return [{ userId: userIdOf(number), fullName: `Reader ${number}`, likeableId, title, authors, likedAt }];
      }),
    );
    await loadLikes(app, likes, activityLog);
  }
}

function userIdOf(number: string): string {
  return uuidOf(`reader of this benchmark ${number}`);
}

/** Computes the lists of books, one after the other, like the worker. */
async function computed(app: AppContext, bookIds: readonly string[]) {
  const lists = new Map<string, readonly { readonly bookId: string; readonly score: number }[]>();
  const milliseconds: number[] = [];
  for (const id of bookIds) {
    const begun = performance.now();
    await refreshAlsoLiked(app, id);
    milliseconds.push(performance.now() - begun);
    const { edges } = await alsoLikedOf(requestContext(app, ANONYMOUS), { id }, { first: ALSO_LIKED_MAX });
    lists.set(id, edges);
  }
  const [p50, p99] = [median(milliseconds), percentile(milliseconds, 99)];
  const filled = [...lists.values()].filter(({ length }) => length > 0).length;
  say(
    `${lists.size} lists, ${filled} of them not empty: each computed in p50 ${p50.toFixed(0)} ` +
      `ms, p99 ${p99.toFixed(0)} ms`,
  );
  return lists;
}

/** Suggests the books with the highest sum of scores in the lists of a reader's books. */
function byLists(lists: Awaited<ReturnType<typeof computed>>): Suggest {
  return ({ liked }) => {
    const sums = new Map<string, number>();
    for (const { bookId, score } of liked.flatMap((id) => lists.get(id) ?? []))
      sums.set(bookId, (sums.get(bookId) ?? 0) + score);
    return [...sums].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
  };
}

/**
 * The share of held-out books that are suggested to their readers: the mean over the readers who
 * have any.
 */
function recall(readers: readonly Reader[], suggest: Suggest): number {
  const judged = readers.filter(({ heldOut }) => heldOut.size > 0);
  const shares = judged.map((reader) => {
    const known = new Set(reader.liked);
    const suggested = suggest(reader)
      .filter((id) => !known.has(id))
      .slice(0, SUGGESTED);
    return suggested.filter((id) => reader.heldOut.has(id)).length / reader.heldOut.size;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
