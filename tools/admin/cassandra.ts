import { say } from '../../src/terminal/progress.ts';
import { Ends } from '../support/ends.ts';
import { startTestNode } from '../support/test-node.ts';

/**
 * `npm run admin -- cassandra`: runs a Cassandra for tests until Ctrl-C, so that no test run has to
 * start one.
 */

const ends = new Ends();
try {
  const starting = startTestNode(undefined, false, say);
  // The end is registered before the node is ready, because Ctrl-C may be pressed while it starts.
  ends.add(() => starting.then(({ stop }) => stop()).catch(() => undefined));
  const { contactPoints } = await starting;
  say('A Cassandra for tests; its data is deleted when it stops. In another terminal:');
  say(`  export CASSANDRA_CONTACT_POINTS=${contactPoints.join(',')}`);
  say('  npx vitest run test/likes.test.ts');
  say('Ctrl-C stops it');
  // The node is a separate process, so this process has to stay alive.
  setInterval(() => undefined, 2 ** 31 - 1);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await ends.all();
  process.exitCode = 1;
}
