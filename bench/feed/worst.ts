import { say } from '../../src/terminal/progress.ts';
import { likeableIdOf, makeReaders, percentile, type Bench, type Reader } from '../bench.ts';
import { makeFollows } from '../follows/made.ts';
import { ask } from '../http.ts';
import { processorSecondsOf } from '../processor.ts';
import { makeActiveReaders, makeHiddenLikes, type Life, type MadeEntry, type MadeReaders } from './made.ts';

/**
 * The worst feeds: of a reader who follows 2,000 others, all of whom were active in the current
 * month. Each page is compared with a plain model: all entries, filtered and sorted.
 */

const FOLLOWED = 2_000;
const WARM_UP = 20;
const FIRST_PAGES = 40;
const LATER_PAGES = 40;
const PAGE = 20;
const PAGE_MAX = 100;
/** The number of the newest likes of one reader, which nobody is shown. */
const HIDDEN = 5_000;

const ALL_ACTIVE: Life = {
  months: 1,
  habits: [{ share: 1, active: 1 }],
  entriesMean: 40,
  audiences: () => ({ likes: 'EVERYONE', readings: 'EVERYONE' }),
};
/** Nine of ten readers hide all but their reviews. */
const isShowing = (index: number) => index % 10 === 0;
const MOST_HIDE: Life = {
  ...ALL_ACTIVE,
  audiences: (index) => {
    const audience = isShowing(index) ? 'FOLLOWERS' : 'ONLY_ME';
    return { likes: audience, readings: audience };
  },
};

const QUERY = `query ($first: Int!, $after: String) { feed(first: $first, after: $after) {
  edges { at node { kind reader { id fullName } book { id title authors coverUrl } rating review { text } } }
  pageInfo { hasNextPage endCursor } } }`;

interface Shown {
  readonly edges: readonly {
    readonly at: string;
    readonly node: {
      readonly kind: string;
      readonly reader: { readonly id: string };
      readonly book: { readonly id: string };
    };
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Measures the worst feeds, on a server of their own. */
export async function measureWorst(bench: Bench, seed: number): Promise<void> {
  // An audit would remove the rows that are made without their states.
  const { url, process: server } = await bench.startServer({ AUDIT_ROWS_PER_SECOND: '0' });
  const pids = [server.pid ?? NaN, bench.cassandraPid];
  const follower = async ({ userIds }: MadeReaders) => {
    const [viewer] = await makeReaders(bench.app, 1);
    if (!viewer) throw new Error('There is no reader');
    await makeFollows(bench.app, viewer.userId, userIds);
    return viewer;
  };

  const active = await makeActiveReaders(bench, FOLLOWED, seed, ALL_ACTIVE);
  say(`${FOLLOWED} readers have ${active.entries.length} entries in this month`);
  const viewer = await follower(active);
  const expected = inOrder(active.entries);
  await measure('nothing is hidden', { url, pids, viewer, expected });
  const [first = ''] = active.userIds;
  await makeHiddenLikes(bench, first, HIDDEN, 'taken back');
  await measure(`the ${HIDDEN} newest likes of one are taken back`, { url, pids, viewer, expected });
  await makeHiddenLikes(bench, first, HIDDEN, 'hidden');
  await measure(`the ${HIDDEN} newest likes of one are hidden as well`, { url, pids, viewer, expected });

  const hiding = await makeActiveReaders(bench, FOLLOWED, seed + 1, MOST_HIDE);
  const shown = hiding.entries.filter(({ kind, index }) => kind === 'REVIEWED' || isShowing(index));
  say(`${FOLLOWED} readers have ${hiding.entries.length} entries in this month, of which ${shown.length} are shown`);
  const of = { url, pids, viewer: await follower(hiding), expected: inOrder(shown) };
  await measure('most are hidden', of);
  await readAll(of);
}

interface Measured {
  readonly url: string;
  readonly pids: readonly number[];
  readonly viewer: Reader;
  /** The entries that the feed shows, newest first. */
  readonly expected: readonly string[];
}

const nameOf = (at: string, kind: string, userId: string, bookId: string) => `${at} ${kind} ${userId} ${bookId}`;

/** Returns the names of entries, newest first. Two entries hardly ever have the same moment. */
const inOrder = (entries: readonly MadeEntry[]): string[] =>
  entries
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .map(({ at, kind, userId, bookId }) => nameOf(at.toISOString(), kind, userId, bookId));

const keyOf = (id: string, type: string): string => likeableIdOf(id).replace(`${type}:`, '');

/** Reads a page, and expects it to have the entries from a place on. */
async function readPage({ url, viewer, expected }: Measured, place: number, first: number, after: string | null) {
  const { feed } = await ask<{ feed: Shown }>(url, viewer.token, QUERY, { first, after });
  const shown = feed.edges.map(({ at, node: { kind, reader, book } }) =>
    nameOf(at, kind, keyOf(reader.id, 'User'), keyOf(book.id, 'Book')),
  );
  const wanted = expected.slice(place, place + first);
  const sorted = (names: readonly string[]) => JSON.stringify(names.toSorted());
  if (sorted(shown) !== sorted(wanted) || feed.pageInfo.hasNextPage !== place + first < expected.length)
    throw new Error(`The page at ${place} has ${shown.join('; ')} instead of ${wanted.join('; ')}`);
  return feed.pageInfo.endCursor;
}

/** Measures the first pages and the pages after them. */
async function measure(what: string, of: Measured): Promise<void> {
  for (let each = 0; each < WARM_UP; each++) await readPage(of, 0, PAGE, null);
  let [place, after] = [0, null as string | null];
  const kinds = {
    first: { count: FIRST_PAGES, read: () => readPage(of, 0, PAGE, null) },
    later: {
      count: LATER_PAGES,
      read: async () => {
        after = await readPage(of, place, PAGE, after);
        place += PAGE;
      },
    },
  };
  for (const [name, { count, read }] of Object.entries(kinds)) {
    const before = of.pids.map(processorSecondsOf);
    const latencies: number[] = [];
    for (let each = 0; each < count; each++) {
      const begun = performance.now();
      await read();
      latencies.push(performance.now() - begun);
    }
    const [ofServer = NaN, ofCassandra = NaN] = of.pids.map(
      (pid, index) => ((processorSecondsOf(pid) - (before[index] ?? NaN)) * 1_000) / count,
    );
    say(
      `${what}, ${name} pages: p50 ${percentile(latencies, 50).toFixed(1)} ms, most ${percentile(latencies, 100).toFixed(1)} ms; ` +
        `processor: server ${ofServer.toFixed(1)} ms, Cassandra ${ofCassandra.toFixed(1)} ms`,
    );
  }
}

/** Reads a whole feed, page by page. */
async function readAll(of: Measured): Promise<void> {
  let after: string | null = null;
  for (let place = 0; place < of.expected.length; place += PAGE_MAX) after = await readPage(of, place, PAGE_MAX, after);
  say(`all ${of.expected.length} entries are there, each once`);
}
