import { parseArgs } from 'node:util';
import { connectCassandra } from '../src/cassandra/client.ts';
import { launchCassandra } from '../src/cassandra/launch.ts';
import { migrate } from '../src/cassandra/schema.ts';
import { importBooks } from '../src/catalogue/import.ts';
import { readConfig } from '../src/config.ts';
import { appContext } from '../src/context.ts';
import { makeLogger } from '../src/logger.ts';
import { PLACES } from '../src/places.ts';
import { progressBar, say } from '../src/progress.ts';

/** `npm run import:books -- FILE [--rejects FILE]`: imports a catalogue in the columns of goodbooks-10k. */

const { values, positionals } = parseArgs({ options: { rejects: { type: 'string' } }, allowPositionals: true });
const [file, ...more] = positionals;
if (file === undefined || more.length > 0) {
  say('Usage: npm run import:books -- FILE [--rejects FILE]');
  process.exit(2);
}
const rejectsFile = values.rejects ?? `${file.replace(/\.csv$/, '')}.rejects.csv`;

try {
  const given = readConfig(process.env);
  const running = await launchCassandra(given.cassandra.contactPoints, PLACES, say);
  const config = { ...given, cassandra: { ...given.cassandra, contactPoints: running.contactPoints } };
  try {
    await migrate(config.cassandra, say);
    const cassandra = await connectCassandra(config.cassandra);
    const app = await appContext({ config, cassandra, logger: makeLogger(config.logLevel) });
    const bar = progressBar('importing books');
    const { rows, imported, isbnsRepaired, withoutIsbn, rejected } = await importBooks(
      app,
      file,
      rejectsFile,
      bar.update,
    ).finally(bar.stop);
    say(`${rows} rows: ${imported} imported, ${rejected} refused`);
    say(`of those imported: ${isbnsRepaired} ISBNs given their leading zeros back, ${withoutIsbn} without an ISBN`);
    if (rejected > 0) say(`every refused row, with its line and reason: ${rejectsFile}`);
    await cassandra.client.shutdown();
  } finally {
    await running.stop();
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
