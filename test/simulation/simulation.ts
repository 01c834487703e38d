import { z } from 'zod';
import { deleteAccount, updateProfile } from '../../src/accounts/changes.ts';
import { existingAccount } from '../../src/identity/operations.ts';
import type { Bound } from '../../src/cassandra/statement.ts';
import { accountStates } from '../../src/accounts/tables.ts';
import { doJobs } from '../../src/jobs/jobs.worker.ts';
import { CassandraError } from '../../src/cassandra/errors.ts';
import { bookStates } from '../../src/catalogue/tables.ts';
import { readConfig } from '../../src/config/config.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { RequestError, UserError } from '../../src/graphql/errors.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { EVERYTHING } from '../../src/likes/audit-scan.ts';
import { auditLikes } from '../../src/likes/audit.ts';
import { auditSomeLikes } from '../../src/likes/audit.worker.ts';
import { like, unlike } from '../../src/likes/aggregate.ts';
import { viewerLikedAt } from '../../src/likes/operations.ts';
import { bookById } from '../../src/catalogue/operations.ts';
import { makeLogger } from '../../src/app/logger.ts';
import { recoverTransactions } from '../../src/transactions/recovery.worker.ts';
import { jobHandlers, transactionKinds } from '../../src/app/workers.ts';
import { accountState } from '../support/accounts.ts';
import { isLinearizable, type Call } from '../support/history.ts';
import { Cluster, NO_FAULTS, Process, type Faults } from './cluster.ts';
import { encode, Store, type Row } from './store.ts';
import { World } from './world.ts';
import { LOWEST_UUID } from '../../src/cassandra/orders.ts';

/**
 * The product's own operations, in a simulated world: an in-memory Cassandra that loses, delays and refuses, servers that
 * die or stop at any await, clocks that differ. When it has become quiet, nothing may have drifted, and what callers saw
 * must have been possible one call after the other.
 */

/** At most; a round with few has many calls meet, one with many leaves what went wrong as it is. */
const READERS = 12;
const BOOKS = 6;
const SERVERS = 3;
const CALLERS = 6;
/** So small that shards fill and open all the time. */
const SHARD_ROWS_MAX = 4;
/** Between likes readers rename themselves, and some of them leave. */
const CHANGE_CHANCE = 0.02;

/** What one round came to. */
export interface Round {
  readonly seed: number;
  readonly steps: number;
  readonly calls: number;
  readonly unknown: number;
  readonly crashes: number;
  /** What is wrong; nothing, as it must be. */
  readonly problems: readonly string[];
}

/**
 * Runs one round: trouble for some steps, then quiet, then the checks.
 * @param seed the same seed gives the same round
 * @param steps of trouble; those of becoming quiet come on top
 */
export async function simulateRound(seed: number, steps: number): Promise<Round> {
  const world = new World(seed);
  const store = new Store();
  const cluster = new Cluster(world, store);
  const servers: AppContext[] = [];
  const processes = new Map<AppContext, Process>();
  const histories = new Map<string, Call[]>();
  let [crashes, calls, unknown, underWay] = [0, 0, 0, 0];
  let isQuiet = false;
  // The audit repairs: in most rounds it must not hide what would be wrong without it.
  const isAudited = world.chance(0.3);
  // Readers who have deleted their account, or tried to.
  const isLeft = world.chance(0.5);
  const erased = new Set<string>();
  const problems: string[] = [];

  const readers = Array.from({ length: 1 + Math.floor(world.random() * READERS) }, () => world.uuid());
  const books = Array.from({ length: 1 + Math.floor(world.random() * BOOKS) }, (_, index) => `978000000000${index}`);
  seedStore(store, world, readers, books);

  const startServer = () => {
    const process = new Process(world);
    const app = serverOf(process, cluster, world);
    servers.push(app);
    processes.set(app, process);
    void recoverForever(app);
    void doJobsForever(app);
    if (isAudited && servers.length % 3 === 1) void auditForever(app);
  };
  const recoverForever = async (app: AppContext) => {
    for (;;) {
      await recoverTransactions(app, transactionKinds).catch(ifUnavailable);
      await world.sleep(1_000 * (0.9 + 0.2 * world.random()));
    }
  };
  const doJobsForever = async (app: AppContext) => {
    for (;;) {
      await doJobs(app).catch(ifUnavailable);
      await world.sleep(1_000 * (0.9 + 0.2 * world.random()));
    }
  };
  /** The audit repairs; it must not do harm in the midst of trouble. */
  const auditForever = async (app: AppContext) => {
    for (;;) {
      await auditSomeLikes(app).catch(ifUnavailable);
      await world.sleep(5_000);
    }
  };
  const alive = () => servers.filter((app) => processes.get(app)?.isAlive);

  /** Somebody who calls and calls; when the server dies under a call they never hear of it again and call another. */
  const callForever = async () => {
    while (!isQuiet) {
      while (alive().length === 0) await world.sleep(100);
      const app = world.pick(alive());
      const [userId, bookId] = [world.pick(readers), world.pick(books)];
      if (world.chance(CHANGE_CHANCE)) {
        const isErasure = isLeft && world.chance(0.2);
        if (isErasure) erased.add(userId);
        underWay++;
        await Promise.race([changeAccount(app, userId, isErasure).catch(ifUnavailable), died(app)]);
        underWay--;
        continue;
      }
      const verb = world.pick(['like', 'like', 'unlike', 'unlike', 'read'] as const);
      const history = histories.get(`${userId} ${bookId}`) ?? [];
      histories.set(`${userId} ${bookId}`, history);
      const index = history.push({ verb, begun: world.steps, ended: Infinity }) - 1;
      calls++;
      underWay++;
      const outcome = await Promise.race([
        call(app, userId, bookId, verb).catch((error: unknown) => {
          ifUnavailable(error);
          return 'unknown' as const;
        }),
        died(app),
      ]);
      underWay--;
      if (typeof outcome === 'boolean') {
        const { begun = 0 } = history[index] ?? {};
        history[index] = { verb, begun, ended: world.steps, answer: outcome };
        const wasAlone = history.every(
          (other, each) =>
            each === index || other.ended < begun || (other.ended === Infinity && [verb, 'read'].includes(other.verb)),
        );
        if (verb !== 'read' && wasAlone && !erased.has(userId))
          problems.push(...listsOf(store, world.now, userId, bookId, verb === 'like'));
      } else unknown++;
      await world.sleep(world.random() * 20);
    }
  };
  /** When a server dies, its callers' connections break. */
  const died = async (app: AppContext): Promise<'unknown'> => {
    while (processes.get(app)?.isAlive) await world.sleep(100);
    return 'unknown';
  };
  const watch = async () => {
    for (;;) {
      while (alive().length < SERVERS) {
        crashes++;
        startServer();
      }
      await world.sleep(500);
    }
  };

  for (let index = 0; index < SERVERS; index++) startServer();
  // Each server has looked at the whole log once before it answers; from then on recovery knows where to look.
  const [first] = servers;
  let hasLooked = false;
  if (first) void recoverTransactions(first, transactionKinds).then(() => (hasLooked = true));
  await world.runUntil(() => hasLooked);
  void watch();
  cluster.faults = faultsOf(world);
  for (let index = 0; index < CALLERS; index++) void callForever();
  await world.runUntil(() => world.steps >= steps);

  cluster.faults = NO_FAULTS;
  isQuiet = true;
  await world.runUntil(() => underWay === 0);
  // What was lost has landed by then, and recovery has come to what was orphaned.
  const quiet = world.now + 40_000;
  await world.runUntil(() => world.now >= quiet);
  await world.runUntil(() => ['transaction_log', 'jobs'].every((table) => store.scan(table, world.now).length === 0));

  problems.push(...driftOf(store, world.now), ...staleNamesOf(store, world.now));
  if (store.scan('transaction_dead_letters', world.now).length > 0) problems.push('transactions are dead letters');
  const auditor = new Process(world);
  const audit = (async () => {
    for await (const { drift } of auditLikes(serverOf(auditor, cluster, world), EVERYTHING, false)) {
      problems.push(...drift.map(({ table, what }) => `the audit says of ${table}: ${what}`));
    }
    return true;
  })();
  let isAuditDone = false;
  void audit.then((done) => (isAuditDone = done));
  await world.runUntil(() => isAuditDone);
  for (const [key, history] of histories) {
    if (erased.has(key.split(' ')[0] ?? '')) continue;
    const finalState = store
      .scan('likes_by_user', world.now)
      .find((row) => `${encode(row['user_id'])} ${keyOf(row)}` === key);
    const answer = (finalState?.['state'] as { liked: boolean } | undefined)?.liked ?? false;
    const last: Call = { verb: 'read', begun: world.steps, ended: world.steps + 1, answer };
    if (!isLinearizable([...history, last])) problems.push(`the calls about ${key} are not linearizable`);
  }
  return { seed, steps, calls, unknown, crashes, problems };
}

/** What is not Cassandra's doing is a mistake, of the product or of the model. */
function ifUnavailable(error: unknown): void {
  if (!(error instanceof CassandraError)) throw error;
  if (error.cause instanceof z.ZodError || error.cause instanceof TypeError) throw error;
}

const keyOf = (row: Row) => (row['likeable_id'] as string).replace(/^Book:/, '');

/** Each round has its own weather. */
function faultsOf(world: World): Faults {
  const of = (most: number) => (world.chance(0.3) ? 0 : most * world.random());
  return { lost: of(0.03), refused: of(0.02), crash: of(0.003), pause: of(0.004) };
}

function serverOf(process: Process, cluster: Cluster, world: World): AppContext {
  const config = readConfig({
    CASSANDRA_CONTACT_POINTS: 'simulated',
    LOGIN_ATTEMPTS_FREE: '0',
    LIKE_CHANGES_PER_HOUR: '0',
    LIKE_SHARD_ROWS_MAX: String(SHARD_ROWS_MAX),
  });
  const cassandra = cluster.connect(process);
  return {
    config,
    cassandra,
    logger: makeLogger('silent'),
    clock: process.clock,
    randomId: () => world.uuid(),
    passwords: {
      hash: () => Promise.reject(new Error('unused')),
      verify: () => Promise.resolve(true),
      isOutdated: () => false,
    },
    jobHandlers,
    atCrashPoint: () => undefined,
  };
}

function seedStore(store: Store, world: World, readers: readonly string[], books: readonly string[]): void {
  const seed = ({ query, params }: Bound) => store.execute([{ cql: query, values: params }], world.now);
  for (const user_id of readers) {
    const state = accountState(() => world.uuid(), new Date(world.now));
    seed(accountStates.bind({ user_id }, null, state));
  }
  for (const book_id of books) {
    const unknown = { isbn: null, original_title: null, published_year: null, language_code: null, publisher: null };
    const values = { ...unknown, title: book_id, authors: [], genres: [], average_rating: null, ratings_count: null };
    const decided = { version: 1, changed_at: new Date(world.now), change_id: world.uuid() };
    const edition = { pages: null, published_on: null, cover_url: null };
    const state = {
      ...values,
      ...edition,
      ...decided,
      removed_at: null,
      former: null,
      retitled: false,
      relisted: false,
    };
    seed(bookStates.bind({ book_id }, null, state));
  }
}

async function call(app: AppContext, userId: string, bookId: string, verb: Call['verb']): Promise<boolean> {
  const context = requestContext(app, { ...ANONYMOUS, viewerId: userId });
  if (verb === 'read') {
    const book = await bookById(context, bookId);
    if (!book) throw new Error(`the book ${bookId} is gone`);
    await existingAccount(context, userId);
    return (await viewerLikedAt(context, book)) !== null;
  }
  const input = { id: encodeId({ type: 'Book', key: bookId }) };
  return (await (verb === 'like' ? like(context, input) : unlike(context, input))).changed;
}

let names = 0;

/** A reader takes another name, or leaves. */
async function changeAccount(app: AppContext, userId: string, isErasure: boolean): Promise<void> {
  const context = requestContext(app, { ...ANONYMOUS, viewerId: userId });
  try {
    if (isErasure) await deleteAccount(context, { password: '' });
    else await updateProfile(context, { fullName: `Name ${++names}` });
  } catch (error) {
    // They have left already.
    if (!(error instanceof UserError || error instanceof RequestError)) throw error;
  }
}

/** Every like must be listed under its reader's present name, and nothing be left of readers who have left. */
function* staleNamesOf(store: Store, now: number): Generator<string> {
  const accounts = new Map(
    store
      .scan('users_by_id', now)
      .map((row) => [encode(row['user_id']), row['state'] as { full_name: string; erased_at: Date | null }]),
  );
  const rows = ['likes_by_user', 'item_by_user', 'user_by_item'].flatMap((table) =>
    store.scan(table, now).map((row) => ({ table, row, account: accounts.get(encode(row['user_id'])) })),
  );
  for (const { table, row, account } of rows) {
    // A fence says nothing but that nothing was decided; it goes by itself.
    const { change_id } = { ...(row['state'] as { change_id?: unknown } | undefined) };
    if (!account || row['liked'] === false || String(change_id) === LOWEST_UUID) continue;
    if (account.erased_at) yield `${table} still has something of a reader who has left: ${encode(row)}`;
    else if (table === 'user_by_item' && row['full_name'] !== account.full_name) yield `a stale name: ${encode(row)}`;
  }
}

/** After an answer, with nobody else at work on the same like, the lists show it. */
function* listsOf(store: Store, now: number, userId: string, bookId: string, isLiked: boolean): Generator<string> {
  for (const table of ['item_by_user', 'user_by_item']) {
    const isListed = store
      .scan(table, now)
      .some((row) => encode(row['user_id']) === userId && keyOf(row) === bookId && row['liked'] !== false);
    if (isListed !== isLiked) yield `${table} does not show at once what was answered to ${userId} about ${bookId}`;
  }
}

/** Compares the source of truth with the lists and the counts, in the store itself. */
function* driftOf(store: Store, now: number): Generator<string> {
  const likeOf = (row: Row) =>
    `${encode(row['user_id'])} likes ${encode(row['likeable_id'])} since ${encode(row['liked_at'])}`;
  const wanted = store.scan('likes_by_user', now).flatMap((row) => {
    const state = row['state'] as { liked: boolean; liked_at: Date | null };
    return state.liked ? [likeOf({ ...row, liked_at: state.liked_at })] : [];
  });
  const rows = store.scan('user_by_item', now).filter((row) => row['liked'] === true);
  yield* differences('item_by_user', wanted, store.scan('item_by_user', now).map(likeOf));
  yield* differences('user_by_item', wanted, rows.map(likeOf));
  const count = (likeableId: unknown) => rows.filter((row) => row['likeable_id'] === likeableId).length;
  for (const likeableId of new Set(store.scan('user_by_item', now).map((row) => row['likeable_id']))) {
    const published = store.scan('like_counts', now).filter((row) => row['likeable_id'] === likeableId);
    const sum = published.reduce((total, row) => total + (row['like_count'] as number), 0);
    if (sum !== count(likeableId)) yield `like_counts of ${encode(likeableId)} is ${sum}, not ${count(likeableId)}`;
  }
  for (const row of rows) {
    const shard = rows.filter((each) => each['likeable_id'] === row['likeable_id'] && each['shard'] === row['shard']);
    if (row['like_count'] !== shard.length)
      yield `a shard of ${encode(row['likeable_id'])} counts ${encode(row['like_count'])}, not ${shard.length}`;
  }
}

function* differences(table: string, wanted: readonly string[], found: readonly string[]): Generator<string> {
  for (const each of wanted) if (!found.includes(each)) yield `${table} lacks: ${each}`;
  for (const [index, each] of found.entries()) {
    if (!wanted.includes(each) || found.indexOf(each) !== index) yield `${table} has too much: ${each}`;
  }
}
