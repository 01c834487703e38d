import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tools/launch/embedded.ts';
import { median, type Bench } from '../bench.ts';
import { ask } from '../http.ts';
import type { Executed } from './execution-alone.ts';
import { connectProfiler, type Profile, type Profiler } from './profiler.ts';
import type { Data } from './shapes.ts';
import { startFloor, startOurs, type System } from './systems.ts';
import { aligned } from './table.ts';
import type { Load } from './turns.ts';
import type { Asked } from './workloads.ts';

/**
 * The processor time of a request in each layer that it passes, of our server and of the floor.
 * Functions count for the layer of their file, and native functions for the layer that called them.
 */

/** The layers with the files of their functions. The first layer that matches counts. */
const LAYERS: readonly (readonly [name: string, files: RegExp])[] = [
  ['driver', /\/node_modules\/cassandra-driver\//],
  ['graphql-js', /\/node_modules\/graphql\//],
  ['Fastify', /\/node_modules\/(@?fastify|find-my-way)\b/],
  ['other packages', /\/node_modules\//],
  ['src/cassandra', /\/src\/cassandra\//],
  ['src/http', /\/src\/http\//],
  ['src/graphql', /\/src\/graphql\//],
  ['src/member-sets and src/likes', /\/src\/(member-sets|likes)\//],
  ['other folders of src', /\/src\//],
  ['the floor by hand', /\/bench\/api\//],
  ['microtasks and timers', /^node:internal\/(process|timers|async)/],
  ['sockets and HTTP', /^node:/],
];
const EXECUTION_ALONE = join(import.meta.dirname, 'execution-alone.ts');
const GARBAGE = 'garbage collector';
const NATIVE = 'system calls and native code';
const ALL = 'all';

/** The microseconds of a request by layer. */
export type LayerTimes = ReadonlyMap<string, number>;

export interface ProfiledSystem extends System {
  readonly profiler: Profiler;
}

/** Starts our server and the floor, with a profiler each. */
export function startProfiled(bench: Bench, data: Data): Promise<ProfiledSystem[]> {
  const profiled = async (start: (environment: Record<string, string>) => Promise<System>) => {
    const port = await freePort();
    const { NODE_OPTIONS = '' } = bench.environment;
    const system = await start({ NODE_OPTIONS: `${NODE_OPTIONS} --inspect=127.0.0.1:${port}` });
    const profiler = await connectProfiler(port);
    // A server waits for its profiler before it ends.
    bench.atEnd(profiler.disconnect);
    return { ...system, profiler };
  };
  return Promise.all([
    profiled((environment) => startOurs(bench, data, environment)),
    profiled((environment) => startFloor(bench, environment)),
  ]);
}

/** Measures the layers of a system during a turn. */
export async function measureLayers(
  system: ProfiledSystem,
  load: Load,
  data: Data,
  sequences: readonly Asked[][],
  seconds: number,
): Promise<LayerTimes> {
  const { profile, result } = await system.profiler.during(() => load.turn(system, data, sequences, seconds));
  return layerTimesOf(profile, result.requests);
}

/** Measures graphql-js alone for an operation, in microseconds of processor. */
export async function executionAlone(system: System, data: Data, asked: Asked): Promise<number> {
  const { query, variables } = system.request(asked);
  const answer = await ask<unknown>(system.url, data.readers[asked.reader]?.token ?? '', query, variables);
  const executed = JSON.stringify({ query, variables, data: answer } satisfies Executed);
  const { stdout } = await promisify(execFile)(process.execPath, [EXECUTION_ALONE, executed], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return Number(stdout);
}

/** Adds up a profile by layers, for one of its requests. */
function layerTimesOf({ nodes, samples, timeDeltas }: Profile, requests: number): LayerTimes {
  const layers = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const assign = (node: Profile['nodes'][number] | undefined, caller: string): void => {
    if (!node) return;
    const layer = layerOf(node.callFrame, caller);
    layers.set(node.id, layer);
    for (const id of node.children ?? []) assign(byId.get(id), layer);
  };
  assign(nodes[0], NATIVE);

  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const layer = layers.get(id) ?? NATIVE;
    if (byId.get(id)?.callFrame.functionName === '(idle)') continue;
    const microseconds = (timeDeltas[index] ?? 0) / requests;
    times.set(layer, (times.get(layer) ?? 0) + microseconds);
    times.set(ALL, (times.get(ALL) ?? 0) + microseconds);
  }
  return times;
}

function layerOf({ functionName, url }: Profile['nodes'][number]['callFrame'], caller: string): string {
  if (functionName === '(garbage collector)') return GARBAGE;
  if (url === '') return caller;
  return LAYERS.find(([, files]) => files.test(url))?.[0] ?? caller;
}

/** Makes a table of the medians in Markdown, with a line for each layer. */
export function tableOfLayers(measured: ReadonlyMap<string, readonly LayerTimes[]>): string {
  const names = [...LAYERS.map(([name]) => name), GARBAGE, NATIVE, ALL];
  const lines = names.map((layer) => [
    layer,
    ...[...measured.values()].map((turns) => median(turns.map((times) => times.get(layer) ?? 0)).toFixed(0)),
  ]);
  return aligned([['µs of processor a request', ...measured.keys()], ...lines]);
}
