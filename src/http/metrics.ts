import fastify, { type FastifyInstance } from 'fastify';
import { register } from 'prom-client';
import { securityHeaders } from './security-headers.ts';

/** Answers `/metrics` with the metrics of this process, in Prometheus's format. */
export function serveMetrics(server: FastifyInstance): void {
  server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
}

/**
 * Makes a server that serves only the metrics, for a port that is not public. It does not listen
 * yet.
 */
export function createMetricsServer(): FastifyInstance {
  const server = fastify();
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(securityHeaders(request));
    done();
  });
  serveMetrics(server);
  return server;
}
