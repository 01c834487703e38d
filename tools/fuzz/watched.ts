import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { TOLD, type Memory, type Pause, type Told, type Turn } from './turns.ts';

/** A server under test, which reports its long turns, its pauses and its memory. */

const SERVER = join(import.meta.dirname, 'server.ts');

export class WatchedServer {
  readonly server: ServerProcess;
  readonly turns: Turn[] = [];
  readonly pauses: Pause[] = [];
  readonly memory: Memory[] = [];
  /** The way in which the server ended; unset while it runs. */
  endedBy: number | NodeJS.Signals | undefined;

  private constructor(server: ServerProcess) {
    this.server = server;
    void server.ended.then((how) => {
      this.endedBy = how;
    });
    const { stdout } = server.process;
    if (!stdout) throw new Error('The server has no output to read');
    createInterface({ input: stdout }).on('line', (line) => {
      if (!line.startsWith(TOLD)) return;
      const told = JSON.parse(line.slice(TOLD.length)) as Told;
      if ('turn' in told) this.turns.push(told.turn);
      else if ('pause' in told) this.pauses.push(told.pause);
      else this.memory.push(told.memory);
    });
  }

  static async start(environment: Record<string, string | undefined>): Promise<WatchedServer> {
    return new WatchedServer(await startProcess(environment, undefined, SERVER));
  }

  /** Returns the output of the server itself. */
  said(): string {
    return this.server
      .printed()
      .split('\n')
      .filter((line) => !line.startsWith(TOLD))
      .join('\n');
  }
}

/** Returns the turn with the most work; `undefined` if none was long. */
export const longestOf = (turns: readonly Turn[]): Turn | undefined =>
  turns.toSorted((one, other) => other.workMs - one.workMs)[0];

/** Describes the duration of a turn, and the requests in progress. */
export function shownTurn({ ms, workMs, requests }: Turn): string {
  const during = requests.length === 0 ? 'no request' : requests.join(', ');
  return `${workMs.toFixed(0)} ms of work in ${ms.toFixed(0)} ms, with ${during} in progress`;
}

/** Describes the garbage collections of the server. */
export function shownPauses(pauses: readonly Pause[]): string {
  const kind = (isMajor: boolean, name: string) => {
    const all = pauses.filter((pause) => pause.isMajor === isMajor).map(({ ms }) => ms);
    const sum = all.reduce((total, ms) => total + ms, 0);
    const longest = Math.max(0, ...all);
    return `${all.length} ${name} of at most ${longest.toFixed(0)} ms, ${(sum / 1_000).toFixed(1)} s in all`;
  };
  return `${kind(true, 'major')}; ${kind(false, 'minor or incremental')}`;
}
