import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, types } from 'cassandra-driver';
import pLimit from 'p-limit';
import { PLACES } from '../tools/places.ts';
import { nodetoolOf, startEmbedded } from '../tools/launch/embedded.ts';
import { statementsIn } from '../src/schema/declared.ts';
import { say } from '../src/terminal/progress.ts';
import { withBar } from '../tools/support/progress-bar.ts';
import { HOUR_MS, SECOND_MS } from '../src/time/units.ts';
import { nodetoolBy, type Nodetool } from '../tools/backup/node.ts';
import { Ends } from '../tools/support/ends.ts';
import { inTurns, machine, measure } from './bench.ts';

/**
 * `npm run bench -- compaction`: compares strategies of compaction for a table of states and for a
 * list. Each strategy gets the same kind of changes. Memtables are flushed after each round, so
 * that many SSTables are written within minutes.
 */

/**
 * Levels of small SSTables: this small amount of data then has as many levels as the data of a full
 * node.
 */
const STRATEGIES = {
  size_tiered: `{'class': 'SizeTieredCompactionStrategy'}`,
  leveled: `{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 5}`,
} as const;
type Strategy = keyof typeof STRATEGIES;
const NAMES = Object.keys(STRATEGIES) as Strategy[];

const READERS = 100_000;
const LIKEABLES = 20;
const ROUNDS = 16;
const LIKES_A_ROUND = 150_000;
const LIKES_A_BATCH = 30;
const BATCHES_AT_ONCE = 16;
const YEAR = 2026;
const TITLE = 'The Hitchhiker’s Guide to the Galaxy';
const AUTHORS = ['Douglas Adams'];

/** The lines in the output of `nodetool` that differ between strategies. */
const SHOWN = /^(?:Percentile|50%|99%)|SSTables in each level|Space used \(live\)/;

const READ_ROUNDS = 5;
const READ_SECONDS = 5;
const READS_AT_ONCE = 8;

/** The number of changes of each like, for each strategy. */
const versions = { size_tiered: new Uint8Array(READERS * LIKEABLES), leveled: new Uint8Array(READERS * LIKEABLES) };

async function run(client: Client, nodetool: Nodetool): Promise<void> {
  for (const strategy of NAMES) await makeTables(client, strategy);

  await withBar('changing likes', 'likes', async (update) => {
    const total = ROUNDS * NAMES.length * LIKES_A_ROUND;
    let likes = 0;
    for (let round = 0; round < ROUNDS; round++)
      for (const strategy of NAMES) {
        await changeLikes(client, strategy, round);
        await nodetool('flush', strategy);
        likes += LIKES_A_ROUND;
        update({ items: likes, done: likes, total });
      }
  });
  await untilCompacted(nodetool);

  for (const [table, read] of Object.entries({ likes_by_user: readState, item_by_user: readList })) {
    say(table);
    const reads = (strategy: Strategy) => () =>
      measure({ seconds: READ_SECONDS, atOnce: READS_AT_ONCE }, () => read(client, strategy));
    await inTurns(READ_ROUNDS, { size_tiered: reads('size_tiered'), leveled: reads('leveled') });
    for (const strategy of NAMES) {
      const written = await bytesCompacted(client, strategy, table);
      say(`${strategy}: ${(written / 2 ** 20).toFixed(0)} MiB written by compactions`);
      const printed = await Promise.all([
        nodetool('tablehistograms', strategy, table),
        nodetool('tablestats', `${strategy}.${table}`),
      ]);
      for (const line of printed.join('\n').split('\n')) if (SHOWN.test(line)) process.stdout.write(`${line.trim()}\n`);
    }
  }
}

async function makeTables(client: Client, strategy: Strategy): Promise<void> {
  await client.execute(
    `CREATE KEYSPACE ${strategy} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
  );
  const declared = statementsIn(await readFile(join(import.meta.dirname, '../cql/likes.cql'), 'utf8'));
  for (const statement of declared)
    await client.execute(statement.replace('IF NOT EXISTS ', `IF NOT EXISTS ${strategy}.`));
  for (const table of ['likes_by_user', 'item_by_user'])
    await client.execute(`ALTER TABLE ${strategy}.${table} WITH compaction = ${STRATEGIES[strategy]}`);
}

/** Toggles random likes. */
async function changeLikes(client: Client, strategy: Strategy, round: number): Promise<void> {
  const limit = pLimit(BATCHES_AT_ONCE);
  await limit.map(Array.from({ length: LIKES_A_ROUND / LIKES_A_BATCH }), () => {
    const statements = Array.from({ length: LIKES_A_BATCH }).flatMap(() => statementsOf(strategy, round));
    return client.batch(statements, { prepare: true, logged: false });
  });
}

function statementsOf(strategy: Strategy, round: number) {
  const [reader, likeable] = [randomInt(READERS), randomInt(LIKEABLES)];
  const version = (versions[strategy][reader * LIKEABLES + likeable] ?? 0) + 1;
  versions[strategy][reader * LIKEABLES + likeable] = version;

  const userId = userIdOf(reader);
  const likeableId = likeableIdOf(likeable);
  const liked = version % 2 === 1;
  const likedAt = likedAtOf(likeable, liked ? version : version - 1);
  const state = {
    liked,
    version,
    liked_at: likedAt,
    changed_at: likedAt,
    change_id: types.Uuid.random(),
    shard: round,
  };
  return [
    {
      query: `UPDATE ${strategy}.likes_by_user SET state = ? WHERE user_id = ? AND likeable_id = ?`,
      params: [state, userId, likeableId],
    },
    liked
      ? {
          query: `INSERT INTO ${strategy}.item_by_user (user_id, year, liked_at, likeable_id, title, authors)
                  VALUES (?, ?, ?, ?, ?, ?) USING TIMESTAMP ?`,
          params: [userId, YEAR, likedAt, likeableId, TITLE, AUTHORS, version],
        }
      : {
          query: `DELETE FROM ${strategy}.item_by_user USING TIMESTAMP ?
                  WHERE user_id = ? AND year = ? AND liked_at = ? AND likeable_id = ?`,
          params: [version, userId, YEAR, likedAt, likeableId],
        },
  ];
}

const readState = (client: Client, strategy: Strategy) =>
  client.execute(
    `SELECT state FROM ${strategy}.likes_by_user WHERE user_id = ? AND likeable_id = ?`,
    [userIdOf(randomInt(READERS)), likeableIdOf(randomInt(LIKEABLES))],
    { prepare: true },
  );

const readList = (client: Client, strategy: Strategy) =>
  client.execute(
    `SELECT * FROM ${strategy}.item_by_user WHERE user_id = ? AND year = ? LIMIT 21`,
    [userIdOf(randomInt(READERS)), YEAR],
    { prepare: true },
  );

const likeableIdOf = (likeable: number) => `Book:97800000${likeable}`;

const likedAtOf = (likeable: number, version: number) =>
  new Date(Date.UTC(YEAR) + likeable * SECOND_MS + version * HOUR_MS);

function userIdOf(reader: number): types.Uuid {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(reader, 12);
  return new types.Uuid(bytes);
}

/** Waits until no compaction is pending. */
async function untilCompacted(nodetool: Nodetool): Promise<void> {
  while (!/^pending tasks\s+0\s*$/m.test(await nodetool('compactionstats'))) await sleep(1_000);
}

/** Reads the number of bytes that the compactions of a table have written. */
async function bytesCompacted(client: Client, strategy: Strategy, table: string): Promise<number> {
  const { rows } = await client.execute(
    'SELECT keyspace_name, columnfamily_name, bytes_out FROM system.compaction_history',
  );
  return rows
    .filter((row) => row['keyspace_name'] === strategy && row['columnfamily_name'] === table)
    .reduce((sum, row) => sum + Number(row['bytes_out']), 0);
}

say(machine());
const ends = new Ends();
try {
  const folder = await mkdtemp(join(tmpdir(), 'social-e-library-bench-'));
  ends.add(() => rm(folder, { recursive: true, force: true }));
  const node = await startEmbedded(PLACES.folder, { dataFolder: folder }, say);
  ends.add(node.stop);
  const client = new Client({ contactPoints: [...node.contactPoints], localDataCenter: 'datacenter1' });
  ends.add(() => client.shutdown());
  await run(client, nodetoolBy(nodetoolOf(folder)));
} finally {
  await ends.all();
}
