import { EXPORT_PATH } from '../../src/http/export.ts';
import { IMPORT_PATH } from '../../src/http/import.ts';
import type { Chance } from '../support/chance.ts';
import { PASSWORD } from '../support/client.ts';
import { uploadOf } from './files.ts';
import { anything, changedOr, type Seen } from './values.ts';
import type { Operations } from './operations.ts';

/** An HTTP request as text; `raw` is sent unchanged. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly raw?: string;
  /** The way of reading the answer; without a delay if it is unset. */
  readonly reads?: 'AT_ONCE' | 'SLOWLY' | 'NOT_TO_THE_END';
}

const PATHS = [
  '/',
  '/graphql/',
  '/graphql/x',
  '/graphiql',
  '/health/live',
  '/health/ready',
  '/export-my-data',
  '/..%2f..',
  '/%',
  '/%00',
  `/${'x'.repeat(3_000)}`,
];
const METHODS = ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'POST'];
const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'text/plain',
  'application/graphql',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  '',
  '*/*',
  'application/json, application/json',
];
const ACCEPTS = [
  'application/graphql-response+json',
  'application/json',
  '*/*',
  'text/html',
  'multipart/mixed',
  '',
  'q=;;',
];
const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['content-encoding', 'gzip'],
  ['content-encoding', 'x'],
  ['x-forwarded-for', '1.2.3.4'],
  ['x-forwarded-for', 'x'.repeat(5_000)],
  ['expect', '100-continue'],
  ['x-long', 'y'.repeat(12_000)],
  ['origin', 'https://example.com'],
  ['cookie', 'a=b; '.repeat(100)],
  ['range', 'bytes=0-1'],
  ['connection', 'close'],
  ['apollo-require-preflight', 'true'],
];
const RAW = [
  'GET / HTTP/1.1\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}',
  'POST /graphql HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\nzz\r\n',
  'POST /graphql HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a"\r\n0\r\n\r\n',
  'GET /graphql HTTP/9.9\r\nhost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0000\u0001\u0002\u0003\r\n\r\n',
  'POST /graphql HTTP/1.1\r\nhost: x\r\nx\u0000y: z\r\n\r\n',
];

/** Makes the next request. */
export function nextRequest(chance: Chance, seen: Seen, operations: Operations): FuzzRequest {
  if (chance.chance(0.01)) return { method: '', path: '', headers: {}, body: undefined, raw: chance.pick(RAW) };
  const headers = headersFor(chance, seen);
  if (chance.chance(UPLOADS)) return upload(chance, headers);
  if (chance.chance(EXPORTS)) return exportOf(chance, headers);
  const operation = operations.make();
  if (chance.chance(0.03)) {
    const body = chance.chance(0.5) ? Buffer.from(JSON.stringify(anything(chance, seen))) : undefined;
    return { method: chance.pick(METHODS), path: chance.pick(PATHS), headers, body };
  }
  if (chance.chance(0.03)) {
    const { query, variables } = operation;
    const search = new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString().slice(0, 12_000);
    return { method: chance.pick(METHODS), path: `/graphql?${search}`, headers, body: undefined };
  }
  return { method: 'POST', path: '/graphql', headers, body: bodyFor(chance, seen, operation) };
}

const UPLOADS = 0.008;
const EXPORTS = 0.004;
/** Most files are small, because the lines of all of them are imported. */
const FILE_SIZES = [0.0005, 0.0005, 0.001, 0.005, 0.02, 1];

function upload(chance: Chance, headers: FuzzRequest['headers']): FuzzRequest {
  const { name, body } = uploadOf(chance, chance.pick(FILE_SIZES));
  const type = chance.chance(0.9) ? 'text/csv' : chance.pick(CONTENT_TYPES);
  return {
    method: 'POST',
    path: `${IMPORT_PATH}?${encodeURIComponent(name)}`,
    headers: { ...headers, 'content-type': type },
    body,
  };
}

function exportOf(chance: Chance, headers: FuzzRequest['headers']): FuzzRequest {
  const body = { password: PASSWORD, format: chance.pick(['JSON', 'GOODREADS']) };
  return {
    method: 'POST',
    path: EXPORT_PATH,
    headers,
    body: Buffer.from(JSON.stringify(body)),
    reads: chance.pick(['AT_ONCE', 'SLOWLY', 'NOT_TO_THE_END']),
  };
}

function bodyFor(chance: Chance, seen: Seen, operation: object): Buffer {
  if (chance.chance(0.02)) return Buffer.from(JSON.stringify(anything(chance, seen)));
  if (chance.chance(0.001)) return Buffer.from(chance.pick(['[', '{"a":']).repeat(40_000));
  const whole = chance.chance(0.02)
    ? { ...operation, ...(anything(chance, seen, 5) as object | null), [chance.pick(ENVELOPE)]: anything(chance, seen) }
    : operation;
  const body = Buffer.from(JSON.stringify(chance.chance(0.01) ? [whole, whole] : whole));
  if (!chance.chance(0.03)) return body;
  const at = chance.below(body.length);
  switch (chance.below(3)) {
    case 0:
      return body.subarray(0, at);
    case 1:
      body[at] = chance.below(256);
      return body;
    default:
      return Buffer.concat([body.subarray(0, at), Buffer.alloc(chance.pick([10, 300_000]), 0x20), body.subarray(at)]);
  }
}

const ENVELOPE = ['query', 'variables', 'operationName', 'extensions', 'id', '__proto__'];

function headersFor(chance: Chance, seen: Seen): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (chance.chance(0.02)) headers['content-type'] = chance.pick(CONTENT_TYPES);
  if (chance.chance(0.1)) headers['accept'] = chance.pick(ACCEPTS);
  if (seen.accessTokens.length > 0 && chance.chance(0.7)) headers['authorization'] = authorization(chance, seen);
  if (chance.chance(0.03)) {
    const [name, value] = chance.pick(ODD_HEADERS);
    headers[name] = value;
  }
  return headers;
}

function authorization(chance: Chance, seen: Seen): string {
  // The newest tokens are used because their sessions are mostly open.
  const token = chance.pick(seen.accessTokens.slice(-16));
  if (chance.chance(0.95)) return `Bearer ${token}`;
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1] ?? ''}.`;
  const odd = ['Basic YTpi', 'Bearer', 'Bearer ', `Bearer ${'x'.repeat(9_000)}`, `Bearer ${unsigned}`];
  // A header must not have other characters.
  const changed = changedOr(chance, token)
    .replace(/[^\u0020-\u007E]/g, '')
    .slice(0, 9_000);
  return chance.chance(0.5) ? chance.pick(odd) : `Bearer ${changed}`;
}
