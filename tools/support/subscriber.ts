import type { Client } from './client.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- the subscription decides what an event has */

/** An event of a subscription, or the error that ends it. */
export interface SubscriptionEvent {
  readonly data?: any;
  readonly errors?: { message: string; extensions: { code: string; reason?: string; retryAfterSeconds?: number } }[];
}

/** A subscriber over HTTP, by server-sent events. */
export class Subscriber {
  readonly response: Response;
  readonly #texts: AsyncGenerator<string, undefined>;
  readonly #ended: AbortController;
  #rest = '';

  private constructor(response: Response, ended: AbortController) {
    this.response = response;
    this.#ended = ended;
    this.#texts = textsOf(response);
  }

  /**
   * Sends a subscription as a client, signed in or not.
   * @throws if it is refused; the message is the answer
   */
  static async begin(client: Client, query: string, variables: Record<string, unknown> = {}): Promise<Subscriber> {
    const ended = new AbortController();
    const response = await Subscriber.ask(client, query, variables, {}, ended.signal);
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error(await response.text());
    return new Subscriber(response, ended);
  }

  /** Sends a subscription, and returns any response. */
  static ask(
    { url, token, headers }: Client,
    query: string,
    variables: Record<string, unknown> = {},
    more: Readonly<Record<string, string>> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
        ...more,
      },
      body: JSON.stringify({ query, variables }),
      signal,
    });
  }

  /** Waits for the next event; `undefined` once the server has ended the subscription. */
  async next(): Promise<SubscriptionEvent | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n');
      if (end < 0) {
        const { value } = await this.#texts.next();
        if (value === undefined) throw new Error('The stream ended without "complete"');
        this.#rest += value;
        continue;
      }
      const text = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 2);
      if (text.startsWith('event: complete')) return undefined;
      if (text.startsWith('event: next\ndata: '))
        return JSON.parse(text.slice('event: next\ndata: '.length)) as SubscriptionEvent;
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#ended.abort();
  }
}

/** Returns the text of a response as it arrives. */
export async function* textsOf({ body }: Response): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  for await (const bytes of (body ?? []) as AsyncIterable<Uint8Array>) yield decoder.decode(bytes, { stream: true });
}
