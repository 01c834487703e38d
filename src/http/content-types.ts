import type { FastifyInstance } from 'fastify';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
const REFUSAL =
  'Send the body in UTF-8, as "content-type: application/json; charset=utf-8"; no other charset is accepted.';

/**
 * Makes a server accept only JSON in UTF-8. A body of another type or charset is refused with 415.
 * By default Fastify also reads plain text, and reads every body as UTF-8 (RFC 8259, 8.1) whatever
 * its charset says.
 */
export function readJsonAlone(server: FastifyInstance): void {
  server.removeContentTypeParser('text/plain');
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
    if (charset === undefined || /^utf-?8$/i.test(charset)) done();
    else done(Object.assign(new Error(REFUSAL), { statusCode: 415 }));
  });
}
