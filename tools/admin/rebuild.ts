import { parseArgs } from 'node:util';
import { tableKinds } from '../../src/schema/kinds.ts';
import { createMissing } from '../support/missing-tables.ts';
import { say } from '../../src/terminal/progress.ts';
import { rebuildFrom } from '../support/rebuilding.ts';
import { withAppOf, withCassandra } from '../with-app.ts';

/**
 * `npm run admin -- rebuild`: writes the rows of a derived table again, from its sources of truth.
 */

const USAGE = `Usage: npm run admin -- rebuild --table NAME
  --table  a derived table; it is created if it is missing. Servers may be running
It exits with 1 if a part of a source could not be read.`;

class Usage extends Error {}

/** Returns the tables from which a table is rebuilt. */
async function sourcesOf(table: string | undefined): Promise<readonly string[]> {
  const kinds = await tableKinds();
  const derived = [...kinds].flatMap(([name, { kind }]) => (kind === 'derived' ? [name] : []));
  if (table === undefined) throw new Usage(`--table is needed. Derived tables are ${derived.join(', ')}`);
  const found = kinds.get(table);
  if (found?.kind === 'derived') return found.from;
  if (found?.kind === 'original')
    throw new Usage(`${table} is original: only a backup has its rows, see npm run admin -- restore`);
  if (found?.kind === 'passing') throw new Usage(`${table} needs no rebuilding: servers fill it as they work`);
  throw new Usage(`there is no table ${table}. Derived tables are ${derived.join(', ')}`);
}

try {
  const { table } = parseArgs({ options: { table: { type: 'string' } } }).values;
  const sources = await sourcesOf(table);
  await withCassandra(async (config) => {
    await createMissing(config.cassandra, table === undefined ? [] : [table], say);
    return withAppOf(config, async (app) => {
      const isReadable = await Array.fromAsync(sources, (source) => rebuildFrom(app, source));
      return isReadable.includes(false) ? 1 : 0;
    });
  });
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`.trim());
  process.exitCode = 2;
}
