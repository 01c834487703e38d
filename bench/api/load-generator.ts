import { percentile } from '../bench.ts';
import { prepared, send, type PreparedRequest } from '../http.ts';

/**
 * The process that makes the load: so many connections, on each of which the next request is sent when the one before is answered, for
 * a while. It is told of each turn by a message, and answers by one.
 */

/** What is sent on a connection one after the other, of one reader. */
export type Sequence = readonly { readonly token: string; readonly query: string; readonly variables: object }[];

export interface Turn {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly sequences: readonly Sequence[];
}

/** What came of a turn. Times are in milliseconds. */
export interface TurnResult {
  readonly requests: number;
  readonly elapsed: number;
  readonly p50: number;
  readonly p99: number;
}

/** A turn's end: its result, or why it failed. */
export type TurnMessage = { readonly result: TurnResult } | { readonly error: string };

/** An answer that is none, or of something that was not to be. */
const BAD = ['"errors"', '"userErrors":[{', '"changed":false'];

process.on('message', (turn: Turn) => {
  take(turn).then(
    (result) => process.send?.({ result } satisfies TurnMessage),
    (error: unknown) => process.send?.({ error: String(error) } satisfies TurnMessage),
  );
});

async function take({ url, connections, seconds, sequences }: Turn): Promise<TurnResult> {
  const ready = sequences.map((sequence) =>
    sequence.map(({ token, query, variables }) => prepared(url, token, query, { ...variables })),
  );
  const latencies: number[] = [];
  const begun = performance.now();
  const deadline = begun + seconds * 1_000;
  let next = 0;
  const connection = async () => {
    while (performance.now() < deadline) {
      const sequence: readonly PreparedRequest[] = ready[next++ % ready.length] ?? [];
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
