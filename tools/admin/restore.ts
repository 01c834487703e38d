import { parseArgs } from 'node:util';
import type { Config } from '../../src/config/config.ts';
import { say } from '../../src/terminal/progress.ts';
import { nodetoolBy } from '../backup/node.ts';
import { begin, finish, load } from '../backup/restore.ts';
import { withCassandra } from '../with-app.ts';

/** `npm run admin -- restore`: restores a backup, while no server runs. */

const USAGE = `Usage: npm run admin -- restore begin  --from FOLDER [--table NAMES]
       npm run admin -- restore load   --from FOLDER [--nodetool COMMAND]
       npm run admin -- restore finish --erased FILE [--nodetool COMMAND]
  begin       once: checks the backup, and empties what is to be restored; no server starts from then on
  load        on each node: loads its part
  finish      once: makes the tables agree, and erases accounts again; then servers may start
  --from      the folder of the backup
  --table     these original tables alone, separated by commas, with what is derived from them
  --erased    the ids of accounts that were deleted since the backup: the ERASED_IDS_FILE of a
              server; given once for each server, or as none
  --nodetool  the command of the node on this machine, with its options; by default nodetool
Each step can be ended and repeated.`;

class Usage extends Error {}

function stepOf(): (config: Config) => Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      table: { type: 'string' },
      erased: { type: 'string', multiple: true },
      nodetool: { type: 'string', default: 'nodetool' },
    },
  });
  const { from, table, erased, nodetool } = values;
  const [step] = positionals;
  if (positionals.length !== 1 || !['begin', 'load', 'finish'].includes(step ?? ''))
    throw new Usage('the step is begin, load or finish');
  if (table !== undefined && step !== 'begin') throw new Usage('--table belongs to begin');
  if (step === 'finish') {
    if (erased === undefined) throw new Usage('--erased is needed: a file, or none if no account was deleted');
    const files = erased.filter((file) => file !== 'none');
    return async (config) => ((await finish(config, nodetoolBy(nodetool), files)) ? 0 : 1);
  }
  if (from === undefined) throw new Usage('--from is needed');
  return async (config) => {
    await (step === 'begin' ? begin(config, from, table?.split(',')) : load(config, nodetoolBy(nodetool), from));
    return 0;
  };
}

try {
  await withCassandra(stepOf());
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
