import type { FastifyInstance } from 'fastify';
import { Recent } from '../cassandra/recent-reads.ts';
import type { AppContext } from '../context/context.ts';
import { whyCutOff } from '../leases/reach.ts';
import { whyUntrusted } from '../trust/operations.ts';

/** The time for which an answer is kept, so that frequent checks do not reach Cassandra. */
const READINESS_KEPT_MS = 1_000;

/** Says if the process lives, and if requests are better sent to another server. */
export function serveHealth(server: FastifyInstance, app: AppContext): void {
  server.get('/health/live', () => ({ status: 'live' }));

  const recent = new Recent<{ readonly reason: string | undefined }>({
    milliseconds: READINESS_KEPT_MS,
    sizeMax: 1,
    steady: app.steady,
  });
  const cutOff = () => recent.kept('') ?? recent.keep('', async () => ({ reason: await whyCutOff(app) }));
  server.get('/health/ready', async (_request, reply) => {
    const reason = (await cutOff()).reason ?? whyUntrusted(app);
    if (reason === undefined) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reason });
  });
}
