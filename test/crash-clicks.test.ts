import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { registerAdministrator } from './support/accounts.ts';
import { startServer } from './support/app.ts';
import { bookIds } from './support/books.ts';
import { Client, PASSWORD } from './support/client.ts';
import { isUndecided, points, startSurvivor, type Survivor } from './support/crash.ts';
import { keyOf } from './support/ids.ts';

/**
 * Clicks are recorded everywhere or nowhere, whichever server dies and whichever reader deletes
 * their account.
 */

let survivor: Survivor;
let administrator: Client;
let book: string;

beforeAll(async () => {
  survivor = await startSurvivor();
  administrator = await registerAdministrator(survivor);
  [book] = (await bookIds(survivor)) as [string];
});

const ALL = points('clicks', ['compare-and-set', 'figures', 'byTime', 'actions']);

/** Makes a reader in a session, and clicks of theirs. */
async function clicking(target: string) {
  const reader = await survivor.client().registerSomebody(target);
  const { viewer } = await reader.data('{ viewer { sessions { edges { node { id startedAt } } } } }');
  const { id, startedAt } = viewer.sessions.edges[0].node as { id: string; startedAt: string };
  // The clicks are in two hours, unless it is the first minute of one.
  const clicks = [0, 1, 2].map((ms) => ({
    id: randomUUID(),
    at: new Date(Date.parse(startedAt) + ms).toISOString(),
    target,
    subjectId: book,
    properties: [{ name: 'variant', value: 'A' }],
  }));
  return { reader, session: id, clicks };
}
type Clicking = Awaited<ReturnType<typeof clicking>>;

const record = (client: Client, { session, clicks }: Clicking) =>
  client.mutate('recordClicks', { sessionId: session, clicks }, 'recorded');

/** Reads the clicks from every table that has them. */
async function places({ reader, session, clicks }: Clicking) {
  const { node, viewer } = await reader.data(
    `{ node(id: "${session}") { ... on Session { clickCount lastClickAt clicks { edges { node { id } } } } }
       viewer { actions(kinds: [CLICKED], orderBy: OLDEST) { edges { at node { element } } } } }`,
  );
  const [from, to] = [clicks[0]!.at, new Date(Date.parse(clicks[2]!.at) + 1).toISOString()];
  const data = await administrator.data(
    `query ($target: String!) { clicks(from: "${from}", to: "${to}", target: $target) { edges { node { id } } } }`,
    { target: clicks[0]!.target },
  );
  return {
    figures: [node.clickCount, node.lastClickAt],
    session: idsOf(node.clicks),
    byTime: idsOf(data.clicks),
    actions: viewer.actions.edges.map((edge: { at: string }) => edge.at),
  };
}
const idsOf = ({ edges }: { edges: { node: { id: string } }[] }) => edges.map(({ node }) => node.id);

const everywhere = ({ clicks }: Clicking) => ({
  figures: [3, clicks[2]!.at],
  session: clicks.map(({ id }) => id),
  byTime: clicks.map(({ id }) => id),
  actions: clicks.map(({ at }) => at),
});
const NOWHERE = { figures: [0, null], session: [], byTime: [], actions: [] };

describe('recordClicks, killed at every point', () => {
  const made = new Map<string, Clicking>();
  beforeAll(async () => {
    for (const point of ALL) made.set(point, await clicking(point));
    await survivor.crashAtEach(ALL, (client, point) => {
      client.token = made.get(point)!.reader.token;
      return record(client, made.get(point)!);
    });
  });

  test.each(ALL)('%s: they are everywhere or nowhere, and can be sent again', async (point) => {
    const one = made.get(point)!;
    const isAbsent = isUndecided(point);
    expect(await places(one)).toEqual(isAbsent ? NOWHERE : everywhere(one));
    expect(await record(one.reader, one)).toEqual({ recorded: isAbsent ? 3 : 0, userErrors: [] });
    expect(await places(one)).toEqual(everywhere(one));
  });
});

describe.each([undefined, 'clicks: after compare-and-set'])(
  'recordClicks, paused before it decides, then continued (to die at %s)',
  (crashAt) => {
    test('they are everywhere', async () => {
      const one = await clicking(`paused, then ${String(crashAt)}`);
      const paused = await survivor.startCrashing();
      const client = new Client(paused.url);
      client.token = one.reader.token;
      client.headers = { 'stop-at': 'clicks: before compare-and-set', ...(crashAt && { 'crash-at': crashAt }) };
      await survivor.untilLog((entries) => entries === 0);
      const answer = record(client, one).catch(() => undefined);
      // Recovery drops the clicks, because they were not decided.
      await survivor.untilLog((entries) => entries === 1);
      await survivor.untilLog((entries) => entries === 0);
      expect(await places(one)).toEqual(NOWHERE);
      paused.process.kill('SIGCONT');
      if (crashAt) {
        await paused.killAt([crashAt]);
        await survivor.finishAll();
      } else {
        expect(await answer).toMatchObject({ recorded: 3, userErrors: [] });
        await paused.stop();
      }
      expect(await places(one)).toEqual(everywhere(one));
    });
  },
);

describe('an account that is deleted', () => {
  const leave = async ({ reader }: Clicking) => {
    const { userErrors } = await reader.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(userErrors).toEqual([]);
    const { client } = survivor.app.cassandra;
    while ((await client.execute('SELECT kind FROM jobs')).rowLength > 0) await sleep(20);
  };
  const traces = ({ session, clicks }: Clicking) => [keyOf(session), ...clicks.map(({ id }) => id), clicks[0]!.target];

  test('is deleted with its clicks in every table', async () => {
    const one = await clicking('of one who leaves');
    await record(one.reader, one);
    expect(await survivor.rowsAbout(traces(one))).toEqual(
      expect.arrayContaining([
        'actions_by_user_by_kind',
        'click_hours_by_session',
        'clicks_by_session',
        'clicks_by_time',
      ]),
    );
    await leave(one);
    await survivor.untilLog((entries) => entries === 0);
    // One row is left: the session's own tombstone.
    expect(await survivor.rowsAbout(traces(one))).toEqual(['sessions_by_id']);
  });

  test.each(['log', 'compare-and-set', 'figures', 'byTime', 'actions'])(
    'while clicks are under way, held up before %s: nothing of them stays',
    async (step) => {
      const [reached, released] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const slow = await startServer(survivor.app.config, {
        atCrashPoint: async (name) => {
          if (name !== `clicks: before ${step}`) return;
          reached.resolve(undefined);
          await released.promise;
        },
      });
      const one = await clicking(`beside ${step}`);
      const client = slow.client();
      client.token = one.reader.token;
      const answer = record(client, one);
      await reached.promise;
      await leave(one);
      released.resolve(undefined);
      await answer;
      await survivor.finishAll();
      expect(await survivor.rowsAbout(traces(one))).toEqual(['sessions_by_id']);
    },
  );
});
