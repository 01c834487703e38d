import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { watchTurns } from './turns.ts';
import '../../src/main.ts';

/**
 * The real server. It tells its long turns. By SIGUSR2 it collects all garbage, so that the memory
 * in use then is what it keeps.
 */

watchTurns();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
process.on('SIGUSR2', collectGarbage);
