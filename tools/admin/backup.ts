import { parseArgs } from 'node:util';
import { say } from '../../src/terminal/progress.ts';
import { backUp } from '../backup/backup.ts';
import { nodetoolBy } from '../backup/node.ts';
import { withCassandra } from '../with-app.ts';

/** `npm run admin -- backup`: copies the data of the keyspace on one node, while servers run. */

const USAGE = `Usage: npm run admin -- backup --to FOLDER [--nodetool COMMAND]
  --to        the folder of the backup, the same for all nodes; each part is a folder in it
  --nodetool  the command of the node on this machine, with its options; by default nodetool
Run it on the machine of each node, as a user who may read its data.`;

const { to, nodetool } = parseArgs({
  options: { to: { type: 'string' }, nodetool: { type: 'string', default: 'nodetool' } },
}).values;
if (to === undefined) {
  say(`--to is needed\n${USAGE}`);
  process.exitCode = 2;
} else {
  await withCassandra(async ({ cassandra }) => {
    await backUp(cassandra, nodetoolBy(nodetool), to);
    return 0;
  });
}
