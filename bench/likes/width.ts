import pLimit from 'p-limit';
import { UNCOUNTED } from '../../src/likes/aggregate.ts';
import { batch, bind } from '../../src/cassandra/statement.ts';
import { likedItems, likeStates } from '../../src/likes/tables.ts';
import { say } from '../../src/terminal/progress.ts';
import { progressBar } from '../../tools/support/progress-bar.ts';
import {
  inTurns,
  LIKE,
  likeableIdOf,
  makeReaders,
  measure,
  withBench,
  type Bench,
  type Measured,
  type Reader,
  newLike,
} from '../bench.ts';
import { ask } from '../http.ts';
import { groupCommit } from '../../src/member-sets/group-commit.ts';

const LIKERS = 1_000_000;
const LIKES_OF_ONE_READER = 300_000;
const REAL_LIKES = 3_000;
const SECONDS = 5;
const ROUNDS = 3;
const AT_ONCE = 4;

const UNLIKE = LIKE.replace('like(', 'unlike(');
const LIKERS_PAGE = (args: string) =>
  `query ($id: ID!) { node(id: $id) {
   ... on Book { likers(${args}) { edges { likedAt node { fullName } } pageInfo { hasNextPage } } } } }`;
const LIKES_PAGE = (args: string) =>
  `{ viewer { likes(${args}) { edges { likedAt title } pageInfo { hasNextPage } } } }`;

/**
 * Measures a likeable with 1,000,000 likers compared with one with few, and a reader with 300,000
 * likes compared with one with few.
 */
export async function benchWidth(): Promise<void> {
  await withBench(1, async (bench) => {
    const { url } = await bench.startServer();
    const [wide = '', narrow = '', ...others] = bench.bookIds;
    const oldest = await makeReaders(bench.app, REAL_LIKES);
    const newest = await makeReaders(bench.app, REAL_LIKES);
    const between = await makeReaders(bench.app, REAL_LIKES);
    const likeAll = (readers: readonly Reader[], id: string) => {
      const limit = pLimit(64);
      return limit.map([...readers], ({ token }) => ask(url, token, LIKE, { id }));
    };
    await likeAll(oldest, wide);
    await loadLikers(bench, wide);
    await likeAll(newest, wide);
    await likeAll(await makeReaders(bench.app, 10), narrow);

    const fresh = readersInTurn(await makeReaders(bench.app, 40_000));
    // A likeable with ten likes must keep few, so the measured likes are distributed over many such
    // likeables.
    let turn = 0;
    const few = () => others[turn++ % 2_000] ?? narrow;
    const like = (id: () => string) => () => ask(url, fresh().token, LIKE, { id: id() });
    const page = (args: string, id: string) => () => ask(url, '', LIKERS_PAGE(args), { id });
    const unlike = (readers: () => Reader) => () => ask(url, readers().token, UNLIKE, { id: wide });
    const turns = (work: () => Promise<unknown>) => () => measure({ seconds: SECONDS, atOnce: AT_ONCE }, work);
    report('like', await inTurns(ROUNDS, { wide: turns(like(() => wide)), narrow: turns(like(few)) }));
    report(
      'page of 50 likers, first',
      await inTurns(ROUNDS, { wide: turns(page('first: 50', wide)), narrow: turns(page('first: 50', narrow)) }),
    );
    report(
      'page of 50 likers, last against first',
      await inTurns(ROUNDS, { wide: turns(page('last: 50', wide)), narrow: turns(page('first: 50', wide)) }),
    );
    // The likes in between warm up the next ones.
    await likeAll(between, wide);
    await measure({ seconds: 3, atOnce: AT_ONCE }, unlike(readersInTurn(between)));
    const eachOnce = (readers: readonly Reader[]) => {
      const work = unlike(readersInTurn(readers));
      return () => measure({ seconds: 2, atOnce: AT_ONCE }, work);
    };
    report('unlike, oldest against newest', await inTurns(3, { wide: eachOnce(oldest), narrow: eachOnce(newest) }));

    const [fan, somebody] = await makeReaders(bench.app, 2);
    if (!fan || !somebody) throw new Error('no readers');
    await loadLikes(bench, fan);
    for (const id of others.slice(0, 60)) await ask(url, somebody.token, LIKE, { id });
    const likesPage = (args: string, reader: Reader) => () => ask(url, reader.token, LIKES_PAGE(args), {});
    report(
      'page of 50 likes of a reader, first',
      await inTurns(ROUNDS, {
        wide: turns(likesPage('first: 50', fan)),
        narrow: turns(likesPage('first: 50', somebody)),
      }),
    );
    report(
      'page of 50 likes of a reader, last against first',
      await inTurns(ROUNDS, { wide: turns(likesPage('last: 50', fan)), narrow: turns(likesPage('first: 50', fan)) }),
    );
    let next = 100;
    const likeNext = (reader: Reader) => () =>
      ask(url, reader.token, LIKE, { id: others[next++ % others.length] ?? '' });
    report(
      'like by a reader',
      await inTurns(ROUNDS, { wide: turns(likeNext(fan)), narrow: turns(likeNext(somebody)) }),
    );
    const { rows } = await bench.app.cassandra.client.execute(
      'SELECT DISTINCT likeable_id, shard, row_count FROM user_by_item',
      [],
      { fetchSize: 100_000 },
    );
    const shards = rows.filter((row) => row['likeable_id'] === likeableIdOf(wide));
    const most = Math.max(...shards.map((row) => row['row_count'] as number));
    say(
      `${shards.length} shards of the wide likeable, at most ${most} rows in one: ${3 * most + 4} cells of 1,000,000`,
    );
  });
}

function report(what: string, { wide, narrow }: Record<'wide' | 'narrow', Measured>): void {
  const ratio = (of: 'p50' | 'p99') => (wide[of] / narrow[of]).toFixed(2);
  say(
    `${what}: p99 ratio ${ratio('p99')}, p50 ratio ${ratio('p50')} (p99 ${wide.p99.toFixed(1)} ` +
      `against ${narrow.p99.toFixed(1)} ms)`,
  );
}

function readersInTurn(readers: readonly Reader[]) {
  let count = 0;
  return () => {
    const reader = readers[count++ % readers.length];
    if (!reader) throw new Error('no readers');
    return reader;
  };
}

/** Loads likers by the group commit alone, because only the width of the likeable is measured. */
async function loadLikers({ app }: Bench, id: string): Promise<void> {
  const likeableId = likeableIdOf(id);
  const bar = progressBar('likers', 'likers');
  let shard = 0;
  let done = 0;
  const worker = async () => {
    while (done < LIKERS) {
      done++;
      if (done % app.config.likeShardRowsMax === 0) shard++;
      await groupCommit(app).apply(likeableId, shard, newLike(app));
      if (done % 5_000 === 0) bar.update({ items: done, done, total: LIKERS });
    }
  };
  await Promise.all(Array.from({ length: 800 }, worker));
  bar.stop();
}

async function loadLikes({ app: { cassandra, clock, randomId } }: Bench, { userId }: Reader): Promise<void> {
  const bar = progressBar('likes of one reader', 'likes');
  const begun = clock().getTime() - LIKES_OF_ONE_READER;
  let done = 0;
  const worker = async () => {
    while (done < LIKES_OF_ONE_READER) {
      const liked_at = new Date(begun + done);
      const key = { user_id: userId, likeable_id: `Book:goodreads-${++done}` };
      const next = {
        liked: true,
        version: 1,
        liked_at,
        changed_at: liked_at,
        change_id: randomId(),
        shard: 0,
        former_shard: null,
        ...UNCOUNTED,
      };
      await likeStates.compareAndSet(cassandra, key, null, next);
      const item = { ...key, year: liked_at.getUTCFullYear(), liked_at, title: 'A title', version: 1n };
      await batch(cassandra, [bind(likedItems.insert, item)]);
      if (done % 1_000 === 0) bar.update({ items: done, done, total: LIKES_OF_ONE_READER });
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  bar.stop();
}
