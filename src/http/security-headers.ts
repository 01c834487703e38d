import type { FastifyRequest } from 'fastify';

/** Answers are data: no browser is to show one as a page, put it into a frame, guess another type, or keep it. */
const OF_EVERY_ANSWER = {
  // Apollo's cache-control plugin, which would say this, costs a third of the throughput.
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
const OF_DATA = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" } as const;
/** GraphiQL is one page with its scripts in it, for development. */
const OF_PAGES = { 'content-security-policy': "frame-ancestors 'none'; object-src 'none'; base-uri 'none'" } as const;
/** Two years, as browsers' preload list asks for. RFC 6797, 7.2: not where the request came without TLS. */
const OF_TLS = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } as const;

/** Made once, as every answer has them. */
const HEADERS = {
  data: { ...OF_EVERY_ANSWER, ...OF_DATA },
  dataByTls: { ...OF_EVERY_ANSWER, ...OF_DATA, ...OF_TLS },
  page: { ...OF_EVERY_ANSWER, ...OF_PAGES },
  pageByTls: { ...OF_EVERY_ANSWER, ...OF_PAGES, ...OF_TLS },
} as const;

/** What the head of an answer to no request tells browsers: there is nothing that says whether it came by TLS. */
export const HEADERS_OF_NO_REQUEST: Readonly<Record<string, string>> = HEADERS.data;

/** What an answer's head tells browsers; whether a request came by TLS, a trusted proxy says. */
export function securityHeaders({ protocol, url }: FastifyRequest): Readonly<Record<string, string>> {
  const isByTls = protocol === 'https';
  if (url.startsWith('/graphiql')) return isByTls ? HEADERS.pageByTls : HEADERS.page;
  return isByTls ? HEADERS.dataByTls : HEADERS.data;
}
