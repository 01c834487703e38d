import { execFile } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeRole } from '../tools/doctor/rights.ts';
import { judgeNodes, type NodeFacts } from '../tools/doctor/judgements.ts';
import { alterableKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';

const SETTINGS = {
  paxos_variant: 'v2',
  paxos_state_purging: 'repaired',
  commitlog_sync: 'group',
  data_disk_usage_percentage_fail_threshold: '85',
};

const node = (address: string, settings: Record<string, string>, more: Partial<NodeFacts> = {}): NodeFacts => ({
  address,
  version: '5.0.9',
  settings: new Map(Object.entries({ ...SETTINGS, ...settings })),
  clockAheadMs: 0,
  ...more,
});

/** Returns the judgements that are not `ok`, in short. */
const complaints = (...nodes: NodeFacts[]) =>
  judgeNodes(nodes).flatMap(({ verdict, what, found }) => (verdict === 'ok' ? [] : `${verdict} ${what}: ${found}`));

describe('the judgement of nodes', () => {
  test('reports nothing for good ones', () => {
    expect(complaints(node('one', {}), node('two', {}))).toEqual([]);
  });

  test.each<[string, Record<string, string>, Partial<NodeFacts>, string]>([
    ['an old version', {}, { version: '4.0.11' }, 'FAIL version of one: 4.0.11'],
    ['an untested version', {}, { version: '4.1.5' }, 'warn version of one: 4.1.5'],
    ['Paxos v1', { paxos_variant: 'v1' }, {}, 'warn paxos_variant: v1'],
    ['forgotten promises', { commitlog_sync: 'periodic' }, {}, 'warn commitlog_sync: periodic'],
    ['a clock that is behind', {}, { clockAheadMs: -9_000 }, "FAIL clock of one: -9.0 s ahead of this machine's"],
    [
      'a disk that fills up',
      { data_disk_usage_percentage_fail_threshold: '-1' },
      {},
      'warn limit of the disk of one: -1',
    ],
    ['a limit', { user_timestamps_enabled: 'false' }, {}, 'FAIL user_timestamps_enabled: false'],
  ])('names %s', (_what, settings, more, told) => {
    expect(complaints(node('one', settings, more))).toEqual([told]);
  });

  test('names what differs between nodes', () => {
    expect(complaints(node('one', {}), node('two', { paxos_variant: 'v1' }))).toEqual([
      'FAIL paxos_variant: v2 and v1',
    ]);
    expect(complaints(node('one', {}), node('two', { page_size_fail_threshold: '-1' }))).toEqual([
      'warn page_size_fail_threshold: unset and -1',
    ]);
  });
});

describe('the judgement of a role', () => {
  const on = (resource: string, ...permissions: string[]) =>
    permissions.map((permission) => ({ resource, permission }));

  test.each<[string, boolean, ReturnType<typeof on>, string]>([
    ['a server', false, on('<keyspace library>', 'SELECT', 'MODIFY'), 'ok MODIFY, SELECT'],
    ['all keyspaces', false, on('<all keyspaces>', 'SELECT', 'MODIFY'), 'ok MODIFY, SELECT'],
    ['a superuser', true, [], 'warn all, as a superuser'],
    ['a migration', false, on('<keyspace library>', 'SELECT', 'MODIFY', 'ALTER'), 'warn ALTER, MODIFY, SELECT'],
    ['a reader', false, on('<keyspace library>', 'SELECT'), 'FAIL SELECT'],
    ['another keyspace', false, on('<keyspace library2>', 'SELECT', 'MODIFY'), 'FAIL none'],
    ['one table', false, on('<table library.books>', 'SELECT', 'MODIFY'), 'FAIL none'],
  ])('of %s', (_what, isSuperuser, rights, told) => {
    const judged = judgeRole('somebody', 'library', isSuperuser, rights);
    expect(judged.map(({ verdict, found }) => `${verdict} ${found}`)).toEqual([told]);
  });
});

describe('npm run admin -- doctor', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(await alterableKeyspace());
  });

  /** Runs the doctor, and returns its exit code and output. */
  const doctor = () =>
    new Promise<{ code: number; printed: string }>((resolve) => {
      const env = testEnvironment({ CASSANDRA_KEYSPACE: server.app.config.cassandra.keyspace });
      execFile(process.execPath, ['tools/admin/doctor.ts'], { env }, (error, printed) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, printed });
      });
    });

  test('finds no fault of the test node, but warns about settings that may break promises', async () => {
    const { code, printed } = await doctor();
    expect(printed).toContain('warn  commitlog_sync: periodic\n');
    expect(printed).toContain('warn  rights: none are checked by 127.');
    expect(printed).toMatch(/ok {4}schema of \w+: as required\n/);
    expect(printed).toMatch(/ok {4}options of the tables of \w+: as declared\n/);
    expect(printed).not.toContain('FAIL');
    expect(code).toBe(0);
  });

  test('names a changed option and a missing table', async () => {
    const { client } = server.app.cassandra;
    await client.execute("ALTER TABLE user_by_item WITH read_repair = 'BLOCKING'");
    await client.execute('DROP TABLE trending');
    const { code, printed } = await doctor();
    expect(printed).toContain('warn  read_repair of user_by_item: BLOCKING\n      It should be NONE');
    expect(printed).toMatch(/FAIL {2}schema of \w+: wrong\n.*the table trending is missing/);
    expect(code).toBe(1);
  });
});
