import { connect, type Socket } from 'node:net';

/**
 * The lightest HTTP client there is, so that the load does not cost more than what is measured: a connection a request under
 * way, kept; requests written as one buffer; of the answer only its length is looked for.
 */
const idle = new Map<string, Socket[]>();

/**
 * Asks a server by GraphQL.
 * @param token empty for a caller who is signed out
 */
export async function ask<Data>(
  url: string,
  token: string,
  query: string,
  variables: Record<string, unknown>,
): Promise<Data> {
  const body = JSON.stringify({ query, variables });
  const { host, hostname, port } = new URL(url);
  const head =
    `POST /graphql HTTP/1.1\r\nhost: ${host}\r\n${token === '' ? '' : `authorization: Bearer ${token}\r\n`}` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const sockets = idle.get(url) ?? [];
  idle.set(url, sockets);
  let socket = sockets.pop();
  // The server closes what is idle for long.
  while (socket?.readyState !== 'open' && socket) socket = sockets.pop();
  socket ??= connect(Number(port), hostname).setNoDelay(true);
  const answer = await exchange(socket, head + body);
  sockets.push(socket);
  const { data, errors } = JSON.parse(answer) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

function exchange(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const done = (settle: () => void) => {
      for (const event of ['data', 'error', 'close']) socket.removeAllListeners(event);
      settle();
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
      if (received.length < headEnd + 4 + length) return;
      done(() => {
        resolve(Buffer.from(received.slice(headEnd + 4), 'latin1').toString());
      });
    });
    const broken = (error?: Error) => {
      done(() => {
        reject(error ?? new Error('the server closed the connection'));
      });
    };
    socket.on('error', broken);
    socket.on('close', () => {
      broken();
    });
    socket.write(request);
  });
}
