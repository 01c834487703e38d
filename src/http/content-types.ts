import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../context/context.ts';
import { BODY_BYTES_MAX } from './admission.ts';
import { readBody } from './bodies.ts';
import { nextTurnOf } from './turns.ts';
import { areTooMany, TOO_MANY_VALUES } from './variables.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;
const REFUSAL =
  'Send the body in UTF-8, as "content-type: application/json; charset=utf-8"; no other charset is accepted.';

const JSON_TYPE = /^\s*application\/(?:[^;]*\+)?json/i;

/** Returns the error for a body whose values take far more memory than its text. */
const refusedValue = (body: unknown): Error | null =>
  areTooMany(body) ? Object.assign(new Error(TOO_MANY_VALUES), { statusCode: 400 }) : null;

/**
 * Makes a server accept only JSON in UTF-8, of at most 256 KiB. A body of another type or charset
 * is refused with 415, except by a route that reads other types and knows their charsets. By
 * default Fastify also reads plain text, and reads every body as UTF-8 (RFC 8259, 8.1) even if it
 * names another charset.
 */
export function readJsonAlone(server: FastifyInstance, app: AppContext): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', (request, arriving, done) => {
    readBody(request, arriving, BODY_BYTES_MAX, (error, body) => {
      if (error) {
        done(error);
        return;
      }
      // The work on a request begins here. Requests that arrived together begin one after the
      // other.
      void nextTurnOf(app.config, request.ip).then(() =>
        parse(request, body.toString(), (wrong, value) => done(wrong ?? refusedValue(value), value)),
      );
    });
  });
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const type = headers['content-type'] ?? '';
    const [, charset] = JSON_TYPE.test(type) ? (CHARSET.exec(type) ?? []) : [];
    if (charset === undefined || /^utf-?8$/i.test(charset)) done();
    else done(Object.assign(new Error(REFUSAL), { statusCode: 415 }));
  });
}
