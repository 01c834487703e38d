import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { compareReleases, RELEASE } from '../src/config/release.ts';
import { checkSchema, differencesOf, storedSchema } from '../src/schema/check.ts';
import { withSchemaClient } from '../src/schema/client.ts';
import { declaredSchema } from '../src/schema/declared.ts';
import { SchemaError } from '../src/schema/errors.ts';
import { contract, migrate, recordMove, schemaStatus } from '../src/schema/migrate.ts';
import { readMigrations } from '../src/schema/migrations.ts';
import { newName, startServerProcess, testEnvironment } from './support/app.ts';

/** The schema of a keyspace: how it is created, migrated and checked. */

const noLog = () => undefined;

interface Files {
  readonly settings?: Record<string, string>;
  readonly expand?: string;
  readonly contract?: string;
}

/** Writes a folder of migrations, all of the release after this one, and reads it. */
async function migrationsOf(given: Readonly<Record<string, Files>>) {
  const folder = await mkdtemp(join(inject('folder'), 'migrations-'));
  for (const [name, { settings, expand = '', contract: contraction }] of Object.entries(given)) {
    await mkdir(join(folder, name));
    const json = JSON.stringify({ release: RELEASE, oldestBeside: RELEASE, ...settings });
    await writeFile(join(folder, name, 'migration.json'), json);
    await writeFile(join(folder, name, 'expand.cql'), expand);
    if (contraction !== undefined) await writeFile(join(folder, name, 'contract.cql'), contraction);
  }
  return readMigrations(folder);
}

const LOANS = {
  '0001-loans': {
    expand: `
      -- Who has borrowed what.
      CREATE TABLE IF NOT EXISTS loans (user_id uuid, item_id uuid, PRIMARY KEY (user_id, item_id));
      ALTER TABLE loans ADD IF NOT EXISTS lent_at timestamp;
      ALTER TABLE loans ADD IF NOT EXISTS note text;`,
    contract: `
      ALTER TABLE loans DROP IF EXISTS note;`,
  },
};

/** A contraction can begin: no server runs, and every move is finished. */
const ready = { oldestServer: () => Promise.resolve(undefined), isMoved: () => Promise.resolve(true) };

/** A keyspace with a schema, in which the schema can be changed with CQL. */
async function makeCreated() {
  const { cassandra: config } = readConfig(testEnvironment({ CASSANDRA_KEYSPACE: newName() }));
  const later = await migrationsOf({ '0099-loans': LOANS['0001-loans'] });
  const migrations = [...(await readMigrations()), ...later];
  const lines: string[] = [];
  const four = (log: (line: string) => unknown) =>
    Promise.allSettled(Array.from({ length: 4 }, () => migrate(config, log, migrations)));
  const killed = await four((line) => {
    if (line.includes('cql/market.cql')) throw new Error('killed');
  });
  const refusal = await checkSchema(config).catch((error: unknown) => String(error));
  const finished = await four((line) => lines.push(line));
  const execute = (cql: string) => withSchemaClient(config, config.keyspace, (client) => client.execute(cql));
  const steps = async () => (await execute('SELECT name FROM schema_steps')).rows.map((row) => String(row['name']));
  const before = new Set((await steps()).filter((name) => !name.startsWith('0099-loans')));
  return {
    config,
    /** The ends of four processes that were killed while they made it, and of four others. */
    killed,
    finished,
    /** The lines of those that finished it. */
    lines,
    /** The reason for which it was refused in between. */
    refusal,
    migrations,
    execute,
    columnsOf: (table: string) =>
      withSchemaClient(config, undefined, async (client) =>
        (await storedSchema(client, config.keyspace)).tables
          .find(({ name }) => name === table)
          ?.columns.map(({ name }) => name)
          .toSorted(),
      ),
    /** Reverts the migrations of a test. */
    takeBack: async () => {
      await execute('DROP TABLE IF EXISTS loans');
      for (const name of (await steps()).filter((each) => !before.has(each)))
        await execute(`DELETE FROM schema_steps WHERE name = '${name}' IF EXISTS`);
    },
  };
}

let created: ReturnType<typeof makeCreated> | undefined;

/** Returns the one keyspace of these tests, because making another one takes seconds for each. */
const createdKeyspace = () => (created ??= makeCreated());

afterEach(async () => {
  await (await created)?.takeBack();
});

describe('a new keyspace', () => {
  test('gets one schema of four processes at once, even if all of them are killed and others go on', async () => {
    const { config: cassandra, killed, refusal, finished, lines, migrations } = await createdKeyspace();
    for (const each of killed) expect(each).toMatchObject({ status: 'rejected', reason: { message: 'killed' } });
    expect(refusal).toMatch(/has no schema yet.*npm run admin -- migrate apply/);
    for (const each of finished) expect(each).toMatchObject({ status: 'fulfilled' });
    const created = lines.filter((line) => line.startsWith('creating'));
    expect(created.length).toBe(new Set(created).size);
    expect(created).toContain('creating the tables of cql/likes.cql');
    expect(created).toContain('creating the tables of cql/market.cql');
    await migrate(cassandra, () => {
      throw new Error('nothing is left to be done');
    });
    await checkSchema(cassandra);
    const stored = await withSchemaClient(cassandra, undefined, (client) => storedSchema(client, cassandra.keyspace));
    expect(differencesOf(await declaredSchema(), stored)).toEqual([]);
    // The release that creates a keyspace contracts it immediately.
    expect((await schemaStatus(cassandra, migrations)).progress.at(-1)).toMatchObject({ state: 'contracted' });
  });

  test('is not made by a server in production, whose error names the command that makes it', async () => {
    const environment = testEnvironment({
      CASSANDRA_KEYSPACE: newName(),
      NODE_ENV: 'production',
      EMAIL_VERIFICATION: 'off',
      ACCESS_TOKEN_SECRET: 'kD93nfpq0Xmw84jJQpAl2ovtWmZ1sEbU',
    });
    const told = new RegExp(
      `keyspace ${environment['CASSANDRA_KEYSPACE']} has no schema yet.*npm run admin -- migrate apply`,
    );
    await expect(startServerProcess(environment)).rejects.toThrow(told);
    expect(await schemaStatus(readConfig(environment).cassandra)).toMatchObject({ createdBy: undefined });
  });

  test('reports a data centre that the cluster does not have, with the existing ones', async () => {
    const { cassandra } = readConfig(testEnvironment({ CASSANDRA_LOCAL_DC: 'elsewhere' }));
    await expect(migrate(cassandra, noLog)).rejects.toThrow(/elsewhere.*datacenter1/);
  });
});

describe('a migration', () => {
  test('continues after a kill at any statement, and is applied once', async () => {
    const { config, columnsOf } = await createdKeyspace();
    const migrations = await migrationsOf(LOANS);
    const applied: string[] = [];
    for (const statement of [1, 2, 3]) {
      const killed = (line: string) => {
        applied.push(line.split(':')[0] ?? '');
        if (line.startsWith(`applying 0001-loans/expand/${statement}:`)) throw new Error('killed');
      };
      await expect(migrate(config, killed, migrations)).rejects.toThrow('killed');
      expect((await schemaStatus(config, migrations)).progress).toMatchObject([{ state: 'pending' }]);
    }
    await migrate(config, noLog, migrations);
    // Each run repeats only the statement at which the previous run was killed.
    expect(applied).toEqual([1, 1, 2, 2, 3].map((each) => `applying 0001-loans/expand/${each}`));
    expect(await columnsOf('loans')).toEqual(['item_id', 'lent_at', 'note', 'user_id']);
    expect((await schemaStatus(config, migrations)).progress).toMatchObject([{ state: 'expanded', isMoveBegun: true }]);
    await migrate(
      config,
      () => {
        throw new Error('nothing is left to be done');
      },
      migrations,
    );
  });

  test('is applied once by processes that begin together, and one waits for the other and logs its name', async () => {
    const { config } = await createdKeyspace();
    const migrations = await migrationsOf(LOANS);
    const lines: string[] = [];
    await Promise.all(Array.from({ length: 3 }, () => migrate(config, (line) => lines.push(line), migrations)));
    expect(lines.filter((line) => line.startsWith('applying')).length).toBe(3);
    expect(lines).toContainEqual(
      expect.stringMatching(/^waiting for process \d+ on \S+, release \S+, which is changing the schema.*within 60 s$/),
    );
  });

  test('that was changed after it had been applied is refused', async () => {
    const { config } = await createdKeyspace();
    await migrate(config, noLog, await migrationsOf(LOANS));
    const expand = LOANS['0001-loans'].expand.replace('note text', 'note blob');
    const changed = await migrationsOf({ '0001-loans': { expand } });
    await expect(migrate(config, noLog, changed)).rejects.toThrow(/another statement of 0001-loans\/expand\/3/);
  });

  const unusable: [string, Readonly<Record<string, Files>>, RegExp][] = [
    ['a name without a number', { loans: {} }, /migrations\/loans: the name must be like 0001-name/],
    ['a release that is none', { '0001-x': { settings: { release: 'next' } } }, /0001-x\/migration\.json.*release/s],
    ['an unknown setting', { '0001-x': { settings: { after: '1.0.0' } } }, /0001-x\/migration\.json.*after/s],
    [
      'a statement that cannot be repeated',
      { '0001-x': { expand: 'ALTER TABLE likes_by_user ADD x int;' } },
      /0001-x\/expand\.cql.*IF NOT EXISTS.*ADD x int/,
    ],
  ];
  test.each(unusable)('with %s is refused', async (_what, files, told) => {
    await expect(migrationsOf(files)).rejects.toThrow(told);
  });
});

describe('a contraction', () => {
  test('drops nothing while a server of an earlier release runs, and afterwards such a server cannot start', async () => {
    const { config, columnsOf } = await createdKeyspace();
    const settings = { release: '99.0.0' };
    const migrations = await migrationsOf({ '0001-loans': { ...LOANS['0001-loans'], settings } });
    const old = { ...ready, oldestServer: () => Promise.resolve(RELEASE) };
    await expect(contract(config, noLog, '0001-loans', old, migrations)).rejects.toThrow(/not applied/);
    await migrate(config, noLog, migrations);
    await expect(contract(config, noLog, '0001-loans', old, migrations)).rejects.toThrow(
      `A server of release ${RELEASE} is running, which needs what 0001-loans drops`,
    );
    expect(await columnsOf('loans')).toContain('note');
    await checkSchema(config);

    await contract(config, noLog, '0001-loans', ready, migrations);
    expect(await columnsOf('loans')).not.toContain('note');
    await expect(checkSchema(config)).rejects.toThrow(/0001-loans, with which only release 99\.0\.0/);
  });

  test('waits for the end of the move', async () => {
    const { config, columnsOf } = await createdKeyspace();
    const settings = { move: 'LEND' };
    const migrations = await migrationsOf({ '0001-loans': { ...LOANS['0001-loans'], settings } });
    const [begun] = await migrate(config, noLog, migrations);
    expect(begun).toMatchObject({ state: 'expanded', isMoveBegun: false });
    await expect(contract(config, noLog, '0001-loans', ready, migrations)).rejects.toThrow(/not applied/);
    await recordMove(config, begun!.migration);
    const moving = { ...ready, isMoved: () => Promise.resolve(false) };
    await expect(contract(config, noLog, '0001-loans', moving, migrations)).rejects.toThrow(/move.*is not finished/);
    expect(await columnsOf('loans')).toContain('note');
    await contract(config, noLog, '0001-loans', ready, migrations);
    expect((await schemaStatus(config, migrations)).progress).toMatchObject([{ state: 'contracted' }]);
  });

  test('of an unknown migration is refused', async () => {
    const { config } = await createdKeyspace();
    const migrations = await migrationsOf(LOANS);
    const told = contract(config, noLog, '0002-x', ready, migrations);
    await expect(told).rejects.toThrow(SchemaError);
    await expect(told).rejects.toThrow('This release has no migration 0002-x. It has 0001-loans.');
  });
});

test('releases are compared by their numbers', () => {
  expect(compareReleases('1.10.0', '1.9.3')).toBeGreaterThan(0);
  expect(compareReleases('1.0.0', '1.0.0')).toBe(0);
  expect(compareReleases('0.9.12', '1.0.0')).toBeLessThan(0);
});

/** These tests are the last ones, because they change the keyspace permanently. */
describe('a check of the schema', () => {
  test('accepts the additions of a newer release that can run beside this one', async () => {
    const { config, execute } = await createdKeyspace();
    await execute('ALTER TABLE like_counts ADD dislikes int');
    await execute('ALTER TYPE account_state ADD nickname text');
    await execute("INSERT INTO schema_steps (name, oldest_release) VALUES ('0007-dislikes', '0.0.9')");
    await checkSchema(config);
    await migrate(config, noLog, []);
    expect(await schemaStatus(config)).toMatchObject({ createdBy: RELEASE, unknown: ['0007-dislikes'] });

    await execute("UPDATE schema_steps SET oldest_release = '99.0.0' WHERE name = '0007-dislikes'");
    const told = /0007-dislikes, with which only release 99\.0\.0 or a newer one can run; this is release/;
    await expect(checkSchema(config)).rejects.toThrow(told);
    await expect(migrate(config, noLog, [])).rejects.toThrow(told);
    await expect(schemaStatus(config)).rejects.toThrow(told);
  });

  test('names the missing and the different parts, and changes nothing', async () => {
    const { config, execute, columnsOf } = await createdKeyspace();
    await checkSchema(config);
    await execute('ALTER TABLE user_by_item DROP audience');
    await execute('DROP TABLE like_counts');
    await execute(
      'CREATE TABLE like_counts (likeable_id text, shard int, like_count bigint, PRIMARY KEY (likeable_id, shard))',
    );
    await execute('DROP TABLE leases');
    const told = await checkSchema(config).catch((error: unknown) => String(error));
    expect(told).toContain('the table leases is missing');
    expect(told).toContain('the column user_by_item.audience is missing');
    expect(told).toContain('the column like_counts.like_count is bigint instead of int');
    expect(told).toContain('Restore the missing parts from a backup');
    await expect(migrate(config, noLog)).rejects.toThrow(/the table leases is missing/);
    expect(await columnsOf('leases')).toBeUndefined();
  });

  test('refuses a keyspace from before the first release with migrations', async () => {
    const { config, execute } = await createdKeyspace();
    await execute('ALTER TABLE schema_steps DROP oldest_release');
    const told = /made before release 1\.0\.0.*CASSANDRA_KEYSPACE/;
    await expect(checkSchema(config)).rejects.toThrow(told);
    await expect(migrate(config, noLog)).rejects.toThrow(told);
  });
});
