import { parseArgs } from 'node:util';
import { importBooks } from '../../src/catalogue/import.ts';
import { say } from '../../src/terminal/progress.ts';
import { printLeftOut, showImport } from '../support/progress-bar.ts';
import { withApp } from '../with-app.ts';

/**
 * `npm run admin -- import-books FILE [--rejects FILE]`: imports a catalogue in the columns of
 * goodbooks-10k.
 */

const { values, positionals } = parseArgs({ options: { rejects: { type: 'string' } }, allowPositionals: true });
const [file, ...more] = positionals;
if (file === undefined || more.length > 0) {
  say('Usage: npm run admin -- import-books FILE [--rejects FILE]');
  process.exit(2);
}
const rejectsFile = values.rejects ?? `${file.replace(/\.csv$/, '')}.rejects.csv`;

await withApp(async (app) => {
  const figures = await showImport('books', (onProgress) => importBooks(app, file, { rejectsFile, onProgress }));
  const { rows, imported, isbnsRepaired, withoutIsbn, rejected } = figures;
  say(`${rows} rows: ${imported} imported, ${rejected} refused`);
  say(
    `among the imported books: ${isbnsRepaired} ISBNs whose leading zeros were restored, ` +
      `${withoutIsbn} books without an ISBN`,
  );
  printLeftOut(figures.leftOut);
  if (rejected > 0) say(`every refused row, with its line and reason: ${rejectsFile}`);
  return 0;
});
