import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { encodeId } from '../src/graphql/ids.ts';
import { say } from '../src/terminal/progress.ts';
import { Client, PASSWORD } from '../tools/support/client.ts';
import { LIKE, machine, makeReaders, percentile, withBench, type Bench, type Reader } from './bench.ts';
import { makeFollowers, makeStates } from './follows/made.ts';
import { ask } from './http.ts';
import { residentMebibytesOf } from './processor.ts';

/**
 * `npm run bench -- follows [--followers N]`: measures what a follow costs a reader with few and
 * with many follows, and what a reader with 100,000 followers costs: their new followers, pages,
 * blocks, likes, changes of privacy and name, and their erasure.
 */

const { values } = parseArgs({ options: { followers: { type: 'string', default: '100000' } } });
const FOLLOWERS = Number(values.followers);
if (!Number.isSafeInteger(FOLLOWERS) || FOLLOWERS < 1) {
  say('Usage: npm run bench -- follows [--followers N]');
  process.exit(2);
}

/** The numbers of states: of readers who are followed now, and of others who were. */
const STATES = [
  { now: 0, former: 0 },
  { now: 1_990, former: 0 },
  { now: 1_990, former: 17_800 },
] as const;
const FANS = 200;
const WARM_UP = 50;
const AT_ONCE = 16;
const PAGE_MAX = 100;
const PAGES_WARM = 50;
const SAMPLE_MS = 200;

const userId = ({ userId: key }: Reader) => encodeId({ type: 'User', key });
const changing = (verb: string) =>
  `mutation ($id: ID!) { done: ${verb}(input: { id: $id }) { changed userErrors { code message } } }`;
const [FOLLOW, UNFOLLOW, BLOCK] = [changing('follow'), changing('unfollow'), changing('block')];
const TALLY = 'query ($id: ID!) { node(id: $id) { ... on User { followerTally { count isExact } } } }';
const FOLLOWERS_PAGE = `query ($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on User {
  followers(first: $first, after: $after) { totalCount edges { cursor } pageInfo { hasNextPage endCursor } } } } }`;
const FEED = '{ feed(first: 20) { edges { node { reader { id } likeable { id } } } } }';
const KNOWN = 'query ($id: ID!) { node(id: $id) { ... on Book { knownLikers { count isExact } } } }';
const NOTIFICATIONS = '{ viewer { notifications(first: 20) { nodes { kind count readers { id } } } } }';

const keyOf = (id: string): string => Buffer.from(id, 'base64url').toString().replace('User:', '');
const shown = (latencies: readonly number[]): string =>
  `p50 ${percentile(latencies, 50).toFixed(1)} ms, p99 ${percentile(latencies, 99).toFixed(1)} ms`;

interface Followers {
  readonly node: {
    readonly followers: {
      readonly totalCount: number;
      readonly edges: readonly { readonly cursor: string }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

say(machine());
await withBench(1, run, 100);
process.exit(0);

async function run(bench: Bench): Promise<void> {
  // An audit would write the lists of states that are made without them.
  const { url, process: server } = await bench.startServer({ AUDIT_ROWS_PER_SECOND: '0' });
  const fans = await makeReaders(bench.app, FANS);
  await measureStates(bench, url, fans);
  await measureHotReader(bench, url, fans, server.pid ?? NaN);
}

/** Sends a change, which must be made. */
async function change(url: string, { token }: Reader, query: string, variables: Record<string, unknown>) {
  const { done } = await ask<{ done: { changed?: boolean; userErrors: unknown[] } }>(url, token, query, variables);
  if (done.changed === false || done.userErrors.length > 0) throw new Error(`${query}: ${JSON.stringify(done)}`);
}

/** Returns the duration of some work, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Measures follows of readers by the number of their follows. */
async function measureStates({ app }: Bench, url: string, others: readonly Reader[]): Promise<void> {
  for (const { now, former } of STATES) {
    const [reader] = await makeReaders(app, 1);
    if (!reader) throw new Error('There is no reader');
    await makeStates(app, reader.userId, now, former);
    const latencies = { follow: [] as number[], unfollow: [] as number[] };
    for (const [index, other] of others.entries()) {
      const id = userId(other);
      const [begins, ends] = [
        await timed(() => change(url, reader, FOLLOW, { id })),
        await timed(() => change(url, reader, UNFOLLOW, { id })),
      ];
      if (index < WARM_UP) continue;
      latencies.follow.push(begins);
      latencies.unfollow.push(ends);
    }
    const states = `${String(now)} followed and ${String(former)} former`;
    say(`with ${states}: follow ${shown(latencies.follow)}; unfollow ${shown(latencies.unfollow)}`);
  }
}

/** Measures everything about a reader with many followers. */
async function measureHotReader(bench: Bench, url: string, fans: readonly Reader[], pid: number): Promise<void> {
  const hotClient = await new Client(url).registerSomebody('Hot');
  const id = hotClient.viewerId;
  const hot = { userId: keyOf(id), token: hotClient.token ?? '' };
  const made = await timed(() => makeFollowers(bench.app, hot.userId, FOLLOWERS));
  say(`${String(FOLLOWERS)} followers, made in ${(made / 1_000).toFixed(0)} s`);

  const follows: number[] = [];
  for (const fan of fans) follows.push(await timed(() => change(url, fan, FOLLOW, { id })));
  await expectCount(url, hot, FOLLOWERS + FANS);
  const unfollows: number[] = [];
  for (const fan of fans) unfollows.push(await timed(() => change(url, fan, UNFOLLOW, { id })));
  await expectCount(url, hot, FOLLOWERS);
  const together = await timed(() => pLimit(AT_ONCE).map(fans, (fan) => change(url, fan, FOLLOW, { id })));
  await expectCount(url, hot, FOLLOWERS + FANS);
  say(`followed: ${shown(follows)}; unfollowed: ${shown(unfollows)}`);
  say(`${String(AT_ONCE)} at once: ${((FANS * 1_000) / together).toFixed(0)} follows a second`);

  await measurePages(url, hot);
  await measureActs(bench, url, hot, fans);
  await measureChanges(bench, hot, hotClient, pid);
}

async function expectCount(url: string, reader: Reader, count: number): Promise<void> {
  const { node } = await ask<{ node: { followerTally: object } }>(url, reader.token, TALLY, { id: userId(reader) });
  const wanted = { count, isExact: true };
  if (JSON.stringify(node.followerTally) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(node.followerTally)} instead of ${JSON.stringify(wanted)}`);
}

/** Reads the first page many times, and all followers page by page. */
async function measurePages(url: string, { token, userId: key }: Reader): Promise<void> {
  const id = encodeId({ type: 'User', key });
  const page = (first: number, after: string | null) =>
    ask<Followers>(url, token, FOLLOWERS_PAGE, { id, first, after }).then(({ node }) => node.followers);
  const firsts: number[] = [];
  for (let each = 0; each < PAGES_WARM; each++) firsts.push(await timed(() => page(20, null)));

  const [cursors, latencies] = [new Set<string>(), [] as number[]];
  for (let after: string | null = null, isMore = true; isMore;) {
    const from: string | null = after;
    const begun = performance.now();
    const { totalCount, edges, pageInfo } = await page(PAGE_MAX, from);
    latencies.push(performance.now() - begun);
    for (const { cursor } of edges) cursors.add(cursor);
    if (totalCount !== FOLLOWERS + FANS) throw new Error(`totalCount is ${String(totalCount)}`);
    [after, isMore] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  if (cursors.size !== FOLLOWERS + FANS) throw new Error(`${String(cursors.size)} followers are listed`);
  say(`the first 20 followers: ${shown(firsts)}; all, ${String(PAGE_MAX)} at a time: ${shown(latencies)}`);
}

/** The reader likes something, is notified, follows and blocks. */
async function measureActs({ bookIds }: Bench, url: string, hot: Reader, fans: readonly Reader[]): Promise<void> {
  const [fan, other] = fans;
  const [book = ''] = bookIds;
  if (!fan || !other) throw new Error('There is no fan');
  const like = await timed(() => ask(url, hot.token, LIKE, { id: book }));
  const feed = await ask<{ feed: { edges: readonly { node: { likeable: { id: string } } }[] } }>(
    url,
    fan.token,
    FEED,
    {},
  );
  if (feed.feed.edges[0]?.node.likeable.id !== book) throw new Error(`The feed shows ${JSON.stringify(feed)}`);
  const known = await timed(async () => {
    for (let count = 0; count !== 1;) {
      const { node } = await ask<{ node: { knownLikers: { count: number } } }>(url, fan.token, KNOWN, { id: book });
      ({ count } = node.knownLikers);
    }
  });

  const notified: number[] = [];
  for (let each = 0; each < PAGES_WARM; each++)
    notified.push(await timed(() => ask(url, hot.token, NOTIFICATIONS, {})));
  const follow = await timed(() => change(url, hot, FOLLOW, { id: userId(other) }));
  const block = await timed(() => change(url, hot, BLOCK, { id: userId(fan) }));
  await expectCount(url, hot, FOLLOWERS + FANS - 1);
  say(
    `a like ${like.toFixed(1)} ms, in a feed at once, among known likers after ${known.toFixed(0)} ms; ` +
      `notifications: ${shown(notified)}`,
  );
  say(`the reader follows in ${follow.toFixed(1)} ms, and blocks a follower in ${block.toFixed(0)} ms`);
}

/** The reader changes privacy and name, and deletes the account. */
async function measureChanges({ app }: Bench, hot: Reader, client: Client, pid: number): Promise<void> {
  const jobsLeft = async () => (await app.cassandra.client.execute('SELECT subject FROM jobs')).rowLength;
  const changes = {
    'approves followers': () => client.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }'),
    'hides likes': () => client.mutate('updatePrivacy', { likes: 'ONLY_ME' }, 'viewer { id }'),
    'changes the name': () => client.mutate('updateProfile', { fullName: 'Other' }, 'viewer { id }'),
    'deletes the account': () => client.mutate('deleteAccount', { password: PASSWORD }, '__typename'),
  };
  for (const [what, make] of Object.entries<() => Promise<unknown>>(changes)) {
    const before = residentMebibytesOf(pid);
    let most = before;
    const sampler = setInterval(() => (most = Math.max(most, residentMebibytesOf(pid))), SAMPLE_MS);
    const begun = performance.now();
    const answered = await timed(make);
    while ((await jobsLeft()) > 0) await sleep(SAMPLE_MS);
    clearInterval(sampler);
    const seconds = (performance.now() - begun) / 1_000;
    say(
      `the reader ${what}: answered in ${answered.toFixed(0)} ms, jobs done after ${seconds.toFixed(1)} s; ` +
        `memory ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB`,
    );
  }
  await expectNothingLeft(app, hot.userId);
}

/** Expects that no row about a deleted reader's followers is left. */
async function expectNothingLeft({ cassandra }: Bench['app'], key: string): Promise<void> {
  for (const table of ['user_by_item', 'like_counts', 'follower_ids_by_user', 'following_by_user']) {
    const column = table.includes('item') || table.includes('counts') ? 'likeable_id' : 'followed_id';
    const value = column === 'likeable_id' ? `User:${key}` : key;
    const cql = `SELECT ${column} FROM ${table} WHERE ${column} = ? LIMIT 1 ALLOW FILTERING`;
    const { rowLength } = await cassandra.client.execute(cql, [value], { prepare: true, readTimeout: 600_000 });
    if (rowLength > 0) say(`rows are left in ${table}`);
  }
}
