import fastify, { type FastifyInstance } from 'fastify';
import { register } from 'prom-client';
import { securityHeaders } from './security-headers.ts';

/** Answers `/metrics` with what this process counts and measures, as Prometheus reads it. */
export function serveMetrics(server: FastifyInstance): void {
  server.get('/metrics', async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
}

/** A server of nothing but the metrics, for a port that is not everybody's; it does not listen yet. */
export function createMetricsServer(): FastifyInstance {
  const server = fastify();
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(securityHeaders(request));
    done();
  });
  serveMetrics(server);
  return server;
}
