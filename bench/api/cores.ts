import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { processesBelow } from '../processor.ts';

/**
 * Assigns one core to the compared servers, and the other cores to the rest of the benchmark.
 * Otherwise databases and the load would use the core of a server as well, which made two processes
 * of the same code differ by half.
 * @param servers their process ids
 * @returns a description of the assignment
 */
export function shareCores(servers: readonly number[]): string {
  const cores = availableParallelism();
  const others = `1-${cores - 1}`;
  if (cores < 2) return 'one core for everything';
  try {
    for (const pid of processesBelow(process.pid)) run(others, pid);
    for (const pid of servers) run('0', pid);
  } catch {
    return 'no separate cores: taskset (util-linux) is missing';
  }
  return `the servers share core 0, everything else core ${others}`;
}

/** Moves a process with its threads. A process that has just ended needs no core. */
function run(cores: string, pid: number): void {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
  }
}
