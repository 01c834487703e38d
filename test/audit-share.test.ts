import { beforeAll, describe, expect, test } from 'vitest';
import { everyAudit as all } from '../src/app/workers.ts';
import { makeLogger } from '../src/app/logger.ts';
import { AUDIT_PARTS, auditPartsOf, AuditShare, ROUND_PAUSE_MS } from '../src/audit/audit.worker.ts';
import type { Audit } from '../src/audit/audit.ts';
import { auditStates } from '../src/audit/tables.ts';
import type { AppContext } from '../src/context/context.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { audited, impatient, isRoundDone } from './support/audit.ts';
import { bookIds, importSample } from './support/books.ts';
import { countEverything } from './support/counting.ts';
import { IS_FULL } from './support/full.ts';
import type { Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

/** The audit that all servers share. Any free server audits the next part of the ring. */

const SECOND = 1_000;
/** The kinds of data that a short test audits. A round has a statement for each table and part. */
const KINDS = ['accounts', 'items', 'readings', 'sessions'];
const everyAudit = IS_FULL ? all : all.filter(({ kind }) => KINDS.includes(kind));
let server: TestServer;
let books: string[];
let readers: Client[];
let now = Date.now();

beforeAll(async () => {
  const environment = testEnvironment({ AUDIT_ROWS_PER_SECOND: '3000' });
  server = await startServer(await ownKeyspace(environment), { clock: () => new Date(now) });
  await importSample(server.app, 10);
  books = await bookIds(server);
  readers = await Promise.all(Array.from({ length: 4 }, () => server.client().registerSomebody()));
  for (const reader of readers) await busy(reader, 2);
  await countEverything(server.app, () => (now += 2 * SECOND));
});

async function busy(reader: Client, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    const book = books[turn % books.length]!;
    await reader.like(book);
    await reader.mutate('markAsRead', { bookId: book }, 'book { id }');
    const price = { amount: String(turn + 1), currency: 'EUR' };
    const { item } = await reader.mutate('listItem', { bookId: book, price, condition: 'GOOD' }, 'item { id }');
    await reader.mutate('changePrice', { itemId: item.id, price: { amount: '9', currency: 'EUR' } }, 'item { id }');
    await reader.unlike(book);
    await reader.mutate('setReadingStatus', { bookId: book, status: 'GIVEN_UP' }, 'book { id }');
    if (turn % 2 === 0) await reader.mutate('unmarkAsRead', { bookId: book }, 'book { id }');
    if (turn % 3 === 0) await reader.mutate('updateProfile', { fullName: `Name ${turn}` }, 'viewer { id }');
    await server.client().login(reader.email);
  }
}

const execute = (cql: string, params: unknown[] = []) =>
  server.app.cassandra.client.execute(cql, params, { prepare: true });

/**
 * Runs a share until the round is done.
 * @returns the number of runs
 */
async function untilDone(app: AppContext, shares: readonly AuditShare[]): Promise<number> {
  for (let runs = 0; ; runs++) {
    if (await isRoundDone(app, everyAudit)) return runs;
    expect(runs).toBeLessThan(5_000);
    for (const share of shares) await share.run(app, everyAudit);
    now += SECOND;
  }
}

/** Makes an app that records its reports to operators. */
function observed() {
  const said: object[] = [];
  const tell = (what: object) => said.push(what);
  const logger = Object.assign(makeLogger('silent'), { error: tell, fatal: tell });
  return { said, app: { ...server.app, logger, cassandra: impatient(server.app.cassandra) } };
}
const rowsDone = async () =>
  [...(await auditPartsOf(server.app)).values()].reduce((sum, { rows_done }) => sum + Number(rows_done), 0);

describe('a round that servers share', () => {
  test('reads every row once, by two servers in half the time', async () => {
    const { rows } = await audited(server.app, everyAudit);
    const { app, said } = observed();
    const alone = await untilDone(app, [new AuditShare(app.randomId())]);
    expect(await rowsDone()).toBe(rows);

    now += ROUND_PAUSE_MS + 60 * SECOND;
    const [one, other] = [new AuditShare(app.randomId()), new AuditShare(app.randomId())];
    await one.run(app, everyAudit);
    const together = await untilDone(app, [one, other]);
    expect(await rowsDone()).toBe(rows);
    const states = [...(await auditPartsOf(app)).values()];
    expect(new Set(states.map(({ holder }) => holder)).size).toBe(2);
    expect(new Set(states.map(({ round }) => round))).toEqual(new Set([2]));
    expect(together).toBeLessThan(0.7 * alone);
    expect(said).toEqual([]);
  });

  test('is continued by the others when one of them dies', async () => {
    now += ROUND_PAUSE_MS + 60 * SECOND;
    const { app } = observed();
    const [dead, living] = [new AuditShare(app.randomId()), new AuditShare(app.randomId())];
    for (let runs = 0; runs < 5; runs++) {
      await dead.run(app, everyAudit);
      now += 5 * SECOND;
    }
    const isInHand = ({ held_until }: { held_until: Date }) => held_until.getTime() > now;
    const before = [...(await auditPartsOf(app))].filter(([, state]) => state.round === 3 && isInHand(state));
    expect(before).not.toEqual([]);
    await untilDone(app, [living]);
    const after = await auditPartsOf(app);
    expect(after.size).toBe(AUDIT_PARTS);
    expect(new Set([...after.values()].map(({ round }) => round))).toEqual(new Set([3]));
    expect(await rowsDone()).toBeGreaterThanOrEqual((await audited(server.app, everyAudit)).rows);
  });

  test('is followed by a pause, in which a server checks once a minute', async () => {
    let statements = 0;
    const cassandra = intercepted(server.app.cassandra, ({ send }) => {
      statements++;
      return send();
    });
    const share = new AuditShare(server.app.randomId());
    for (let second = 0; second < 240; second++) {
      await share.run({ ...server.app, cassandra }, everyAudit);
      now += SECOND;
    }
    expect(statements).toBeLessThanOrEqual(4);
    expect(await isRoundDone(server.app, everyAudit)).toBe(true);
    now += ROUND_PAUSE_MS;
    await share.run({ ...server.app, cassandra }, everyAudit);
    expect(Math.max(...[...(await auditPartsOf(server.app)).values()].map(({ round }) => round))).toBe(4);
  });

  test('repairs drift, and reports it in the log and the metrics', async () => {
    const { app, said } = observed();
    await untilRound(app, 4);
    await execute("UPDATE books_read_by_user USING TIMESTAMP 50 SET full_name = 'Nobody' WHERE user_id = ?", [
      keyOf(readers[0]!.viewerId),
    ]);
    now += ROUND_PAUSE_MS + 60 * SECOND;
    await untilRound(app, 5);
    expect(said).toMatchObject([{ kind: 'accounts', table: 'books_read_by_user', repaired: true }]);
    expect((await audited(server.app, everyAudit)).drift).toEqual([]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    for (const counted of ['audit_drift_total', 'audit_repaired_total'])
      expect(metrics).toMatch(new RegExp(`^${counted}\\{kind="accounts",table="books_read_by_user"\\} 1$`, 'm'));
    const kinds: string[] = [];
    for (const each of everyAudit) if ((await audited(server.app, [each])).rows > 0) kinds.push(each.kind);
    expect(kinds).toEqual(expect.arrayContaining(KINDS));
    for (const kind of kinds) expect(metrics).toMatch(new RegExp(`^audit_rows_total\\{kind="${kind}"\\} [1-9]`, 'm'));
    expect(metrics).toMatch(/^audit_age_seconds \d/m);
    expect(metrics).toMatch(/^audit_round_expected_seconds [1-9]/m);
  });
});

describe('servers of two versions', () => {
  test('the newer one audits the tables that the older one does not know, although the older one ended the round', async () => {
    now += ROUND_PAUSE_MS + 60 * SECOND;
    const { app, said } = observed();
    const older = everyAudit.filter(({ kind }) => kind !== 'readings');
    const share = new AuditShare(app.randomId());
    for (let runs = 0; runs === 0 || !(await isRoundDone(app, older)); runs++) {
      expect(runs).toBeLessThan(5_000);
      await share.run(app, older);
      now += SECOND;
    }
    const round = await roundOf(app);
    await execute('INSERT INTO readers_by_book (book_id, shard, user_id) VALUES (?, 3, ?) USING TIMESTAMP 1', [
      keyOf(books[0]!),
      app.randomId(),
    ]);
    await untilDone(app, [new AuditShare(app.randomId())]);
    expect(said).toMatchObject([{ kind: 'readings', table: 'readers_by_book', repaired: true }]);
    expect(await roundOf(app)).toBe(round);
  });

  test('a part is audited again in full if its record does not list the tables', async () => {
    const { app } = observed();
    const before = await rowsDone();
    for (const [name, state] of await auditPartsOf(app))
      await auditStates.compareAndSet(app.cassandra, { name }, state, { ...state, position: null });
    const round = await roundOf(app);
    await untilDone(app, [new AuditShare(app.randomId())]);
    expect(await rowsDone()).toBe(before + (await audited(server.app, everyAudit)).rows);
    expect(await roundOf(app)).toBe(round);
  });
});

const roundOf = async (app: AppContext) =>
  Math.max(...[...(await auditPartsOf(app)).values()].map(({ round }) => round));

test('rows read for a page are charged to the rate, and no other server continues the part meanwhile', async () => {
  const position = { above: 0n, upTo: 2n, tries: 0, token: 1n, pageState: '' };
  let pages = 0;
  const costly: Audit = {
    kind: 'costly',
    tables: [
      {
        table: 'counts',
        isIn: () => true,
        pages: async function* () {
          for (;;) {
            pages++;
            const rowsRead = () => 200_000;
            yield await Promise.resolve({
              rows: 1,
              rowsRead,
              suspects: [],
              partitions: [],
              isFailed: false,
              position,
              progress: 0,
            });
          }
        },
      },
    ],
  };
  const { app } = observed();
  // No part is held any more.
  now += 300 * SECOND;
  const holder = app.randomId();
  const share = new AuditShare(holder);
  const config = { ...app.config, auditRowsPerSecond: 5_000 };
  for (let run = 0; run < 39; run++) {
    await share.run({ ...app, config }, [costly]);
    const own = [...(await auditPartsOf(app)).values()].filter((state) => state.holder === holder);
    expect(own.map(({ held_until }) => held_until.getTime() > now)).toEqual([true]);
    now += 10 * SECOND;
  }
  expect(pages).toBe(1);
});

async function untilRound(app: AppContext, wanted: number): Promise<void> {
  const share = new AuditShare(app.randomId());
  const isDone = async () =>
    (await isRoundDone(app, everyAudit)) &&
    [...(await auditPartsOf(app)).values()].every(({ round }) => round === wanted);
  for (let runs = 0; !(await isDone()); runs++) {
    expect(runs).toBeLessThan(5_000);
    await share.run(app, everyAudit);
    now += 10 * SECOND;
  }
}

test('nothing drifts while readers like, read, sell, rename themselves and log in', async () => {
  // The clock has advanced by hours.
  const some = await Promise.all(readers.slice(0, 2).map(({ email }) => server.client().login(email)));
  const traffic = Promise.all(some.map((reader) => busy(reader, 3)));
  const state = { isBusy: true };
  void traffic.then(() => (state.isBusy = false));
  let rounds = 0;
  while (state.isBusy) {
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 400));
    const { drift } = await audited(server.app, all, { pause });
    expect(drift).toEqual([]);
    rounds++;
  }
  await traffic;
  expect(rounds).toBeGreaterThan(0);
  expect((await audited(server.app, all)).drift).toEqual([]);
});
