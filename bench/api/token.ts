import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The common parts of all servers except ours: the check of the access token, and the message that
 * the server is ready.
 */

/** Prints that a server is ready, like ours. */
export const ready = (port: number): boolean => process.stdout.write(`POST http://127.0.0.1:${port}/graphql ready;\n`);

/**
 * Returns the reader of an `authorization` header. Its token must be signed by the server's secret,
 * and not expired.
 * @throws if the token is not valid
 */
export function viewerOf(authorization: string | undefined): string {
  const [head = '', payload = '', signature = ''] = authorization?.slice('Bearer '.length).split('.') ?? [];
  const expected = createHmac('sha256', process.env['ACCESS_TOKEN_SECRET'] ?? '')
    .update(`${head}.${payload}`)
    .digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error('not a token of this library');

  const { sub, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string; exp: number };
  if (exp * 1_000 < Date.now()) throw new Error('the token has expired');
  return sub;
}
