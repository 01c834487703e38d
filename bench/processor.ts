import { readFileSync } from 'node:fs';

/** The figures of a process by Linux. On other systems nothing is known, and everything is 0. */

/**
 * The unit in which Linux counts processor time,
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html.
 */
const TICKS_PER_SECOND = 100;

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** Returns the processor time of a process so far, user and system, in seconds. */
export function processorSecondsOf(pid: number): number {
  const ticks = read(pid, 'stat').split(' ').slice(13, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** Returns the resident memory of a process, in MiB. */
export const residentMebibytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0) / 1_024;
