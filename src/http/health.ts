import type { FastifyInstance } from 'fastify';
import { Recent } from '../cassandra/recent-reads.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { whyCutOff } from '../leases/reach.ts';
import { whyUntrusted } from '../trust/operations.ts';

/** The time that an answer is kept, so that frequent checks do not reach Cassandra. */
const READINESS_KEPT_MS = 1_000;

const endings = perProcess(() => ({ hasBegun: false }));

/** Returns whether this server is about to end. */
export const isEnding = (app: AppContext): boolean => endings(app).hasBegun;

/** Marks this server as about to end. It still answers all requests that arrive. */
export function beginEnding(app: AppContext): void {
  endings(app).hasBegun = true;
}

/** Serves two checks: whether the process is alive, and whether it should receive requests. */
export function serveHealth(server: FastifyInstance, app: AppContext): void {
  server.get('/health/live', () => ({ status: 'live' }));

  const recent = new Recent<{ readonly reason: string | undefined }>({
    name: 'READINESS',
    milliseconds: READINESS_KEPT_MS,
    sizeMax: 1,
    monotonicNow: app.monotonicNow,
  });
  const cutOff = () => recent.kept('') ?? recent.keep('', async () => ({ reason: await whyCutOff(app) }));
  server.get('/health/ready', async (_request, reply) => {
    const reason = isEnding(app) ? 'this server is about to end' : ((await cutOff()).reason ?? whyUntrusted(app));
    if (reason === undefined) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reason });
  });
}
