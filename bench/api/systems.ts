import { join } from 'node:path';
import type { ServerProcess } from '../../tools/support/process.ts';
import type { Bench } from '../bench.ts';
import type { Data } from './shapes.ts';
import { untilTrending } from './home.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import type { Asked } from './workloads.ts';

/** A compared system: a server in a separate process. All are asked the same. */
export interface System {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** The process of its database, which may have child processes. */
  readonly databasePid: number;
  /** True if it counts its statements to Cassandra, like our server. */
  readonly countsStatements?: true;
  /**
   * The operations that the system implements. It is measured only in workloads with one of them.
   */
  readonly only?: readonly OperationName[];
  /** Updates the data that the system computes in the background: the trending list. */
  readonly refresh?: () => Promise<void>;
  /** Makes a request, with our own texts unless the schema has other names. */
  readonly request: (asked: Asked) => { readonly query: string; readonly variables: Record<string, unknown> };
  /** Returns the values of an answer, named like ours. */
  readonly valuesOf: (operation: OperationName, data: unknown) => unknown;
}

/** Makes a system that understands our own operations. */
async function likeOurs(
  name: string,
  starting: Promise<ServerProcess>,
  databasePid: number,
  own: Pick<System, 'refresh' | 'countsStatements' | 'only'> = {},
): Promise<System> {
  const { url, process } = await starting;
  return {
    name,
    url,
    pid: process.pid ?? 0,
    databasePid,
    request: ({ operation, variables }) => ({ query: OPERATIONS[operation], variables }),
    valuesOf: (_operation, data) => data,
    ...own,
  };
}

export const OURS = 'ours';
/** The systems that our server is compared with. */
export const FLOOR = 'floor';
export const POSTGRAPHILE = 'PostGraphile';

/** Starts the systems that use the same keyspace, with the same settings and memory. */
export const startCassandraSystems = ({ app, startServer, cassandraPid }: Bench, data: Data): Promise<System>[] => {
  const start = (file: string, more: Record<string, string> = {}) =>
    startServer(more, undefined, join(import.meta.dirname, file));
  return [
    likeOurs(OURS, startServer(), cassandraPid, { refresh: () => untilTrending(app, data), countsStatements: true }),
    likeOurs(FLOOR, start('floor.ts'), cassandraPid),
    likeOurs('floor, every count read', start('floor.ts', { EVERY_COUNT: 'true' }), cassandraPid),
    likeOurs('floor, our statements', start('floor.ts', { SAME_STATEMENTS: 'true' }), cassandraPid, {
      only: ['like', 'unlike'],
    }),
    likeOurs('floor, books kept', start('floor.ts', { BOOKS_KEPT: 'true' }), cassandraPid, { only: ['book'] }),
    likeOurs('plain Apollo', start('plain-apollo.ts'), cassandraPid),
  ];
};
