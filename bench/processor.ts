import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The figures of a process from Linux. On other systems all figures are 0. */

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

/** Returns the fields of a process after its name, which is in brackets and may be any text. */
const fieldsOf = (pid: number): number[] => (read(pid, 'stat').split(/\) (?=[^)]*$)/)[1] ?? '').split(' ').map(Number);

const secondsOf = (ticks: readonly number[]) => ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;

/** Returns the processor time of a process so far, user and system, in seconds. */
export const processorSecondsOf = (pid: number): number => secondsOf(fieldsOf(pid).slice(11, 13));

/** Returns the processor time of a process and of all its descendants, including ended ones. */
export const processorSecondsBelow = (pid: number): number =>
  secondsOf(processesBelow(pid).flatMap((each) => fieldsOf(each).slice(11, 15)));

/** Returns a process and its descendants. */
export function processesBelow(pid: number): number[] {
  const parents = (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), fieldsOf(Number(name))[1]] as const);
  const below = (parent: number): number[] =>
    parents.flatMap(([child, of]) => (of === parent ? [child, ...below(child)] : []));
  return [pid, ...below(pid)];
}

/** Returns the resident memory of a process, in MiB. */
export const residentMebibytesOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0) / 1_024;
