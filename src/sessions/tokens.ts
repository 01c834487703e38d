import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { signingSecret, type Config } from '../config/config.ts';
import { bytesOfUuid, uuidOfBytes } from '../graphql/ids.ts';

/**
 * Access tokens are JWTs, valid for minutes, that name a reader and their session. Refresh tokens
 * are opaque and valid once. Each is derived from the one before.
 */

const ALGORITHM = 'HS256';
const ISSUER = 'social-e-library';
const AUDIENCE = 'social-e-library/graphql';
/** The type of a JWT that is an access token (RFC 9068). */
const TYPE = 'at+jwt';
/** The tolerated difference between the clocks of servers. */
const CLOCK_TOLERANCE_SECONDS = 5;

/** The reader that an access token acts for, and their session. */
export interface TokenOwner {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * Returns the key id for the header of a token. It identifies the secret without revealing anything
 * about it.
 */
const keyIdOf = (secret: string) => createHash('sha256').update(`key id ${secret}`).digest('base64url').slice(0, 8);
const keyOf = (secret: string) => new TextEncoder().encode(secret);

/** Issues an access token that is valid from now on. */
export async function issueAccessToken(
  config: Config,
  { userId, sessionId }: TokenOwner,
  now: Date,
): Promise<{ accessToken: string; accessTokenExpiresAt: Date }> {
  const secret = signingSecret(config);
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const expiresAt = issuedAt + config.accessTokens.seconds;
  const accessToken = await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: keyIdOf(secret) })
    .setSubject(userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(keyOf(secret));
  return { accessToken, accessTokenExpiresAt: new Date(expiresAt * 1_000) };
}

/** The content of a valid access token. */
export interface AccessToken {
  readonly owner: TokenOwner;
  /**
   * The end of the token's validity, in seconds since 1970. A server whose clock is behind accepts
   * it a little longer.
   */
  readonly goodUntil: number;
}

/**
 * The reason why an access token is not valid: it has expired, or it is not one of ours or not
 * valid yet.
 */
export type TokenFault = 'TOKEN_EXPIRED' | 'TOKEN_INVALID';

/** Verifies an access token; returns its content, or the reason why it is not valid. */
export async function readAccessToken(config: Config, token: string, now: Date): Promise<AccessToken | TokenFault> {
  const { secrets, seconds } = config.accessTokens;
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const secret = secrets.find((each) => keyIdOf(each) === kid);
        if (secret === undefined) throw new Error('no key of ours');
        return keyOf(secret);
      },
      {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        typ: TYPE,
        requiredClaims: ['sub', 'sid', 'iat', 'exp'],
        // This option also refuses a token issued in the future.
        maxTokenAge: seconds,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: now,
      },
    );
    const { sub, sid, iat = 0, exp = 0 } = payload;
    if (typeof sub !== 'string' || typeof sid !== 'string') return 'TOKEN_INVALID';
    return { owner: { userId: sub, sessionId: sid }, goodUntil: Math.min(exp, iat + seconds) };
  } catch (error) {
    // Expiry is checked only after the signature, so a forged token is invalid regardless of its
    // dates.
    return error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID';
  }
}

const SESSION_ID_BYTES = 16;
const SECRET_BYTES = 32;
const TAG_BYTES = 16;

/**
 * The parts of a refresh token: its session, its own secret, and a tag that shows that one of our
 * servers made it.
 */
interface RefreshToken {
  readonly sessionId: string;
  readonly secret: Buffer;
  readonly tag: Buffer;
}

/** Returns the hash of a refresh token that the tables store. */
export const refreshHash = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Makes the first refresh token of a session, from 256 random bits. */
export const firstRefreshToken = (config: Config, sessionId: string) =>
  writeRefreshToken(signingSecret(config), sessionId, randomBytes(SECRET_BYTES));

/**
 * Returns the token that follows a given one. It is always the same, so that two tabs that refresh
 * at once get one token, and so does a call that is repeated because its answer was lost. It cannot
 * be computed without a server's secret.
 */
export const nextRefreshToken = (config: Config, token: string) => followerOf(signingSecret(config), token);

/**
 * Returns the follower of a token that has a given hash; `undefined` if the secret that made it was
 * removed.
 */
export const nextRefreshTokenOf = (config: Config, token: string, hash: string): string | undefined =>
  config.accessTokens.secrets.map((secret) => followerOf(secret, token)).find((next) => refreshHash(next) === hash);

function followerOf(serverSecret: string, token: string): string {
  const { sessionId, secret } = readRefreshToken(token) ?? {};
  if (sessionId === undefined || secret === undefined) throw new Error('Only a token has a next token');
  return writeRefreshToken(serverSecret, sessionId, mac(serverSecret, 'next', sessionId, secret));
}

function writeRefreshToken(serverSecret: string, sessionId: string, secret: Buffer): string {
  const tag = mac(serverSecret, 'tag', sessionId, secret).subarray(0, TAG_BYTES);
  return Buffer.concat([bytesOfUuid(sessionId), secret, tag]).toString('base64url');
}

const mac = (serverSecret: string, use: string, sessionId: string, secret: Buffer): Buffer =>
  createHmac('sha256', serverSecret).update(`refresh token ${use} ${sessionId}`).update(secret).digest();

/** Parses a refresh token; returns `undefined` for a text of another shape. */
function readRefreshToken(token: string): RefreshToken | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== SESSION_ID_BYTES + SECRET_BYTES + TAG_BYTES || bytes.toString('base64url') !== token)
    return undefined;
  return {
    sessionId: uuidOfBytes(bytes.subarray(0, SESSION_ID_BYTES)),
    secret: bytes.subarray(SESSION_ID_BYTES, SESSION_ID_BYTES + SECRET_BYTES),
    tag: bytes.subarray(SESSION_ID_BYTES + SECRET_BYTES),
  };
}

/**
 * Returns the session that a refresh token names, valid or not; `undefined` for a text that cannot
 * be one.
 */
export const sessionOfRefreshToken = (token: string): string | undefined => readRefreshToken(token)?.sessionId;

/**
 * True if one of our servers made the refresh token, at any time, with a secret that is still
 * accepted. A caller cannot forge one to end another reader's session.
 */
export function isGenuine({ accessTokens }: Config, token: string): boolean {
  const read = readRefreshToken(token);
  if (!read) return false;
  const { sessionId, secret, tag } = read;
  return accessTokens.secrets.some((serverSecret) =>
    timingSafeEqual(mac(serverSecret, 'tag', sessionId, secret).subarray(0, TAG_BYTES), tag),
  );
}
