import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { processesBelow } from '../processor.ts';

/**
 * Gives the servers that are compared one core, and everything else of the benchmark the others.
 * Otherwise databases and the load take turns on the core of a server, which made two processes of
 * the same code differ by a half.
 * @param servers their process ids
 * @returns what was done, for the record
 */
export function shareCores(servers: readonly number[]): string {
  const cores = availableParallelism();
  const others = `1-${cores - 1}`;
  if (cores < 2) return 'one core for everything';
  try {
    for (const pid of processesBelow(process.pid)) run(others, pid);
    for (const pid of servers) run('0', pid);
  } catch {
    return 'no cores of their own: there is no taskset (util-linux)';
  }
  return `the servers share core 0, everything else core ${others}`;
}

/** Moves a process with its threads. One that has just ended needs no core. */
function run(cores: string, pid: number): void {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
  }
}
