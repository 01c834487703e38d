import type { FastifyInstance } from 'fastify';

/** JSON is UTF-8, RFC 8259, 8.1; Fastify reads it as that, whatever a request says. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
const REFUSAL = 'Send the body in UTF-8, as "content-type: application/json; charset=utf-8"; no other charset is read.';

/** Refuses with 415 every request that says that its body is written in another charset than UTF-8. */
export function refuseOtherCharsets(server: FastifyInstance): void {
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const [, charset] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
    if (charset === undefined || /^utf-?8$/i.test(charset)) done();
    else done(Object.assign(new Error(REFUSAL), { statusCode: 415 }));
  });
}
