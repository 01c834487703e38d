import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../context/context.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';

/** The maximum time that Chrome caches a preflight. */
const REMEMBERED_SECONDS = 7_200;

/**
 * The response headers that a frontend may read in addition to those that browsers always expose.
 */
const EXPOSED = [
  'content-disposition',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-cost',
  'retry-after',
  'www-authenticate',
  REQUEST_ID_HEADER,
];

/**
 * Allows browsers to show answers to pages of the configured origins, if there are any. Requests of
 * other origins are answered without CORS headers, and the browser hides the answer from the page.
 * A preflight from a configured origin is answered here, before anybody is charged. The caller is
 * identified by the token in a header, which the page has to hold. Pages of the list may send
 * cookies (`Access-Control-Allow-Credentials`) only if the refresh token can be in one. A request
 * may have any headers.
 */
export async function allowOrigins(server: FastifyInstance, { config }: AppContext): Promise<void> {
  if (config.corsOrigins.length === 0) return;
  const allowed = new Set(config.corsOrigins);

  await server.register(cors, {
    // Given a list, the plugin would answer preflights of all origins, and every OPTIONS request.
    origin: (origin, done) => {
      done(null, origin !== undefined && allowed.has(origin));
    },
    credentials: config.sessions.refreshCookie,
    methods: ['GET', 'POST'],
    exposedHeaders: EXPOSED,
    maxAge: REMEMBERED_SECONDS,
    // In strict mode the plugin refuses other OPTIONS requests with plain text, unlike this API's
    // errors.
    strictPreflight: false,
  });
}
