import { HeaderMap } from '@apollo/server';
import { GraphQLError, type GraphQLErrorExtensions, type GraphQLFormattedError } from 'graphql';
import { BudgetError } from '../cassandra/budget.ts';
import { CassandraError, ContentionError } from '../cassandra/errors.ts';
import { waitInWords } from '../text/waits.ts';
import type { UserError as UserErrorData, UserErrorCode } from './generated/schema-types.ts';
import type { HintFor } from './hints.ts';
import { placeOf } from './places.ts';

/**
 * A reason for a refusal that a person can act on. A mutation returns it in `userErrors`, and has
 * done nothing.
 * @param path the path of the input field, from the outermost one
 */
export class UserError extends Error {
  override name = 'UserError';
  readonly code: UserErrorCode;
  readonly path: readonly string[];
  constructor(code: UserErrorCode, message: string, path: readonly string[]) {
    super(message);
    this.code = code;
    this.path = path;
  }
  /** All reasons, one error for each. */
  get all(): readonly UserError[] {
    return [this];
  }
}

/**
 * Makes the error for an input that cannot be used.
 * @param path the path of the field within the input
 */
export const invalidInput = (path: readonly string[], message: string): UserError =>
  new UserError('INVALID_INPUT', message, ['input', ...path]);

/** Several reasons at once. Code that expects one reason uses the first. */
export class UserErrors extends UserError {
  readonly #all: readonly UserError[];
  constructor(first: UserError, others: readonly UserError[]) {
    super(first.code, first.message, first.path);
    this.#all = [first, ...others];
  }
  override get all(): readonly UserError[] {
    return this.#all;
  }
}

/** Thrown when something was done too often and has to wait. */
export class RateLimitedError extends UserError {
  readonly retryAfterSeconds: number;
  /** @param why a sentence that names the limit that was exceeded */
  constructor(why: string, retryAfterSeconds: number) {
    super('RATE_LIMITED', `${why} Try again in ${waitInWords(retryAfterSeconds)}.`, ['input']);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The closed list of `extensions.code`. docs/errors.md explains what a client does with each. */
export const REQUEST_ERROR_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'NOT_FOUND',
  'RATE_LIMITED',
  'OVERLOADED',
  'TIMEOUT',
  'INTERNAL_SERVER_ERROR',
] as const;

export type RequestErrorCode = (typeof REQUEST_ERROR_CODES)[number];

/** The reason why the caller is signed out: `extensions.reason` of `UNAUTHENTICATED`. */
export type UnauthenticatedReason = 'NO_TOKEN' | 'TOKEN_EXPIRED' | 'TOKEN_INVALID' | 'SESSION_ENDED';

/** The status and headers that an error gives its answer. */
interface HttpHead {
  readonly status: number;
  readonly headers?: HeaderMap;
}

/**
 * The details of an error in addition to its code and message, and the status and headers of its
 * answer.
 */
interface ErrorDetails {
  readonly http?: HttpHead;
  readonly retryAfterSeconds?: number;
  readonly reason?: UnauthenticatedReason;
}

/** Any error that is not a {@link UserError}: a GraphQL error with a code of the closed list. */
export class RequestError extends GraphQLError {
  /** The headers that it adds to the answer. */
  readonly headers: ReadonlyMap<string, string>;
  constructor(code: RequestErrorCode, message: string, details: ErrorDetails = {}) {
    // Apollo expects its HeaderMap, but another library declares the field differently.
    super(message, { extensions: { code, ...details } as unknown as GraphQLErrorExtensions });
    this.headers = details.http?.headers ?? new Map();
  }
}

/** Makes the error for a caller who spent too much within a minute. */
export function tooManyRequests(retryAfterSeconds: number): RequestError {
  return new RequestError(
    'RATE_LIMITED',
    'This exceeds the limit of requests within a minute. Nothing was done; ' +
      `try again in ${String(retryAfterSeconds)} s.`,
    later(429, retryAfterSeconds),
  );
}

/**
 * Makes the error for a caller who has as many open subscriptions as allowed.
 * @param whose whose subscriptions are counted, and how many are allowed: `of one reader, 20`
 */
export function tooManyStreams(whose: string, retryAfterSeconds: number): RequestError {
  const message = `Too many subscriptions are open: at most those ${whose}. End some, and subscribe again.`;
  return new RequestError('RATE_LIMITED', message, later(429, retryAfterSeconds));
}

/**
 * Makes the error for more work than this server can do.
 * @param why a sentence that names the exhausted resource
 */
export function overloaded(why: string, retryAfterSeconds: number): RequestError {
  const message = `${why} Nothing was done; try again in ${String(retryAfterSeconds)} s.`;
  return new RequestError('OVERLOADED', message, later(503, retryAfterSeconds));
}

/** The head of an answer that asks the caller to try again later. */
const later = (status: number, retryAfterSeconds: number) => ({
  retryAfterSeconds,
  http: { status, headers: new HeaderMap([['retry-after', String(retryAfterSeconds)]]) },
});

/** Makes the error for a field or argument that cannot be used. The message names it. */
export const badUserInput = (message: string) => new RequestError('BAD_USER_INPUT', message);

/** The protection space of access tokens; RFC 9110, 11.5. */
const REALM = 'social-e-library';
const LOG_IN = 'Log in first, then send the access token: Authorization: Bearer <accessToken>.';
const WHY_UNAUTHENTICATED: Readonly<Record<UnauthenticatedReason, string>> = {
  NO_TOKEN: LOG_IN,
  TOKEN_EXPIRED: 'The access token has expired. Get another one by refreshTokens.',
  TOKEN_INVALID: `This is not one of our access tokens. ${LOG_IN}`,
  SESSION_ENDED: `The session of this access token has ended. ${LOG_IN}`,
};

/** Makes the error for a field that only signed-in readers can ask for. */
export const unauthenticated = (reason: 'NO_TOKEN' | 'SESSION_ENDED') =>
  new RequestError('UNAUTHENTICATED', WHY_UNAUTHENTICATED[reason], { reason });

/**
 * Makes the error that refuses a whole request, with status 401 and the problem of its token as in
 * RFC 6750.
 */
export function refusedToken(reason: UnauthenticatedReason): RequestError {
  // RFC 6750 names no error if there was no token.
  const challenge = `Bearer realm="${REALM}"${reason === 'NO_TOKEN' ? '' : ', error="invalid_token"'}`;
  const http = { status: 401, headers: new HeaderMap([['www-authenticate', challenge]]) };
  return new RequestError('UNAUTHENTICATED', WHY_UNAUTHENTICATED[reason], { reason, http });
}

/**
 * Runs a mutation and turns a {@link UserError} into data.
 * @param nothing the rest of the payload if nothing was done
 */
export async function mutation<Done extends object, Nothing extends object>(
  nothing: Nothing,
  run: () => Promise<Done>,
): Promise<(Done | Nothing) & { userErrors: UserErrorData[] }> {
  try {
    return { ...(await run()), userErrors: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...nothing, userErrors: error.all.map(dataOf) };
  }
}

function dataOf(error: UserError): UserErrorData {
  const { code, message, path } = error;
  const retryAfterSeconds = error instanceof RateLimitedError ? error.retryAfterSeconds : null;
  return { code, message, path: [...path], retryAfterSeconds };
}

/** Apollo's codes for requests that the client has to correct. */
const REQUEST_CODES: readonly string[] = ['BAD_USER_INPUT', 'BAD_REQUEST'];

/**
 * Reports an error that is not the client's mistake.
 * @returns the id of the request that failed, which the answer then has too
 */
export type ReportFailure = (error: unknown) => string | undefined;

/**
 * Converts an error to the form that a client sees: a code of the closed list and a message without
 * internals and values.
 * @param report called for each error that is not the client's mistake
 * @param hintFor gives the hints to callers who may read the schema
 */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  report: ReportFailure,
  hintFor: HintFor = () => '',
): GraphQLFormattedError {
  const cause = error instanceof GraphQLError && error.originalError ? error.originalError : error;
  const locations = formatted.locations ?? locationsOf(error);
  const { code, message, requestId } = describe(formatted, cause, report, hintFor);
  const { retryAfterSeconds, reason } = cause instanceof RequestError ? cause.extensions : {};
  return {
    message,
    ...(locations && { locations }),
    ...(formatted.path && { path: formatted.path }),
    extensions: {
      code,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(reason === undefined ? {} : { reason }),
      ...(requestId === undefined ? {} : { requestId }),
    },
  };
}

function describe(
  formatted: GraphQLFormattedError,
  cause: unknown,
  report: ReportFailure,
  hintFor: HintFor,
): { code: RequestErrorCode; message: string; requestId?: string | undefined } {
  if (cause instanceof RequestError) {
    return { code: cause.extensions['code'] as RequestErrorCode, message: cause.message };
  }
  if (cause instanceof BudgetError) {
    // A spent budget leaves nothing half done, as only queries and payloads have budgets.
    const isTooMuch = cause.spent === 'ROWS' || cause.spent === 'BYTES';
    return { code: isTooMuch ? 'BAD_USER_INPUT' : 'OVERLOADED', message: cause.message };
  }
  if (cause instanceof CassandraError) {
    const requestId = report(cause);
    // A transaction wraps the cause in an error with its own name.
    if (cause instanceof ContentionError || cause.cause instanceof ContentionError)
      return {
        code: 'TIMEOUT',
        requestId,
        message:
          'Others are changing the same thing all the time. Whether it was done is unknown; ' +
          'repeat it in a few seconds, which is safe.',
      };
    return cause.outcome === 'unknown'
      ? {
          code: 'TIMEOUT',
          requestId,
          message: 'The database did not answer in time. Whether it was done is unknown; repeating it is safe.',
        }
      : {
          code: 'OVERLOADED',
          requestId,
          message: 'The database has no capacity now. Nothing was done; try again in a few seconds.',
        };
  }
  // GraphQL's own errors before any field was executed are about the request, with or without a
  // code.
  const isAboutRequest = cause instanceof GraphQLError && cause.path === undefined;
  if (isAboutRequest || REQUEST_CODES.includes(String(formatted.extensions?.['code']))) {
    const message = argumentOf(cause) + withoutValues(formatted.message) + hintFor(formatted.message);
    return { code: 'BAD_USER_INPUT', message };
  }
  const requestId = report(cause);
  return { code: 'INTERNAL_SERVER_ERROR', requestId, message: 'Something went wrong on our side. It has been logged.' };
}

/** Returns the place in the document of the first node that an error is about. */
function locationsOf(error: unknown): GraphQLFormattedError['locations'] {
  const [node] = error instanceof GraphQLError ? (error.nodes ?? []) : [];
  const place = node && placeOf(node);
  return place && [{ line: place.line, column: place.column }];
}

/** The part of GraphQL's message about a wrong value that does not repeat the value. */
const SAFE_REASON =
  /^(?:Expected (?:non-nullable )?type "[^"]+" (?:not to be null|to be an object)\.|Field "\w+" (?:of required type "[^"]+" was not provided|is not defined by type "[^"]+")\.|\w+ cannot represent [^:"]*value(?=:)|A (?:Date|DateTime|Duration|Decimal) is [^"]*\.$)/;
const PATH = /^[\w.[\]]+$/;
/** The maximum length of a caller's text for regular expressions; a longer one is cut first. */
const TRIED_LENGTH = 300;
const CANNOT_BE = 'cannot represent an invalid ';

/**
 * `"from": ` for an error about a literal of an argument or input field, whose name GraphQL leaves
 * out.
 */
function argumentOf(cause: unknown): string {
  const [node] = cause instanceof GraphQLError ? (cause.nodes ?? []) : [];
  const place = node?.kind.endsWith('Value') ? placeOf(node) : undefined;
  if (!place) return '';
  const { text, start } = place;
  const [, name] = /(\w+)\s*:\s*$/.exec(text.slice(Math.max(0, start - TRIED_LENGTH), start)) ?? [];
  return name === undefined ? '' : `"${name}": `;
}

/**
 * Removes values and suggestions from GraphQL's messages, as a value may be a password. The rest
 * names the variable or field and the expected value. Callers who may read the schema get
 * suggestions as hints.
 */
export function withoutValues(message: string): string {
  const [variable, refused] = cut(message, '" got invalid value ');
  if (refused !== undefined && variable.startsWith('Variable "$')) {
    const [value, reason = ''] = cut(refused, '; ');
    const at = value.lastIndexOf(' at "');
    const path = at < 0 || !value.endsWith('"') ? '' : value.slice(at + ' at "'.length, -1);
    const where = path.length <= TRIED_LENGTH && PATH.test(path) ? ` at "${path}"` : '';
    const why = SAFE_REASON.exec(reason.slice(0, TRIED_LENGTH))?.[0] ?? '';
    return `${variable}" has an invalid value${where}. ${why}${/\w$/.test(why) ? '.' : ''}`.trim();
  }
  return beforeFound(beforeInvalid(beforeValue(beforeSuggestion(message))));
}

/** Splits a text at the first occurrence of another one. */
function cut(text: string, at: string): [string, string?] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + at.length)];
}

const beforeSuggestion = (message: string) => (message.endsWith('?') ? cut(message, ' Did you mean ')[0] : message);

/** `Int cannot represent non-integer value: …` */
function beforeValue(message: string): string {
  const [before, value] = cut(message, ': ');
  return value !== undefined && before.endsWith('value') && before.includes('cannot represent ')
    ? `${before}.`
    : message;
}

/** `DateTime cannot represent an invalid date-time-string …` */
function beforeInvalid(message: string): string {
  const [before, invalid] = cut(message, CANNOT_BE);
  return invalid === undefined ? message : `${before}${CANNOT_BE}${cut(invalid, ' ')[0]}.`;
}

/**
 * `Expected value of type "Int!", found …`, but not `found <EOF>`, which has no text of the
 * caller's.
 */
function beforeFound(message: string): string {
  const [before, found] = cut(message, ', found ');
  return found === undefined || found.startsWith('<') ? message : `${before}.`;
}
