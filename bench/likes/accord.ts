import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, types } from 'cassandra-driver';
import { startNode } from '../../tools/launch/embedded.ts';
import { PLACES } from '../../tools/places.ts';
import { say } from '../../src/terminal/progress.ts';
import { inTurns, LIKE, likeableIdOf, makeReaders, measure, withBench, type Bench, type Reader } from '../bench.ts';
import { ask } from '../http.ts';

const VERSION = '6.0-alpha2';
const NATIVE_PORT = 19_242;
const STORAGE_PORT = 17_100;
const SECONDS = 5;
const ROUNDS = 3;
/** There are enough readers that every like of one likeable is by a different reader. */
const READERS = 40_000;
const AT_ONCE = [16, 64];

/** The same four tables, with support for transactions. */
const TABLES = [
  'likes_by_user (user_id uuid, likeable_id text, liked_at timestamp, PRIMARY KEY (user_id, likeable_id))',
  'item_by_user (user_id uuid, liked_at timestamp, likeable_id text, title text, ' +
    'PRIMARY KEY (user_id, liked_at, likeable_id))',
  'user_by_item (likeable_id text, liked_at timestamp, user_id uuid, full_name text, ' +
    'PRIMARY KEY (likeable_id, liked_at, user_id))',
  'like_counts (likeable_id text PRIMARY KEY, like_count int)',
];

const TRANSACTION = `BEGIN TRANSACTION
  LET former = (SELECT liked_at FROM likes_by_user WHERE user_id = ? AND likeable_id = ?);
  IF former IS NULL THEN
    INSERT INTO likes_by_user (user_id, likeable_id, liked_at) VALUES (?, ?, ?);
    INSERT INTO item_by_user (user_id, liked_at, likeable_id, title) VALUES (?, ?, ?, ?);
    INSERT INTO user_by_item (likeable_id, liked_at, user_id, full_name) VALUES (?, ?, ?, ?);
    UPDATE like_counts SET like_count += 1 WHERE likeable_id = ?;
  END IF
COMMIT TRANSACTION`;

/**
 * Compares `like` through HTTP and GraphQL with a like as one Accord transaction over the same four
 * tables by the bare driver.
 */
export async function benchAccord(): Promise<void> {
  await withBench(1, async (bench) => {
    const { url } = await bench.startServer();
    const readers = await makeReaders(bench.app, READERS);
    await withAccord(bench, async (accord) => {
      for (const [where, books] of [
        ['one likeable', bench.bookIds.slice(0, AT_ONCE.length + 1)],
        ['many likeables', bench.bookIds.slice(AT_ONCE.length + 1)],
      ] as const) {
        for (const [index, atOnce] of AT_ONCE.entries()) {
          const likeables = where === 'one likeable' ? books.slice(index, index + 1) : books;
          const [nextLike, nextTransaction] = [turns(readers, likeables), turns(readers, likeables)];
          const like = () => {
            const { reader, id } = nextLike();
            return ask(url, reader.token, LIKE, { id });
          };
          const transaction = () => {
            const { id } = nextTransaction();
            return likeByAccord(accord, bench.app.randomId(), likeableIdOf(id));
          };
          await measure({ seconds: 4, atOnce }, like);
          await measure({ seconds: 4, atOnce }, transaction);
          const measured = await inTurns(ROUNDS, {
            like: () => measure({ seconds: SECONDS, atOnce }, like),
            Accord: () => measure({ seconds: SECONDS, atOnce }, transaction),
          });
          const { like: ours, Accord: theirs } = measured;
          say(
            `${where}, ${atOnce} at once: like ${(ours.rate / theirs.rate).toFixed(2)} × Accord; ` +
              `p99 ${ours.p99.toFixed(0)} against ${theirs.p99.toFixed(0)} ms`,
          );
        }
      }
    });
  });
}

/** Iterates over likeables and readers, so that every pair occurs once before any is repeated. */
function turns(readers: readonly Reader[], likeables: readonly string[]) {
  let count = 0;
  return (): { reader: Reader; id: string } => {
    const reader = readers[count % readers.length];
    const id = likeables[(count + Math.floor(count / readers.length)) % likeables.length];
    count++;
    if (!reader || id === undefined) throw new Error('there are no readers or likeables');
    return { reader, id };
  };
}

async function withAccord(bench: Bench, work: (client: Client) => Promise<void>): Promise<void> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'social-e-library-accord-'));
  const other = { version: VERSION, settings: 'accord:\n  enabled: true' };
  const place = { dataFolder, address: '127.0.0.1', nativePort: NATIVE_PORT, storagePort: STORAGE_PORT, other };
  const node = await startNode(PLACES.folder, place, say);
  const options = { contactPoints: [`127.0.0.1:${NATIVE_PORT}`], localDataCenter: 'datacenter1' };
  const client = new Client({ ...options, queryOptions: { prepare: true, consistency: types.consistencies.quorum } });
  try {
    await client.execute(
      "CREATE KEYSPACE accord WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    await client.execute('USE accord');
    for (const table of TABLES) await client.execute(`CREATE TABLE ${table} WITH transactional_mode = 'full'`);
    // A count is only incremented, so it must exist.
    for (const id of bench.bookIds) {
      await client.execute('INSERT INTO like_counts (likeable_id, like_count) VALUES (?, 0)', [likeableIdOf(id)]);
    }
    await work(client);
  } finally {
    await client.shutdown();
    await node.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function likeByAccord(client: Client, userId: string, likeableId: string): Promise<void> {
  const [user, now] = [types.Uuid.fromString(userId), new Date()];
  const like = [user, likeableId];
  await client.execute(TRANSACTION, [
    ...like,
    ...[...like, now],
    ...[user, now, likeableId, 'A title'],
    ...[likeableId, now, user, 'Somebody'],
    likeableId,
  ]);
}
