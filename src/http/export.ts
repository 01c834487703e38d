import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { onePerReader, type AdmitOne } from './admission.ts';
import { noRoomError } from './bytes-in-flight.ts';
import { callerOf } from './caller.ts';
import { confirmPassword } from '../accounts/operations.ts';
import { passSecondFactor } from '../accounts/second-factor.ts';
import { exportOf } from '../app/personal-data.ts';
import { requestContext, type AppContext } from '../context/context.ts';
import { badUserInput, mutation, refusedToken } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { replyWithError, replyWithReasons } from './replies.ts';
import { goodreadsFileOf } from '../libraryimports/goodreads-file.ts';
import { recordSecurityEvent } from '../security/operations.ts';
import { admitWithin } from '../throttling/operations.ts';
import { DAY_SECONDS } from '../time/units.ts';

/** The path at which readers download everything that is stored about them. */
export const EXPORT_PATH = '/export-my-data';

/**
 * The bytes that an export holds: a page of rows, and the part of the answer that the client has
 * not yet received.
 */
const HELD_BYTES = 4 * 1_024 * 1_024;
/** The limit of exports per reader, because an export reads all rows of the reader. */
const EXPORTS_PER_DAY = 5;

const exportInput = z.strictObject({
  password: z.string(),
  code: z.string().nullish(),
  format: z.enum(['JSON', 'GOODREADS']).default('JSON'),
});

export const resolvers = {
  Query: {
    exportMyData: (_query, _args, { viewerId }) => (viewerId === null ? null : { path: EXPORT_PATH }),
  },
} satisfies Resolvers;

/** Serves exports, one at a time for each reader. */
export function serveExports(server: FastifyInstance, app: AppContext): void {
  const admitOne = onePerReader('Another export of your data is in progress.');
  server.post(EXPORT_PATH, (request, reply) => sendExport(app, admitOne, request, reply));
}

/**
 * Answers with everything that is stored about the caller, as JSON, or with their library as CSV.
 * The answer is streamed, so no table is ever held in memory.
 */
async function sendExport(
  app: AppContext,
  admitOne: AdmitOne,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    const { caller } = await callerOf(app, request);
    const context = requestContext(app, caller);
    const { viewerId, sessionId, address } = caller;
    if (viewerId === null) throw refusedToken('NO_TOKEN');
    const input = exportInput.safeParse(request.body);
    if (!input.success)
      throw badUserInput(
        'Send a JSON object with your password: {"password": "…"}, ' +
          'and perhaps "format": "GOODREADS" for your library alone.',
      );

    const { userErrors } = await mutation({}, async () => {
      const { password, code } = input.data;
      admitOne(request, viewerId);
      if (request.held?.take(HELD_BYTES) === false) throw noRoomError();
      await confirmPassword(context, viewerId, password, (known) => passSecondFactor(context, viewerId, known, code));
      await admitWithin(context, {
        name: `exports ${viewerId}`,
        limit: EXPORTS_PER_DAY,
        seconds: DAY_SECONDS,
        refusal: `Your data can be exported ${EXPORTS_PER_DAY} times a day.`,
      });
      return {};
    });
    if (userErrors.length > 0) return await replyWithReasons(reply, userErrors);

    const event = { kind: 'DATA_EXPORTED', at: app.clock(), address, sessionId } as const;
    await recordSecurityEvent(app, viewerId, app.randomId(), event);
    const isTable = input.data.format === 'GOODREADS';
    return await reply
      .header('content-disposition', `attachment; filename="${isTable ? 'my-library.csv' : 'my-data.json'}"`)
      .type(isTable ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      .send(Readable.from(isTable ? goodreadsFileOf(app, viewerId) : exportOf(app, viewerId)));
  } catch (error) {
    return replyWithError(request, reply, error);
  }
}
