import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { AppContext } from '../context/context.ts';
import { hashedAddress } from '../throttling/addresses.ts';

const underWay = new AsyncLocalStorage<FastifyRequest>();

/**
 * Runs Apollo's answer to a request, and remembers the request: Apollo's own errors do not name it.
 */
export const answering = <Answer>(request: FastifyRequest, answer: () => Answer): Answer =>
  underWay.run(request, answer);

/** Returns the request that Apollo answers at this moment. */
export function requestAnswered(): FastifyRequest {
  const request = underWay.getStore();
  if (!request) throw new Error('Apollo was called without `answering`');
  return request;
}

/**
 * Makes the logger of requests. It logs no query string, header or body, so no password or token
 * gets into the log. It logs only the hash of the network address, the same as throttling does.
 */
export const requestLog = ({ config, logger }: AppContext): FastifyBaseLogger =>
  logger.child(
    {},
    {
      serializers: {
        req: ({ method, url, ip }: { method: string; url: string; ip: string }) => ({
          method,
          path: url.split('?', 1)[0],
          address: hashedAddress(config, ip),
        }),
      },
    },
  );

/**
 * Logs a share of the requests, and every request that this server failed to answer. If all were
 * logged, they would be most of the output of a busy server.
 */
export function logRequests(server: FastifyInstance, { config }: AppContext): void {
  server.addHook('onResponse', (request, reply, done) => {
    const isFailure = reply.statusCode >= 500;
    if (isFailure || Math.random() * 100 < config.log.requestsPercent) {
      const about = { req: request, status: reply.statusCode, milliseconds: Math.round(reply.elapsedTime) };
      if (isFailure) request.log.warn(about, 'a request was not answered');
      else request.log.info(about, 'a request was answered');
    }
    done();
  });
}

/**
 * Logs an error that is not the client's mistake.
 * @returns the id of the request, for the answer
 */
export function logFailure({ log, id }: FastifyRequest, error: unknown, path?: readonly (string | number)[]): string {
  log.error({ err: error, path }, 'a request failed');
  return id;
}
