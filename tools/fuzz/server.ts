import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { watchTurns } from './turns.ts';
import '../../src/main.ts';

/**
 * The real server. It reports its long turns. At SIGUSR2 it collects all garbage, so that the
 * memory in use then contains no garbage.
 */

watchTurns();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
process.on('SIGUSR2', collectGarbage);
