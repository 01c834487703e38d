import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { follow } from '../src/follows/operations.ts';
import { encodeId } from '../src/graphql/ids.ts';
import { say } from '../src/terminal/progress.ts';
import { Chance } from '../tools/support/chance.ts';
import { shareCores } from './api/cores.ts';
import { makeData } from './api/data.ts';
import type { Data } from './api/shapes.ts';
import { startOurs, type System } from './api/systems.ts';
import { Load, type MeasuredTurn } from './api/turns.ts';
import type { Asked } from './api/workloads.ts';
import { machine, median, withBench, type Bench } from './bench.ts';

/**
 * `npm run bench -- known-likers`: measures what `knownLikers` adds to the cost of a page of 20
 * books, for viewers who follow 150 readers. The pages with and without the field take turns. The
 * cost of a page is the processor time of server and database together.
 */

const USAGE = `Usage: npm run bench -- known-likers [--quick] [--followed N] [--viewers N] [--rounds N] [--seconds N]
  --quick              a quick look, with 2000 books, 1000 readers and 60000 likes
  --followed           readers whom a viewer follows, by default 150
  --viewers            viewers who take turns, by default 200
  --rounds, --seconds  number of turns of each page, by default 5, and their length, by default 5`;

const CONNECTIONS = 16;
const SEED = 1;
const WARM_UP_SECONDS = 15;
const FOLLOWS_AT_ONCE = 32;
const REQUESTS = 4_000;
const REAL = { books: 10_000, readers: 5_000, likes: 394_091 };
const QUICK = { books: 2_000, readers: 1_000, likes: 60_000 };

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, followed: text, viewers: text, rounds: text, seconds: text },
});
const settings = {
  followed: Number(values.followed ?? 150),
  viewers: Number(values.viewers ?? 200),
  rounds: Number(values.rounds ?? 5),
  seconds: Number(values.seconds ?? 5),
};
if (!Object.values(settings).every((value) => Number.isInteger(value) && value > 0)) {
  say(USAGE);
  process.exit(2);
}
const sizes = values.quick === true ? QUICK : REAL;

/** The fields that a page asks of each book in addition, by their name in the results. */
const ADDED = {
  'without known likers': '',
  'with their number': 'knownLikers { count }',
  'with three of them': 'knownLikers { count isExact nodes { fullName } }',
};
type Added = keyof typeof ADDED;
const NAMES = Object.keys(ADDED) as Added[];

const LINE = 'isbn title authors likeCount viewerHasLiked';
/** The pages of 20 books, by their title. */
const PAGES = {
  '20 likes of a reader': (fields: string) =>
    `query Likes($id: ID!) { node(id: $id) { ... on User { fullName
       likes(first: 20) { edges { likedAt node { ... on Book { ${fields} } } } pageInfo { hasNextPage } } } } }`,
  'the 20 most liked books': (fields: string) =>
    `query Liked($ids: [ID!]!) { nodes(ids: $ids) { ... on Book { ${fields} } } }`,
};

say(machine());
await withBench(1, run, sizes.books);
process.exit(0);

async function run(bench: Bench): Promise<void> {
  const data = await makeData(bench, sizes, SEED, false);
  await makeFollows(bench, data);
  const system = await startOurs(bench, data);
  // The events of the made likes would be counted during the first turns.
  await system.refresh?.();
  const load = new Load(CONNECTIONS);
  bench.atEnd(() => load.stop());
  say(shareCores([system.pid]));

  for (const [title, page] of Object.entries(PAGES)) {
    const turn = (added: Added, round: number, seconds: number) => {
      const query = page(`${LINE} ${ADDED[added]}`);
      const asking: System = { ...system, request: ({ variables }) => ({ query, variables }) };
      return load.turn(asking, data, requests(data, new Chance(round)), seconds);
    };
    for (const added of NAMES) await turn(added, 0, WARM_UP_SECONDS);
    const turns = new Map<Added, MeasuredTurn[]>(NAMES.map((added) => [added, []]));
    for (let round = 1; round <= settings.rounds; round++)
      for (const added of NAMES) turns.get(added)?.push(await turn(added, round, settings.seconds));
    process.stdout.write(`${title}:\n\n${tableOf(turns)}\n\n`);
  }
}

/** Lets the first readers follow others. */
async function makeFollows({ app }: Bench, { readers }: Data): Promise<void> {
  const chance = new Chance(SEED);
  const follows = readers.slice(0, settings.viewers).flatMap((viewer) => {
    const others = new Set<string>();
    while (others.size < settings.followed) {
      const { userId = viewer.userId } = readers[chance.below(readers.length)] ?? {};
      if (userId !== viewer.userId) others.add(userId);
    }
    return [...others].map((other) => ({ viewerId: viewer.userId, id: encodeId({ type: 'User', key: other }) }));
  });
  await pLimit(FOLLOWS_AT_ONCE).map(follows, ({ viewerId, id }) =>
    follow(requestContext(app, { ...ANONYMOUS, viewerId }), { id }),
  );
  say(`${follows.length} follows`);
}

/** Makes requests of viewers for a page of a random reader, or of the most liked books. */
function requests({ readers, books, likes }: Data, chance: Chance): Asked[][] {
  const counts = new Map<number, number>();
  for (const { book } of likes) counts.set(book, (counts.get(book) ?? 0) + 1);
  const mostLiked = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 20);
  const ids = mostLiked.map(([book]) => encodeId({ type: 'Book', key: books[book]?.isbn ?? '' }));
  return Array.from({ length: REQUESTS }, () => {
    const id = encodeId({ type: 'User', key: readers[chance.below(readers.length)]?.userId ?? '' });
    return [{ operation: 'likes', reader: chance.below(settings.viewers), variables: { id, ids } }];
  });
}

/** Makes a table in Markdown of the medians of the turns. */
function tableOf(turns: ReadonlyMap<Added, readonly MeasuredTurn[]>): string {
  const costOf = ({ processorMs, databaseMs }: MeasuredTurn) => processorMs + databaseMs;
  const without = turns.get('without known likers') ?? [];
  const lines = [...turns].map(([name, ofPage]) => {
    const of = (what: 'rate' | 'p99' | 'processorMs' | 'databaseMs') => median(ofPage.map((turn) => turn[what]));
    const ratio = median(ofPage.map((turn, round) => costOf(turn) / costOf(without[round] ?? turn)));
    const figures = [of('rate').toFixed(0), of('p99').toFixed(1), of('processorMs').toFixed(2)];
    return `| ${[name, ...figures, of('databaseMs').toFixed(2), ratio.toFixed(2)].join(' | ')} |`;
  });
  const head = '| page | requests/s | p99 ms | CPU ms | database CPU ms | × without |';
  return [head, '| --- | --: | --: | --: | --: | --: |', ...lines].join('\n');
}
