import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { spawnGuarded } from './guarded.ts';

/** A server in a separate process that can be killed. */
export interface ServerProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Resolves to the exit code, or the signal that ended the server. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Returns all output so far. */
  readonly printed: () => string;
  /** Ends the server as an operator would. */
  readonly stop: () => Promise<void>;
}

/**
 * The settings of a server without limits per minute or hour, because all callers are one process.
 */
export const WITHOUT_LIMITS = {
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_ATTEMPTS_FREE: '0',
  REGISTRATIONS_PER_HOUR: '0',
  LIKE_CHANGES_PER_HOUR: '0',
  CLICK_KIB_PER_MINUTE: '0',
  MAILS_PER_ADDRESS: '0',
} as const;

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/**
 * Starts the real server in a separate process, and waits until it is ready.
 * @param logFile receives all its output
 * @param entry the file to run: the server itself, or a wrapper of it
 */
export async function startProcess(
  environment: Record<string, string | undefined>,
  logFile?: string,
  entry: string = MAIN,
): Promise<ServerProcess> {
  // The variables of npm are left out, because npm does not run the server here.
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('npm_')));
  const child = spawnGuarded(process.execPath, [entry], { env });
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1));
  });
  let printed = '';
  const file = logFile === undefined ? undefined : createWriteStream(logFile);
  for (const output of [child.stdout, child.stderr]) {
    if (file) output.pipe(file, { end: false });
    output.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  }
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /POST (\S+)\/graphql[\s\S]*ready;/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then((how) => reject(new Error(`The server ended (${String(how)}) before it was ready:\n${printed}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await new Promise((resolve) => (file ? file.end(resolve) : resolve(undefined)));
  };
  return { url, process: child, ended, printed: () => printed, stop };
}
