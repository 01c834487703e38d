import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { everyAudit } from '../src/app/workers.ts';
import { impossibleHistories, statesAtRest, unfinishedIn, wronglyShown } from '../tools/cluster/at-rest.ts';
import { Load, makeCast } from '../tools/cluster/load.ts';
import { Chance } from '../tools/support/chance.ts';
import { ownKeyspace, startServer, startServerProcess, testEnvironment } from './support/app.ts';
import { audited } from './support/audit.ts';
import { ownBooks } from './support/books.ts';
import { IS_FULL } from './support/full.ts';

/**
 * `npm run chaos -- cluster` does the same with three nodes, which it breaks as well.
 */

const BOOKS = 6;
const CALLERS = 6;
/** The number of answers before each kill of a server, and before the end. */
const ANSWERS = IS_FULL ? 1_500 : 150;
const KILLS = 3;

test('two servers, one of them killed again and again, show what a plain model has', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`seed ${seed}`);
  const chance = new Chance(seed);
  // The limits are so low that shards fill, and that servers make each other's commits fail.
  const limits = { LIKE_SHARD_ROWS_MAX: '20', LIKE_SHARD_ALONE_COMMITS: '1' };
  // Servers show former states for a second, as they do outside of tests.
  const environment = testEnvironment({ ...limits, SHOWN_AGE_MAX_MS: undefined });
  const here = await startServer(await ownKeyspace(environment));
  const books = await ownBooks(here.app, BOOKS);
  const servers = await Promise.all([startServerProcess(environment), startServerProcess(environment)]);
  const urls = () => servers.map(({ url }) => url);

  const cast = await makeCast(urls()[0]!, books);
  const load = new Load(chance, urls, cast);
  const underLoad = load.run(CALLERS);
  const answers = () => load.outcomes.get('answered') ?? 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    const wanted = answers() + ANSWERS;
    while (answers() < wanted) await sleep(20);
    if (kill === KILLS) break;
    const victim = kill % servers.length;
    servers[victim]!.process.kill('SIGKILL');
    await servers[victim]!.ended;
    servers[victim] = await startServerProcess(environment);
  }
  load.end();
  await underLoad;
  while ((await unfinishedIn(here.app)) > 0) await sleep(20);

  expect(load.problems).toEqual([]);
  const atRest = await statesAtRest(urls()[0]!, cast);
  expect([...impossibleHistories(load, atRest)]).toEqual([]);
  await expect.poll(() => Array.fromAsync(wronglyShown(urls(), cast, atRest))).toEqual([]);
  expect((await audited(here.app, everyAudit)).drift).toEqual([]);
});
