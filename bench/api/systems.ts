import { join } from 'node:path';
import type { ServerProcess } from '../../tools/support/process.ts';
import type { Bench } from '../bench.ts';
import type { Data } from './shapes.ts';
import { untilTrending } from './home.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import type { Asked } from './workloads.ts';

/** What is compared: servers, each a process of its own, that are asked the same. */
export interface System {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Brings what it computes beside the requests up to what is stored: what is trending. */
  readonly refresh?: () => Promise<void>;
  /** How it is asked: by our own texts, unless its schema has other names. */
  readonly request: (asked: Asked) => { readonly query: string; readonly variables: Record<string, unknown> };
  /** The values of its answer, named as ours are. */
  readonly valuesOf: (operation: OperationName, data: unknown) => unknown;
}

/** A system that understands our own operations. */
async function likeOurs(
  name: string,
  starting: Promise<ServerProcess>,
  own: Pick<System, 'refresh'> = {},
): Promise<System> {
  const { url, process } = await starting;
  return {
    name,
    url,
    pid: process.pid ?? 0,
    request: ({ operation, variables }) => ({ query: OPERATIONS[operation], variables }),
    valuesOf: (_operation, data) => data,
    ...own,
  };
}

/** What the others are compared to. */
export const FLOOR = 'floor';

/** Starts the systems that stand on the same keyspace, with the same settings and memory. */
export const startCassandraSystems = ({ app, startServer }: Bench, data: Data): Promise<System>[] => {
  const start = (file: string, more: Record<string, string> = {}) =>
    startServer(more, undefined, join(import.meta.dirname, file));
  return [
    likeOurs('ours', startServer(), { refresh: () => untilTrending(app, data) }),
    likeOurs(FLOOR, start('floor.ts')),
    likeOurs('floor, every count read', start('floor.ts', { EVERY_COUNT: 'true' })),
    likeOurs('plain Apollo', start('plain-apollo.ts')),
  ];
};
