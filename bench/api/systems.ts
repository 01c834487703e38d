import { join } from 'node:path';
import { freePort } from '../../tools/launch/embedded.ts';
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
  /** The address of its metrics, if it counts its statements to Cassandra, like our server. */
  readonly metricsUrl?: string;
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
  own: Pick<System, 'refresh' | 'metricsUrl' | 'only'> = {},
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

/** In development, libraries check more. */
const PRODUCTION = { NODE_ENV: 'production' };

type Environment = Readonly<Record<string, string>>;

/** Starts our server. */
export async function startOurs(
  { app, startServer, cassandraPid }: Bench,
  data: Data,
  environment: Environment = {},
): Promise<System> {
  const metricsPort = await freePort();
  const settings = { ...PRODUCTION, ...environment, METRICS_PORT: String(metricsPort) };
  return likeOurs(OURS, startServer(settings), cassandraPid, {
    refresh: () => untilTrending(app, data),
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
  });
}

/** Starts the floor. */
export const startFloor = (bench: Bench, environment: Environment = {}) =>
  startOther(bench, FLOOR, 'floor.ts', environment);

const startOther = (
  { startServer, cassandraPid }: Bench,
  name: string,
  file: string,
  environment: Environment = {},
  own: Pick<System, 'only'> = {},
) => {
  const settings = { ...PRODUCTION, ...environment };
  return likeOurs(name, startServer(settings, undefined, join(import.meta.dirname, file)), cassandraPid, own);
};

/** Starts the systems that use the same keyspace, with the same settings and memory. */
export const startCassandraSystems = (bench: Bench, data: Data): Promise<System>[] => [
  startOurs(bench, data),
  startFloor(bench),
  startOther(bench, 'floor, every count read', 'floor.ts', { EVERY_COUNT: 'true' }),
  startOther(bench, 'floor, our statements', 'floor.ts', { SAME_STATEMENTS: 'true' }, { only: ['like', 'unlike'] }),
  startOther(bench, 'floor, books kept', 'floor.ts', { BOOKS_KEPT: 'true' }, { only: ['book'] }),
  startOther(bench, 'plain Apollo', 'plain-apollo.ts'),
];
