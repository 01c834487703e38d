import type { FastifyRequest } from 'fastify';

/**
 * Answers are data: browsers must not show one as a page, frame it, guess another type, or store
 * it.
 */
const OF_EVERY_ANSWER = {
  // Apollo's cache-control plugin would set this header, but costs a third of the throughput.
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
const OF_DATA = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" } as const;
/** GraphiQL is one page with inline scripts, for development. */
const OF_PAGES = { 'content-security-policy': "frame-ancestors 'none'; object-src 'none'; base-uri 'none'" } as const;
/**
 * The header lasts two years, as the preload list of browsers requires. RFC 6797, 7.2 forbids it on
 * answers without TLS.
 */
const OF_TLS = { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } as const;

/** The header sets are made once, because every answer has one. */
const HEADERS = {
  data: { ...OF_EVERY_ANSWER, ...OF_DATA },
  dataByTls: { ...OF_EVERY_ANSWER, ...OF_DATA, ...OF_TLS },
  page: { ...OF_EVERY_ANSWER, ...OF_PAGES },
  pageByTls: { ...OF_EVERY_ANSWER, ...OF_PAGES, ...OF_TLS },
} as const;

/**
 * The headers of an answer to input that is not a request. It is unknown whether such input was
 * sent over TLS.
 */
export const HEADERS_OF_NO_REQUEST: Readonly<Record<string, string>> = HEADERS.data;

/**
 * Returns the security headers of an answer. A trusted proxy reports whether the request was sent
 * over TLS.
 */
export function securityHeaders({ protocol, url }: FastifyRequest): Readonly<Record<string, string>> {
  const isByTls = protocol === 'https';
  if (url.startsWith('/graphiql')) return isByTls ? HEADERS.pageByTls : HEADERS.page;
  return isByTls ? HEADERS.dataByTls : HEADERS.data;
}
