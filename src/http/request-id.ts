import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The response header with the id of the request. Every answer has it. */
export const REQUEST_ID_HEADER = 'x-request-id';

/**
 * A `traceparent` header: version, trace id, parent id and flags. A version later than 00 may have
 * more fields: https://www.w3.org/TR/trace-context/#versioning-of-traceparent
 */
const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<parentId>(?!0{16})[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;
const NO_TRACE = '0'.repeat(32);

interface WithHeaders {
  readonly headers: IncomingHttpHeaders;
}

/** Returns the client's trace and its span there, if its header is valid. */
function traceparentOf({ headers: { traceparent } }: WithHeaders) {
  const { version, traceId, parentId, more } = TRACEPARENT.exec(String(traceparent ?? ''))?.groups ?? {};
  const isValid = traceId !== undefined && traceId !== NO_TRACE && (version !== '00' || more === undefined);
  return isValid ? { traceId, parentId } : undefined;
}

/**
 * Returns the id under which a request is logged and answered: 32 hexadecimal digits. It is the
 * trace id of the W3C header `traceparent`, so that a proxy's, a frontend's and our log have the
 * same one; without a valid header it is random. A client may send any id, so an id proves nothing.
 */
export const requestIdOf = (request: WithHeaders): string =>
  traceparentOf(request)?.traceId ?? randomUUID().replaceAll('-', '');

/** Returns the client's span that a request belongs to, if the request names one. */
export const parentOf = (request: WithHeaders): string | undefined => traceparentOf(request)?.parentId;
