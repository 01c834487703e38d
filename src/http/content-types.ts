import type { FastifyInstance } from 'fastify';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
const REFUSAL = 'Send the body in UTF-8, as "content-type: application/json; charset=utf-8"; no other charset is read.';

/**
 * Lets a server read JSON in UTF-8 and no other body: whatever says that it is one is refused with 415. Fastify reads plain text as well,
 * and every body as UTF-8 (RFC 8259, 8.1), whatever a request says.
 */
export function readJsonAlone(server: FastifyInstance): void {
  server.removeContentTypeParser('text/plain');
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
    if (charset === undefined || /^utf-?8$/i.test(charset)) done();
    else done(Object.assign(new Error(REFUSAL), { statusCode: 415 }));
  });
}
