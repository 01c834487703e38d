import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { formatError, RequestError, type ReportFailure, type RequestErrorCode } from '../graphql/errors.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import { logFailure } from './request-log.ts';
import { HEADERS_OF_NO_REQUEST, securityHeaders } from './security-headers.ts';

/** Requests that fail before GraphQL handles them are answered in the format of GraphQL errors. */

/** Returns the body of an answer to a request that GraphQL never handled. */
export const bodyOf = (code: RequestErrorCode, message: string, requestId?: string) => ({
  errors: [{ message, extensions: { code, ...(requestId !== undefined && { requestId }) } }],
});

/**
 * Returns the body of an answer that consists of one error.
 * @param report is called with an error that is not the client's mistake
 */
export const answerOf = (error: unknown, report: ReportFailure = () => undefined) => ({
  errors: [formatError({ message: '' }, error, report)],
});

const OVERLOADED_STATUS = 503;

/**
 * Answers a request that could not be handled.
 * @param error a {@link RequestError} only if there is no room for the body
 */
export function answerError(error: FastifyError | RequestError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof RequestError) {
    // A client whose connection is closed while it sends would hardly learn why. So Fastify's
    // header `connection: close` is removed, and Node drops the rest of the body.
    reply.removeHeader('connection');
    void reply.headers(Object.fromEntries(error.headers)).code(OVERLOADED_STATUS).send(answerOf(error));
    return;
  }
  // A client that has disconnected is not a failure of this server, and the answer is not received.
  const status = request.raw.socket.destroyed ? 400 : (error.statusCode ?? 500);
  const body =
    status < 500
      ? bodyOf('BAD_USER_INPUT', error.message)
      : bodyOf(
          'INTERNAL_SERVER_ERROR',
          'Something went wrong on our side. It has been logged.',
          logFailure(request, error),
        );
  // No hook sets these headers when the URL itself is malformed.
  void reply.headers(securityHeaders(request)).header(REQUEST_ID_HEADER, request.id).code(status).send(body);
}

const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive. Send it again.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers are too long; send less than 16 KB of them.'],
};

const HEAD_OF_REFUSALS = Object.entries({
  'content-type': 'application/json; charset=utf-8',
  connection: 'close',
  ...HEADERS_OF_NO_REQUEST,
})
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/**
 * Answers input that is not HTTP or never becomes a complete request, and closes its connection.
 */
export function refuseConnection({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = REFUSALS[code] ?? [400, 'This is not an HTTP/1.1 request.'];
  const body = JSON.stringify(bodyOf('BAD_USER_INPUT', message));
  const statusLine = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`;
  const head = `${statusLine}\r\n${HEAD_OF_REFUSALS}content-length: ${body.length}\r\n\r\n`;
  if (socket.writable) socket.write(head + body);
  socket.destroy();
}
