import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../context/context.ts';

/** As long as Chrome remembers what it was told. */
const REMEMBERED_SECONDS = 7_200;

/** What a frontend may read of an answer's head, beside what browsers let it read anyway. */
const EXPOSED = [
  'content-disposition',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-cost',
  'retry-after',
  'www-authenticate',
];

/**
 * Lets browsers show answers to the pages of some origins, where there are any. Others are answered as before, without a word of CORS: it is
 * the browser that keeps the answer from their pages. A preflight of a listed one is answered here, before anybody is charged. A caller is
 * known by the token in a header, which a page has to have; no cookies are asked for (`Access-Control-Allow-Credentials`), so a page of
 * another origin can do nothing that its server could not. A request may have any headers.
 */
export async function allowOrigins(server: FastifyInstance, { config }: AppContext): Promise<void> {
  if (config.corsOrigins.length === 0) return;
  const allowed = new Set(config.corsOrigins);

  await server.register(cors, {
    // A list would answer everybody's preflights, and everything asked by OPTIONS.
    origin: (origin, done) => {
      done(null, origin !== undefined && allowed.has(origin));
    },
    methods: ['GET', 'POST'],
    exposedHeaders: EXPOSED,
    maxAge: REMEMBERED_SECONDS,
    // Its refusal of what is no preflight is a text, as none of this API's answers.
    strictPreflight: false,
  });
}
