import { jwtVerify, SignJWT } from 'jose';
import type { Config } from '../config.ts';

const ALGORITHM = 'HS256';
const ISSUER = 'social-e-library';
const AUDIENCE = 'social-e-library/graphql';
/** RFC 9068: the type of a JWT that is an access token. */
const TYPE = 'at+jwt';

const keyOf = (config: Config) => new TextEncoder().encode(config.accessTokens.secret);

/** Makes an access token for a reader, good from now on. */
export async function issueAccessToken(
  config: Config,
  userId: string,
  now: Date,
): Promise<{ accessToken: string; accessTokenExpiresAt: Date }> {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const expiresAt = issuedAt + config.accessTokens.seconds;
  const accessToken = await new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setSubject(userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(keyOf(config));
  return { accessToken, accessTokenExpiresAt: new Date(expiresAt * 1_000) };
}

/** The reader of an access token; `undefined` when it is not one of ours or no longer good. */
export async function readAccessToken(config: Config, token: string, now: Date): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, keyOf(config), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: now,
    });
    return payload.sub;
  } catch {
    return undefined;
  }
}
