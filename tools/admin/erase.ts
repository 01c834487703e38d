import { parseArgs } from 'node:util';
import { say } from '../../src/terminal/progress.ts';
import { eraseAllAgain, readErasedIds } from '../support/erased-files.ts';
import { withApp } from '../with-app.ts';

/**
 * `npm run admin -- erase`: erases deleted accounts again, with the data that only a later release
 * has about them.
 */

const USAGE = `Usage: npm run admin -- erase FILE …
  FILE  an ERASED_IDS_FILE, of each server one. Servers may be running, those of the latest release alone`;

try {
  const { positionals } = parseArgs({ allowPositionals: true });
  if (positionals.length === 0) throw new Error('no file is named');
  const ids = await readErasedIds(positionals);
  await withApp(async (app) => {
    await eraseAllAgain(app, ids);
    return 0;
  });
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
