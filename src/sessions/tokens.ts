import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { signingSecret, type Config } from '../config/config.ts';
import { bytesOfUuid, uuidOfBytes } from '../graphql/ids.ts';

/**
 * Access tokens: JWTs, good for minutes, that say whose session it is.
 * Refresh tokens: opaque, good once, each the follower of the one before.
 */

const ALGORITHM = 'HS256';
const ISSUER = 'social-e-library';
const AUDIENCE = 'social-e-library/graphql';
/** RFC 9068: the type of a JWT that is an access token. */
const TYPE = 'at+jwt';
/** Servers' clocks differ by a little. */
const CLOCK_TOLERANCE_SECONDS = 5;

/** Whom an access token speaks for. */
export interface TokenOwner {
  readonly userId: string;
  readonly sessionId: string;
}

/** The name of a key in the header of a token: which of the secrets it is, without telling anything about it. */
const keyIdOf = (secret: string) => createHash('sha256').update(`key id ${secret}`).digest('base64url').slice(0, 8);
const keyOf = (secret: string) => new TextEncoder().encode(secret);

/** Makes an access token, good from now on. */
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

/** What an access token says. */
export interface AccessToken {
  readonly owner: TokenOwner;
  /** From its moment until this one, in seconds since 1970, it is good for whatever server; a little longer for one whose clock is behind. */
  readonly goodUntil: number;
}

/** Why an access token is not good: it was, or it is not one of ours, or not yet good. */
export type TokenFault = 'TOKEN_EXPIRED' | 'TOKEN_INVALID';

/** Reads an access token, or says why it is not good. */
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
        // Also refuses one that is issued in the future.
        maxTokenAge: seconds,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: now,
      },
    );
    const { sub, sid, iat = 0, exp = 0 } = payload;
    if (typeof sub !== 'string' || typeof sid !== 'string') return 'TOKEN_INVALID';
    return { owner: { userId: sub, sessionId: sid }, goodUntil: Math.min(exp, iat + seconds) };
  } catch (error) {
    // Looked at only where the signature is ours: a forged token is invalid, whatever its dates.
    return error instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID';
  }
}

const SESSION_ID_BYTES = 16;
const SECRET_BYTES = 32;
const TAG_BYTES = 16;

/** A refresh token, taken apart: which session it is of, its own secret, and that it was made by us. */
interface RefreshToken {
  readonly sessionId: string;
  readonly secret: Buffer;
  readonly tag: Buffer;
}

/** What the tables keep of a refresh token. */
export const refreshHash = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Makes the first refresh token of a session: 256 random bits. */
export const firstRefreshToken = (config: Config, sessionId: string) =>
  writeRefreshToken(signingSecret(config), sessionId, randomBytes(SECRET_BYTES));

/**
 * The token that follows a given one: always the same, so that two tabs that refresh at once, or a call that is repeated
 * because its answer was lost, get one token. Nobody can tell it without a server's secret.
 */
export const nextRefreshToken = (config: Config, token: string) => followerOf(signingSecret(config), token);

/** The follower of a token that has a given hash; `undefined` when the secret that made it is gone. */
export const nextRefreshTokenOf = (config: Config, token: string, hash: string): string | undefined =>
  config.accessTokens.secrets.map((secret) => followerOf(secret, token)).find((next) => refreshHash(next) === hash);

function followerOf(serverSecret: string, token: string): string {
  const { sessionId, secret } = readRefreshToken(token) ?? {};
  if (sessionId === undefined || secret === undefined) throw new Error('What is no token has no follower');
  return writeRefreshToken(serverSecret, sessionId, mac(serverSecret, 'next', sessionId, secret));
}

function writeRefreshToken(serverSecret: string, sessionId: string, secret: Buffer): string {
  const tag = mac(serverSecret, 'tag', sessionId, secret).subarray(0, TAG_BYTES);
  return Buffer.concat([bytesOfUuid(sessionId), secret, tag]).toString('base64url');
}

const mac = (serverSecret: string, use: string, sessionId: string, secret: Buffer): Buffer =>
  createHmac('sha256', serverSecret).update(`refresh token ${use} ${sessionId}`).update(secret).digest();

/** Takes a text apart; `undefined` when it has not the shape of a refresh token. */
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

/** The session that a refresh token names, whether or not it is a good one; `undefined` for what cannot be one. */
export const sessionOfRefreshToken = (token: string): string | undefined => readRefreshToken(token)?.sessionId;

/** Whether a refresh token was once made by us, however old it is. Nobody can make one up to end somebody's session. */
export function isGenuine({ accessTokens }: Config, token: string): boolean {
  const read = readRefreshToken(token);
  if (!read) return false;
  const { sessionId, secret, tag } = read;
  return accessTokens.secrets.some((serverSecret) =>
    timingSafeEqual(mac(serverSecret, 'tag', sessionId, secret).subarray(0, TAG_BYTES), tag),
  );
}
