import { percentile } from '../bench.ts';
import { prepared, send, type PreparedRequest } from '../http.ts';

/**
 * The process that generates the load. On each of its connections it sends the next request when
 * the previous one is answered, for some time. A message describes each turn. Once its requests are
 * made, which may take seconds, the process reports that it is ready. Another message begins the
 * turn, and the answer to that is the result.
 */

/** Requests of one reader that are sent one after the other on a connection. */
export type Sequence = readonly { readonly token: string; readonly query: string; readonly variables: object }[];

export interface Turn {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly sequences: readonly Sequence[];
}

/** The result of a turn. Times are in milliseconds. */
export interface TurnResult {
  readonly requests: number;
  readonly elapsed: number;
  readonly p50: number;
  readonly p99: number;
}

/** The message that begins a turn. */
export type Begin = 'begin';

/** The end of a turn: its result, or the reason why it failed. */
export type TurnMessage = { readonly result: TurnResult } | { readonly error: string };

/** Texts in an answer that failed, or that has not made its change. */
const BAD = ['"errors"', '"userErrors":[{', '"changed":false'];

let ready: Ready = { connections: 0, seconds: 0, requests: [] };

process.on('message', (message: Turn | Begin) => {
  if (message === 'begin') {
    take(ready).then(
      (result) => process.send?.({ result } satisfies TurnMessage),
      (error: unknown) => process.send?.({ error: String(error) } satisfies TurnMessage),
    );
    return;
  }
  const { url, connections, seconds, sequences } = message;
  const requests = sequences.map((sequence) =>
    sequence.map(({ token, query, variables }) => prepared(url, token, query, { ...variables })),
  );
  ready = { connections, seconds, requests };
  process.send?.('ready');
});

/** A turn that can begin. */
interface Ready {
  readonly connections: number;
  readonly seconds: number;
  readonly requests: readonly (readonly PreparedRequest[])[];
}

async function take({ connections, seconds, requests }: Ready): Promise<TurnResult> {
  const latencies: number[] = [];
  const begun = performance.now();
  const deadline = begun + seconds * 1_000;
  let next = 0;
  const connection = async () => {
    while (performance.now() < deadline) {
      const sequence = requests[next++ % requests.length] ?? [];
      for (const request of sequence) {
        const before = performance.now();
        const { status, body } = await send(request);
        latencies.push(performance.now() - before);
        if (status !== 200 || BAD.some((text) => body.includes(text)))
          throw new Error(`${status} ${body}\nto ${request.bytes.toString().split('\r\n\r\n')[1]}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return {
    requests: latencies.length,
    elapsed: performance.now() - begun,
    p50: percentile(latencies, 50),
    p99: percentile(latencies, 99),
  };
}
