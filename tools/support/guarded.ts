import { spawn, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/**
 * A shell that becomes the program, with its process id, after it has started a watcher. The
 * watcher ends the program when its own input closes, which also happens when the parent process is
 * killed.
 */
const GUARD = `
signal=$1; shift
exec 3<&0
(cat <&3; kill -s "$signal" $$) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

/**
 * Starts a program that does not outlive this process, however the process ends.
 * @param signal the signal by which the program prefers to be ended
 */
export function spawnGuarded(
  program: string,
  given: readonly string[],
  options: Omit<SpawnOptions, 'stdio'>,
  signal: 'TERM' | 'INT' = 'TERM',
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn('sh', ['-c', GUARD, 'sh', signal, program, ...given], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
}
