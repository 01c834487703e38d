import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends a request unchanged, and returns the bytes of its answer. `fetch` would tidy the path, and
 * decompress the answer.
 * @param body the body of a POST request; a GET request has none
 */
export async function raw(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<RawAnswer> {
  const { hostname: host, port } = new URL(url);
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request({ host, port, path, method, headers }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
  return { status: response.statusCode, headers: response.headers, body: bytes };
}

/** Opens a plain connection, and records everything that arrives on it. */
export function rawConnection(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  const heard = new EventTarget();
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk;
    heard.dispatchEvent(new Event('data'));
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answered = async () => {
    while (!received.includes('\r\n\r\n'))
      await new Promise((resolve) => heard.addEventListener('data', resolve, { once: true }));
    return received;
  };
  return { socket, closed, answered, received: () => received };
}

/** Returns the request line and headers of a POST request, as they are written to a connection. */
export const requestHead = (path: string, token: string | undefined, headers: readonly string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...headers,
    '\r\n',
  ].join('\r\n');

/** Returns a GraphQL request as it is written to a connection. */
export const graphqlRequest = (query: string, variables: object, token?: string) => {
  const body = JSON.stringify({ query, variables });
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return requestHead('/graphql', token, ['content-type: application/json', length]) + body;
};
