import { join } from 'node:path';
import { say } from '../../src/terminal/progress.ts';
import { loseAndBringBack, startDrill } from '../drill/drill.ts';
import { Ends } from '../support/ends.ts';

/**
 * `npm run chaos -- drill`: destroys tables, a disk and then all data of three nodes, and restores
 * them from a backup.
 */

const NODES = 3;
const PORT = 19_242;

const ends = new Ends();
try {
  const drill = await startDrill(ends, NODES, PORT);
  const problems = await loseAndBringBack(drill, join(drill.folder, 'backup'));
  for (const problem of problems) say(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await ends.all();
}
process.exit();
