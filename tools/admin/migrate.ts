import { applyMigrations, isMoved, oldestServer } from '../../src/app/migrations.ts';
import type { Config } from '../../src/config/config.ts';
import { RELEASE } from '../../src/config/release.ts';
import { declaredFiles } from '../../src/schema/declared.ts';
import { contract, schemaStatus } from '../../src/schema/migrate.ts';
import { say } from '../../src/terminal/progress.ts';
import { withCassandra } from '../with-app.ts';

/** `npm run admin -- migrate`: changes the schema, separately from servers. */

const USAGE = `Usage: npm run admin -- migrate plan | apply | status | contract MIGRATION
  plan      prints the statements that apply would execute
  apply     brings the keyspace to the schema of this release, and creates it if needed; servers of
            the release before go on working
  status    prints how far each migration is
  contract  drops what only earlier releases need; there is no way back to them afterwards`;

async function plan({ cassandra }: Config): Promise<number> {
  const { createdBy, progress } = await schemaStatus(cassandra);
  const files = createdBy === undefined ? await declaredFiles() : [];
  const statements =
    createdBy === undefined
      ? files.flatMap((file) => file.statements)
      : progress
          .filter(({ state }) => state === 'pending')
          .flatMap(({ migration }) => migration.expand.map(({ statement }) => statement));
  for (const statement of statements) process.stdout.write(`${statement};\n\n`);
  say(`${statements.length} statements would bring the keyspace ${cassandra.keyspace} to release ${RELEASE}`);
  return 0;
}

async function apply({ cassandra }: Config): Promise<number> {
  await applyMigrations(cassandra, say);
  say(`the keyspace ${cassandra.keyspace} has the schema of release ${RELEASE}`);
  return 0;
}

async function status({ cassandra }: Config): Promise<number> {
  const { createdBy, progress, unknown } = await schemaStatus(cassandra);
  if (createdBy === undefined) say(`the keyspace ${cassandra.keyspace} has no schema yet`);
  else say(`the keyspace ${cassandra.keyspace} was created by release ${createdBy}; this is release ${RELEASE}`);
  for (const { migration, state, isMoveBegun } of progress) {
    const isMoving = state === 'expanded' && !(isMoveBegun && (await isMoved(cassandra, migration)));
    const left = state === 'expanded' && migration.contract.length > 0 ? ', not yet contracted' : '';
    say(`${migration.name}  ${state}${isMoving ? ', moving' : ''}${left}`);
  }
  for (const name of unknown) say(`${name}  of a newer release`);
  return 0;
}

function contractOf(name: string) {
  return async ({ cassandra }: Config): Promise<number> => {
    await contract(cassandra, say, name, {
      oldestServer: () => oldestServer(cassandra),
      isMoved: (migration) => isMoved(cassandra, migration),
    });
    say(`${name} is contracted`);
    return 0;
  };
}

/** Returns the work that the command line requests; `undefined` if it is wrong. */
function asked([command, migration, ...more]: readonly string[]) {
  if (more.length > 0) return undefined;
  if (command === 'contract') return migration === undefined ? undefined : contractOf(migration);
  const commands = new Map([
    ['plan', plan],
    ['apply', apply],
    ['status', status],
  ]);
  return migration === undefined ? commands.get(command ?? '') : undefined;
}

const work = asked(process.argv.slice(2));
if (work) await withCassandra(work);
else {
  process.stdout.write(`${USAGE}\n`);
  process.exitCode = 2;
}
