import { once } from 'node:events';

/**
 * V8's profiler of another process:
 * https://chromedevtools.github.io/devtools-protocol/v8/Profiler.
 */

/** The parts of a profile that are used here. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  /** The id of the running node at each sample. */
  readonly samples: readonly number[];
  /** The time before each sample, in microseconds. */
  readonly timeDeltas: readonly number[];
}

const SAMPLED_EACH_US = 250;

export interface Profiler {
  /** Profiles the process during some work. */
  readonly during: <Result>(work: () => Promise<Result>) => Promise<{ profile: Profile; result: Result }>;
  /** Disconnects from the process, which ends only after that. */
  readonly disconnect: () => Promise<void>;
}

/** @param port the port of a process that was started with `--inspect` */
export async function connectProfiler(port: number): Promise<Profiler> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  await once(socket, 'open');
  const call = async (method: string, params: object = {}) => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = (await once(socket, 'message')) as [{ readonly data: string }];
    return (JSON.parse(data) as { result: unknown }).result;
  };

  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: SAMPLED_EACH_US });
  return {
    during: async (work) => {
      await call('Profiler.start');
      const result = await work();
      const { profile } = (await call('Profiler.stop')) as { profile: Profile };
      return { profile, result };
    },
    disconnect: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
