import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import '../../src/main.ts';

/**
 * The real server. By SIGUSR2 it collects all garbage, so that the memory in use then is what it
 * keeps.
 */

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
process.on('SIGUSR2', collectGarbage);
