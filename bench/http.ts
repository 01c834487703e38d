import { connect, type Socket } from 'node:net';

/**
 * A minimal HTTP client, so that the load generator costs less than the server. Each concurrent
 * request has a connection, which is kept open. Requests are written as one buffer. The client
 * reads
 * only the length from the headers of an answer.
 */
const idle = new Map<string, Socket[]>();

/** A request as bytes, made once and sent any number of times. */
export interface PreparedRequest {
  readonly url: string;
  readonly bytes: Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  /** The number of bytes of the sent body. */
  readonly bytes: number;
}

/**
 * Prepares a GraphQL operation.
 * @param token empty for a caller who is signed out
 * @param encoding the coding that the answer should have; an encoded body can only be counted
 */
export function prepared(
  url: string,
  token: string,
  query: string,
  variables: Record<string, unknown>,
  encoding = 'identity',
): PreparedRequest {
  const body = JSON.stringify({ query, variables });
  const head =
    `POST /graphql HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${token === '' ? '' : `authorization: Bearer ${token}\r\n`}` +
    `accept-encoding: ${encoding}\r\ncontent-type: application/json\r\ncontent-length: ` +
    `${Buffer.byteLength(body)}\r\n\r\n`;
  return { url, bytes: Buffer.from(head + body) };
}

/** Sends a request on an idle connection. */
export async function send({ url, bytes }: PreparedRequest): Promise<HttpAnswer> {
  const sockets = idle.get(url) ?? [];
  idle.set(url, sockets);
  let socket = sockets.pop();
  // The server closes connections that are idle for a long time.
  while (socket?.readyState !== 'open' && socket) socket = sockets.pop();
  if (!socket) {
    const { hostname, port } = new URL(url);
    socket = connect(Number(port), hostname).setNoDelay(true);
    // The handler remains while the connection is idle: a server that ends may reset the
    // connection, which must not end the benchmark.
    socket.on('error', () => undefined);
  }
  const answer = await exchange(socket, bytes);
  sockets.push(socket);
  return answer;
}

/**
 * Sends a GraphQL operation to a server.
 * @param token empty for a caller who is signed out
 */
export async function ask<Data>(
  url: string,
  token: string,
  query: string,
  variables: Record<string, unknown>,
): Promise<Data> {
  const { body } = await send(prepared(url, token, query, variables));
  const { data, errors } = JSON.parse(body) as { data?: Data; errors?: unknown };
  if (errors !== undefined || data === undefined) throw new Error(`${url} answered ${body}`);
  return data;
}

/**
 * Begins a subscription on a connection of its own.
 * @param onEvent called with the JSON of each event
 */
export function subscribe({ url, bytes }: PreparedRequest, onEvent: (data: string) => void): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  let rest = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const data = /data: (\{.*)/.exec(rest.slice(0, end))?.[1];
      rest = rest.slice(end + 2);
      if (data !== undefined) onEvent(data);
    }
  });
  socket.write(bytes.toString('latin1').replace('\r\n', '\r\naccept: text/event-stream\r\n'), 'latin1');
  return socket;
}

const STATUS_AT = 'HTTP/1.1 '.length;

function exchange(socket: Socket, request: Buffer): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let received = '';
    const done = (settle: () => void) => {
      socket.off('data', take).off('error', broken).off('close', broken);
      settle();
    };
    const take = (chunk: string) => {
      received += chunk;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
      if (received.length < headEnd + 4 + length) return;
      done(() => {
        const status = Number(received.slice(STATUS_AT, STATUS_AT + 3));
        resolve({ status, body: Buffer.from(received.slice(headEnd + 4), 'latin1').toString(), bytes: length });
      });
    };
    const broken = (error?: unknown) => {
      done(() => {
        reject(error instanceof Error ? error : new Error('the server closed the connection'));
      });
    };
    socket.setEncoding('latin1').on('data', take).on('error', broken).on('close', broken);
    socket.write(request);
  });
}
