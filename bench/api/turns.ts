import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { statementsSoFar } from '../../tools/support/statements.ts';
import { processorSecondsBelow, processorSecondsOf, residentMebibytesOf } from '../processor.ts';
import type { Data } from './shapes.ts';
import type { Begin, Turn, TurnMessage } from './load-generator.ts';
import type { System } from './systems.ts';
import type { Asked } from './workloads.ts';

/** The measurements of a system's turn. */
export interface MeasuredTurn {
  readonly requests: number;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds, as in the next field. */
  readonly p50: number;
  readonly p99: number;
  /** The server's own processor time for each request, in milliseconds. */
  readonly processorMs: number;
  /** The processor time of its database for each request, in milliseconds. */
  readonly databaseMs: number;
  /** The server's resident memory at the end of the turn. */
  readonly residentMebibytes: number;
  /** The statements that the server sent for each request, by kind and table, if it counts them. */
  readonly statements: ReadonlyMap<string, number>;
}

type Spending = Pick<System, 'pid' | 'databasePid' | 'metricsUrl'>;

/** The load generator, in a separate process. */
export class Load {
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #connections: number;

  /** @param connections the number of connections, and of concurrent requests */
  constructor(connections: number) {
    this.#connections = connections;
    this.#process = fork(join(import.meta.dirname, 'load-generator.ts'));
    this.#ended = once(this.#process, 'exit');
  }

  /**
   * Puts load on a system for some time.
   * @throws if any answer was an error
   */
  async turn(
    system: Spending & Pick<System, 'name' | 'url' | 'request'>,
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
    this.#process.send(turn);
    await once(this.#process, 'message');
    const before = await spentBy(system);
    this.#process.send('begin' satisfies Begin);
    const [message] = (await once(this.#process, 'message')) as [TurnMessage];
    if ('error' in message) throw new Error(`${system.name}: ${message.error}`);

    const after = await spentBy(system);
    const { requests, elapsed, p50, p99 } = message.result;
    const each = (what: 'server' | 'database') => ((after[what] - before[what]) * 1_000) / requests;
    return {
      requests,
      rate: (requests * 1_000) / elapsed,
      p50,
      p99,
      processorMs: each('server'),
      databaseMs: each('database'),
      residentMebibytes: residentMebibytesOf(system.pid),
      statements: new Map(
        [...after.statements].map(([name, count]) => [name, (count - (before.statements.get(name) ?? 0)) / requests]),
      ),
    };
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.#process.kill();
    await this.#ended;
  }
}

/** Reads the resources that a system has used so far: seconds of processor time, and statements. */
const spentBy = async ({ pid, databasePid, metricsUrl }: Spending) => ({
  server: processorSecondsOf(pid),
  database: processorSecondsBelow(databasePid),
  statements: metricsUrl === undefined ? new Map<string, number>() : await statementsSoFar({ url: metricsUrl }),
});
