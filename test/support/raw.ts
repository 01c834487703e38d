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

/** Returns a GraphQL request as it is written to a connection. */
export const graphqlRequest = (query: string, variables: object, token?: string) => {
  const body = JSON.stringify({ query, variables });
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  return (
    `POST /graphql HTTP/1.1\r\nhost: x\r\n${authorization}content-type: ` +
    `application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
};
