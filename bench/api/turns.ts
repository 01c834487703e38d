import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processorSecondsOf, residentMebibytesOf } from '../processor.ts';
import type { Data } from './shapes.ts';
import type { Turn, TurnMessage } from './load-generator.ts';
import type { System } from './systems.ts';
import type { Asked } from './workloads.ts';

/** The measurements of a system's turn. */
export interface MeasuredTurn {
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds, as in the next field. */
  readonly p50: number;
  readonly p99: number;
  /** The server's own processor time for each request, in milliseconds. */
  readonly processorMs: number;
  /** The server's resident memory at the end of the turn. */
  readonly residentMebibytes: number;
}

/** The load generator, in a process of its own. */
export class Load {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #connections: number;

  /** @param connections the number of connections, and of requests that are under way at once */
  constructor(connections: number) {
    this.#connections = connections;
    this.#process = fork(join(import.meta.dirname, 'load-generator.ts'));
    this.#ended = once(this.#process, 'exit');
  }

  /**
   * Loads a system for a while.
   * @throws if any answer was an error
   */
  async turn(
    system: Pick<System, 'name' | 'url' | 'pid' | 'request'>,
    data: { readonly readers: readonly Pick<Data['readers'][number], 'token'>[] },
    sequences: readonly Asked[][],
    seconds: number,
  ): Promise<MeasuredTurn> {
    const turn: Turn = {
      url: system.url,
      connections: this.#connections,
      seconds,
      sequences: sequences.map((sequence) =>
        sequence.map((asked) => ({ token: data.readers[asked.reader]?.token ?? '', ...system.request(asked) })),
      ),
    };
    const before = processorSecondsOf(system.pid);
    this.#process.send(turn);
    const [message] = (await once(this.#process, 'message')) as [TurnMessage];
    if ('error' in message) throw new Error(`${system.name}: ${message.error}`);

    const { requests, elapsed, p50, p99 } = message.result;
    return {
      rate: (requests * 1_000) / elapsed,
      p50,
      p99,
      processorMs: ((processorSecondsOf(system.pid) - before) * 1_000) / requests,
      residentMebibytes: residentMebibytesOf(system.pid),
    };
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.#process.kill();
    await this.#ended;
  }
}
