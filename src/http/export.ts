import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from './caller.ts';
import type { AppContext } from '../context/context.ts';
import { formatError, unauthenticated } from '../graphql/errors.ts';
import { exportOf } from '../app/personal-data.ts';
import type { Resolvers } from '../graphql/resolvers.generated.ts';
import { recordSecurityEvent } from '../security/operations.ts';

/** Where a reader fetches everything that is stored about them. */
export const EXPORT_PATH = '/export-my-data';

/** The HTTP statuses of what may be wrong with a request; all else is on our side. */
const STATUSES: Readonly<Record<string, number>> = { UNAUTHENTICATED: 401, RATE_LIMITED: 429 };

export const resolvers: Resolvers = {
  Query: {
    exportMyData: (_query, _args, { viewerId }) => (viewerId === null ? null : { path: EXPORT_PATH }),
  },
};

/** Answers with everything that is stored about the caller, as JSON, piece by piece: no table is ever held in memory. */
export async function sendExport(app: AppContext, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  try {
    const { viewerId, sessionId, address } = (await callerOf(app, request)).caller;
    if (viewerId === null) throw unauthenticated();
    const event = { kind: 'DATA_EXPORTED', at: app.clock(), address, sessionId } as const;
    await recordSecurityEvent(app, viewerId, app.randomId(), event);
    return await reply
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .type('application/json; charset=utf-8')
      .send(Readable.from(exportOf(app, viewerId)));
  } catch (error) {
    const formatted = formatError({ message: '' }, error, (cause) => {
      app.logger.error({ err: cause }, 'an export failed');
    });
    const status = STATUSES[String(formatted.extensions?.['code'])] ?? 503;
    return reply.code(status).send({ errors: [formatted] });
  }
}
