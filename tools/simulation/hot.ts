import { bookById } from '../../src/catalogue/operations.ts';
import { CassandraError } from '../../src/cassandra/errors.ts';
import { readConfig } from '../../src/config/config.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { like, likersOf, likeTallyOf } from '../../src/likes/operations.ts';
import { transactionKinds } from '../../src/app/workers.ts';
import { sendHeartbeat, recoverTransactions } from '../../src/transactions/recovery.worker.ts';
import { Cluster } from './cluster/cluster.ts';
import { MODES } from './cluster/nodes.ts';
import { emailOf, seedBook, seedReader } from './library.ts';
import { Process } from './process.ts';
import { contextOf } from './servers.ts';
import { World } from './world.ts';

/**
 * Measures likes of one thing on many servers, in simulated time. Three nodes are in one data
 * centre, and none of them fails. Messages take up to 1 ms each way, and conditional writes of one
 * partition preempt each other, as with Paxos.
 */

const BOOK = '9780000000000';
const SECOND_MS = 1_000;
const WARM_UP_MS = 2_000;
/** The number of likers of each page, when all are read. */
const PAGE = 100;

/** The latencies of the likes that were answered, in milliseconds. */
interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** The result of a simulation. */
export interface Hot {
  /**
   * The latencies in the first second, when no server knows yet that others write the same shard.
   */
  readonly first: Latencies;
  /** The latencies in the second one. */
  readonly then: Latencies;
  /** The number of likes with an unknown outcome. */
  readonly timeouts: number;
  /** The likers by the pages of likers, by the tally and by the count, at the end. */
  readonly listed: number;
  readonly tally: number;
  /** The number of partitions of likers at the end. */
  readonly shards: number;
}

/** A world without the 2 % of answers that take up to 200 ms. */
class EvenWorld extends World {
  override chance(): boolean {
    return false;
  }
}

/**
 * Makes readers like one book for two seconds, each once, at random moments on random servers.
 * @param likes likes a second
 */
export async function simulateHot({
  seed,
  servers,
  likes,
}: {
  readonly seed: number;
  readonly servers: number;
  readonly likes: number;
}): Promise<Hot> {
  const world = new EvenWorld(seed);
  const [mode] = MODES;
  if (!mode) throw new Error('there is no mode');
  const cluster = new Cluster(world, mode);
  const readers = Array.from({ length: 2 * likes }, (_, index) => seedReader(world, cluster, emailOf(index)));
  await seedBook(world, cluster, BOOK);

  const config = readConfig({
    CASSANDRA_CONTACT_POINTS: 'simulated',
    LOGIN_ATTEMPTS_FREE: '0',
    ACCESS_TOKEN_SECRET: 'a secret that only this simulation uses',
  });
  const apps = Array.from({ length: servers }, () => {
    const process = new Process(world, mode.dataCentres[0] ?? '');
    const app = { ...contextOf(process, cluster, world), config };
    const beatForever = async () => {
      for (;;) {
        await sendHeartbeat(app);
        await recoverTransactions(app, transactionKinds);
        await process.sleep(1_000);
      }
    };
    void beatForever();
    return app;
  });
  const warm = world.now + WARM_UP_MS;
  await world.runUntil(() => world.now >= warm);

  const latencies: { readonly begun: number; readonly took: number }[] = [];
  let [timeouts, underWay] = [0, readers.length];
  for (const userId of readers) {
    const app = world.pick(apps);
    world.after(world.random() * 2 * SECOND_MS, () => {
      const begun = world.now;
      void likeOnce(app, userId).then((isKnown) => {
        if (isKnown) latencies.push({ begun, took: world.now - begun });
        else timeouts++;
        underWay--;
      });
    });
  }
  await world.runUntil(() => underWay === 0);
  // New partitions of likers are shown some time later, like the count.
  const shown = world.now + config.shownAgeMaxMs;
  await world.runUntil(() => world.now > shown);

  let found: Pick<Hot, 'listed' | 'tally'> | undefined;
  const [asked] = apps;
  if (asked) void whatIsSaid(asked).then((said) => (found = said));
  await world.runUntil(() => found !== undefined);
  const shards = new Set(cluster.scan('user_by_item').map((row) => row['shard'])).size;
  const [first = [], then = []] = [true, false].map((isFirst) =>
    latencies.flatMap(({ begun, took }) => (begun < warm + SECOND_MS === isFirst ? took : [])),
  );
  return { first: of(first), then: of(then), timeouts, shards, listed: 0, tally: 0, ...found };
}

function of(latencies: readonly number[]): Latencies {
  const sorted = latencies.toSorted((one, other) => one - other);
  const percentile = (percent: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
  return { p50: percentile(50), p99: percentile(99), max: percentile(100) };
}

async function likeOnce(app: AppContext, userId: string): Promise<boolean> {
  try {
    await like(requestContext(app, { ...ANONYMOUS, viewerId: userId }), { id: encodeId({ type: 'Book', key: BOOK }) });
    return true;
  } catch (error) {
    if (error instanceof CassandraError && error.outcome === 'unknown') return false;
    throw error;
  }
}

async function whatIsSaid(app: AppContext): Promise<Pick<Hot, 'listed' | 'tally'>> {
  const context = requestContext(app, ANONYMOUS);
  const book = await bookById(context, BOOK);
  if (!book) throw new Error('the book does not exist');
  const seen = new Set<string>();
  for (let after: string | null = null; ;) {
    const page = await likersOf(context, book, { first: PAGE, after });
    for (const { cursor } of page.edges) seen.add(cursor());
    if (page.pageInfo.hasNextPage !== true) break;
    after = page.pageInfo.endCursor?.() ?? null;
  }
  return { listed: seen.size, tally: (await likeTallyOf(context, book)).count };
}
