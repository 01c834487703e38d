import { parseArgs } from 'node:util';
import { importLibraries } from '../../src/libraries/import.ts';
import { say } from '../../src/terminal/progress.ts';
import { printLeftOut, showImport } from '../support/progress-bar.ts';
import { withApp } from '../with-app.ts';

/**
 * `npm run admin -- import-libraries FILE [--rejects FILE]`: imports libraries in the columns of
 * the Public Libraries Survey.
 */

const { values, positionals } = parseArgs({ options: { rejects: { type: 'string' } }, allowPositionals: true });
const [file, ...more] = positionals;
if (file === undefined || more.length > 0) {
  say('Usage: npm run admin -- import-libraries FILE [--rejects FILE]');
  process.exit(2);
}
const rejectsFile = values.rejects ?? `${file.replace(/\.csv$/, '')}.rejects.csv`;

await withApp(async (app) => {
  const figures = await showImport('libraries', (onProgress) =>
    importLibraries(app, file, { rejectsFile, onProgress }),
  );
  const { rows, imported, rejected } = figures;
  say(`${rows} rows: ${imported} imported, ${rejected} refused`);
  printLeftOut(figures.leftOut);
  if (rejected > 0) say(`every refused row, with its line and reason: ${rejectsFile}`);
  return 0;
});
