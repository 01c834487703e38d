import type { Action } from '../src/activity/log.ts';
import { ActionsInBulk } from '../tools/bulk/actions.ts';
import type { ActionKind } from '../src/graphql/generated/schema-types.ts';
import { say } from '../src/terminal/progress.ts';
import { DAY_MS } from '../src/time/units.ts';
import { likeableIdOf, machine, makeReaders, median, percentile, withBench, type Bench, type Reader } from './bench.ts';
import { ask } from './http.ts';
import { makeList, makeRatings, makeReviews, makeUnlisted } from './lists/made.ts';

/**
 * `npm run bench -- lists`: compares the cost of a page of one list with that of another. They are
 * requested in turns in one run, so that noise of the machine affects both. One server process
 * answers over real HTTP.
 */

const HISTORY = 100_000;
const YEARS = 5;
/** Rare kinds, each with the number of actions per action of that kind: one and twenty a year. */
const RARE: readonly (readonly [kind: ActionKind, one: number])[] = [
  ['WITHDRAWN', 20_000],
  ['SOLD', 1_000],
];
const COMMON: readonly ActionKind[] = ['VIEWED', 'CLICKED', 'LIKED', 'UNLIKED', 'READ', 'STATUS_CHANGED', 'LOGGED_IN'];
/**
 * The numbers of ratings, reviews and unlisted books of the two compared readers and the two
 * compared books.
 */
const SAID = [100_000, 10] as const;
/** The numbers of books of the two lists. The first number is the maximum of a list. */
const LISTED = [10_000, 10] as const;
const ROUNDS = 3;
const TURNS = 1_000;

type Query = readonly [query: string, variables: Record<string, unknown>];

/** Two lists to be compared: the first should take no longer than this many times the other. */
interface Pair {
  readonly name: string;
  readonly ratioMax: number;
  readonly one: (turn: number) => Query;
  readonly other: (turn: number) => Query;
}

const actions = (filter: string): Query => [
  `{ viewer { actions(first: 20${filter}) { edges { cursor node { kind at element } } pageInfo { hasNextPage } } } }`,
  {},
];

const GENRES = ['Fantasy', 'Romance', 'Young Adult', 'Mystery', 'Classics', 'History', 'Science Fiction', 'Biography'];
const book = 'title authors genres publisher';

const pairs = (isbnOf: (turn: number) => string | undefined): readonly Pair[] => [
  {
    name: 'a page of 20 books of a genre, against one book by its ISBN',
    ratioMax: 2,
    one: (turn) => [
      `query ($genre: String) { books(genre: $genre, first: 20) { edges { cursor node { ${book} } }
       pageInfo { hasNextPage } } }`,
      { genre: GENRES[turn % GENRES.length] },
    ],
    other: (turn) => [`query ($isbn: String!) { book(isbn: $isbn) { ${book} } }`, { isbn: isbnOf(turn) }],
  },
  ...RARE.map(([kind, one]) => ({
    name: `actions of a kind that is one in ${String(one)} of a history of ${String(HISTORY)}, against a page of all`,
    ratioMax: 1.2,
    one: () => actions(`, kinds: [${kind}]`),
    other: () => actions(''),
  })),
];

/** The lists of a reader, and of a book, with many and with few rows. */
const saidPairs = (bookIds: readonly string[], listIds: readonly string[]): readonly Pair[] => {
  const ratings: Query = ['{ viewer { ratings(first: 10) { edges { rating node { title } } } } }', {}];
  const tally = (id: string | undefined): Query => [
    'query ($id: ID!) { node(id: $id) { ... on Book { ratingTally { average count histogram isExact } } } }',
    { id },
  ];
  const reviews = (id: string | undefined, orderBy: string): Query => [
    `query ($id: ID!, $orderBy: ReviewOrder!) {
     node(id: $id) { ... on Book {
     reviews(first: 10, orderBy: $orderBy) { edges { node { text author { fullName } } } } } } }`,
    { id, orderBy },
  ];
  const list = (id: string | undefined): Query => [
    `query ($id: ID!) { node(id: $id) {
     ... on BookList { name entries(first: 10) { edges { note node { title } } count { value } } } } }`,
    { id },
  ];
  const unlisted: Query = ['{ viewer { unlistedBooks(first: 10) { nodes { title status } } } }', {}];
  const [many, few] = SAID;
  const [long, short] = LISTED;
  return [
    {
      name: `10 ratings of a reader who has given ${String(many)}, against those of one who has given ${String(few)}`,
      ratioMax: 1.2,
      one: () => ratings,
      other: () => ratings,
    },
    {
      name: `the tally of a book with ${String(many)} ratings, against that of one with ${String(few)}`,
      ratioMax: 1.2,
      one: () => tally(bookIds[0]),
      other: () => tally(bookIds[1]),
    },
    ...['NEWEST', 'MOST_LIKED'].map((orderBy) => ({
      name: `10 reviews, ${orderBy}, of a book that has ${String(many)}, against those of one that has ${String(few)}`,
      ratioMax: 1.2,
      one: () => reviews(bookIds[0], orderBy),
      other: () => reviews(bookIds[1], orderBy),
    })),
    {
      name: `10 books of a list of ${String(long)}, against those of one of ${String(short)}`,
      ratioMax: 1.2,
      one: () => list(listIds[0]),
      other: () => list(listIds[1]),
    },
    {
      name: `10 unlisted books of a reader who has ${String(many)}, against those of one who has ${String(few)}`,
      ratioMax: 1.2,
      one: () => unlisted,
      other: () => unlisted,
    },
  ];
};

/** Yields the ISBNs of the books that have one. */
function isbnsOf(bookIds: readonly string[]) {
  const isbns = bookIds.map((id) => likeableIdOf(id).replace('Book:', '')).filter((id) => /^\d+$/.test(id));
  return (turn: number) => isbns[(turn * 37) % isbns.length];
}

say(machine());
await withBench(1, async (bench) => {
  const [reader, another] = await makeReaders(bench.app, 2);
  if (!reader || !another) throw new Error('There are no readers for the requests');
  await makeHistory(bench, reader);
  for (const [index, count] of SAID.entries()) {
    const [of, bookId = ''] = [index === 0 ? reader : another, bench.bookIds[index]];
    await makeRatings(bench, of, bookId, count);
    await makeReviews(bench, await makeReaders(bench.app, 10), bookId, count);
    await makeUnlisted(bench, of, count);
  }
  const listIds = [await makeList(bench, reader, LISTED[0]), await makeList(bench, another, LISTED[1])];
  const { url, stop } = await bench.startServer();
  for (const pair of pairs(isbnsOf(bench.bookIds))) await compare(url, [reader, reader], pair);
  for (const pair of saidPairs(bench.bookIds, listIds)) await compare(url, [reader, another], pair);
  await stop();
});
process.exit(0);

/** Makes the actions of a reader in some years, most of them of a few kinds. */
async function makeHistory({ app, bookIds }: Bench, { userId }: Reader): Promise<void> {
  const now = app.clock().getTime();
  const activityLog = new ActionsInBulk();
  const history = Array.from({ length: HISTORY }, (_, index): Action => {
    const kind = RARE.find(([, one]) => index % one === 0)?.[0] ?? COMMON[index % COMMON.length];
    const subject = likeableIdOf(bookIds[index % bookIds.length] ?? '');
    return { kind: kind ?? 'READ', at: new Date(now - ((index + 1) / HISTORY) * YEARS * 365 * DAY_MS), subject };
  });
  activityLog.add(userId, history);

  say(`writing a history of ${String(HISTORY)} actions of ${String(YEARS)} years`);
  await activityLog.write(app);
}

/** Requests both lists in turns, in alternating order, and prints the medians of the rounds. */
async function compare(
  url: string,
  readers: readonly [one: Reader, other: Reader],
  { name, ratioMax, one, other }: Pair,
): Promise<void> {
  const tokens = { one: readers[0].token, other: readers[1].token };
  const timed = async (side: 'one' | 'other', query: Query) => {
    const begun = performance.now();
    await ask(url, tokens[side], ...query);
    return performance.now() - begun;
  };
  const round = async () => {
    const latencies: Record<'one' | 'other', number[]> = { one: [], other: [] };
    for (let turn = 0; turn < TURNS; turn++) {
      const sides = [['one', one(turn)] as const, ['other', other(turn)] as const];
      for (const [side, query] of turn % 2 === 0 ? sides : sides.toReversed())
        latencies[side].push(await timed(side, query));
    }
    return latencies;
  };

  say(`${name}:`);
  await round();
  const rounds: Record<'one' | 'other', number[]>[] = [];
  for (let each = 0; each < ROUNDS; each++) rounds.push(await round());
  const of = (side: 'one' | 'other', percent: number) =>
    median(rounds.map((latencies) => percentile(latencies[side], percent)));
  for (const side of ['one', 'other'] as const)
    say(`  ${side}: p50 ${of(side, 50).toFixed(2)} ms, p99 ${of(side, 99).toFixed(2)} ms`);
  const ratio = (percent: number) => (of('one', percent) / of('other', percent)).toFixed(2);
  say(`  ratio: p50 ${ratio(50)} ×, p99 ${ratio(99)} × (p99 ${String(ratioMax)} asked)`);
}
