import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestContext, type AppContext } from '../context/context.ts';
import { badUserInput, mutation, refusedToken } from '../graphql/errors.ts';
import { encodeId } from '../graphql/ids.ts';
import { readLibrary, receiveLibrary } from '../libraryimports/operations.ts';
import { admitWithin } from '../throttling/operations.ts';
import { DAY_SECONDS } from '../time/units.ts';
import { onePerReader, type Admission, type AdmitOne } from './admission.ts';
import { readBody } from './bodies.ts';
import { callerOf } from './caller.ts';
import { answerError } from './errors.ts';
import { replyWithError, replyWithReasons } from './replies.ts';

/** The path that readers send the file of another service to. */
export const IMPORT_PATH = '/import-my-library';

const FILE_MIB_MAX = 10;
export const FILE_BYTES_MAX = FILE_MIB_MAX * 1_024 * 1_024;
const TOO_LARGE = `The file is larger than ${FILE_MIB_MAX} MiB. Send it in parts, each with the first line.`;
/** The limit of imports per reader, because a job processes each line of a file. */
const IMPORTS_PER_DAY = 10;
/**
 * The limit of files per reader. It includes refused files, as each is read before it is refused.
 */
const FILES_PER_DAY = 50;

/**
 * Accepts the file of another service as the body of a POST. Its content type is ignored, because
 * browsers and services disagree on it.
 */
export function serveImports(server: FastifyInstance, app: AppContext, admission: Admission): void {
  const admitOne = onePerReader('Another file of yours is being received.');
  void server.register(async (imports) => {
    imports.removeAllContentTypeParsers();
    imports.addContentTypeParser('*', (request, arriving, done) => {
      readBody(request, arriving, FILE_BYTES_MAX, done);
    });
    imports.setErrorHandler<FastifyError>((error, request, reply) => {
      if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') error.message = TOO_LARGE;
      answerError(error, request, reply);
    });
    imports.post(
      IMPORT_PATH,
      { onRequest: (request, reply) => admitFile(app, admitOne, request, reply), preHandler: admission.admitImport },
      (request, reply) => receive(app, request, reply),
    );
    return Promise.resolve();
  });
}

/**
 * Refuses a caller who is signed out, or who is sending another file, before the file has arrived.
 */
async function admitFile(
  app: AppContext,
  admitOne: AdmitOne,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    const { viewerId } = (await callerOf(app, request)).caller;
    if (viewerId === null) throw refusedToken('NO_TOKEN');

    const { userErrors } = await mutation({}, async () => {
      admitOne(request, viewerId);
      return Promise.resolve({});
    });
    return userErrors.length > 0 ? await replyWithReasons(reply, userErrors) : undefined;
  } catch (error) {
    return replyWithError(request, reply, error);
  }
}

async function receive(app: AppContext, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  try {
    const { caller } = await callerOf(app, request);
    const context = requestContext({ ...app, requestId: request.id }, caller);
    const { body } = request;
    if (request.headers['content-type']?.startsWith('multipart/'))
      throw badUserInput('Send the file itself as the body of the request, not in a form.');
    if (!Buffer.isBuffer(body) || body.length === 0)
      throw badUserInput('The file is empty. Send the whole file that the other service made.');

    const { userErrors, ...received } = await mutation({ id: '' }, async () => {
      await admitWithin(context, {
        name: `import files ${String(caller.viewerId)}`,
        limit: FILES_PER_DAY,
        seconds: DAY_SECONDS,
        refusal: `At most ${FILES_PER_DAY} files can be tried a day.`,
      });
      const library = await readLibrary(body, context.clock());
      await admitWithin(context, {
        name: `imports ${String(caller.viewerId)}`,
        limit: IMPORTS_PER_DAY,
        seconds: DAY_SECONDS,
        refusal: `A library can be imported ${IMPORTS_PER_DAY} times a day.`,
      });
      return { id: encodeId({ type: 'LibraryImport', key: await receiveLibrary(context, library) }) };
    });
    return await (userErrors.length > 0 ? replyWithReasons(reply, userErrors) : reply.send(received));
  } catch (error) {
    return replyWithError(request, reply, error);
  }
}
