import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTHeaderParameters } from 'jose';
import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { issueAccessToken, readAccessToken } from '../src/sessions/tokens.ts';
import { VerifiedTokens } from '../src/sessions/verified-tokens.ts';
import { testEnvironment } from './support/app.ts';

const SECONDS = 20;
/** The seconds for which a token is accepted longer, because clocks differ. */
const TOLERANCE = 5;
const ISSUED = Date.parse('2026-03-01T09:30:00.000Z');
const config = readConfig(testEnvironment({ ACCESS_TOKEN_SECONDS: String(SECONDS) }));
const at = (seconds: number) => new Date(ISSUED + seconds * 1_000);

/** Issues a token at {@link ISSUED}. */
async function issue() {
  const owner = { userId: randomUUID(), sessionId: randomUUID() };
  return { owner, token: (await issueAccessToken(config, owner, at(0))).accessToken };
}

let verify: MockInstance<typeof crypto.subtle.verify>;
beforeEach(() => {
  verify = vi.spyOn(crypto.subtle, 'verify');
});
afterEach(() => {
  verify.mockRestore();
});

test('each token is verified once', async () => {
  const tokens = new VerifiedTokens(config);
  const [one, other] = [await issue(), await issue()];
  for (const seconds of [0, 0, 1, SECONDS - 1]) {
    expect(await tokens.ownerOf(one.token, at(seconds))).toEqual(one.owner);
    expect(await tokens.ownerOf(other.token, at(seconds))).toEqual(other.owner);
  }
  expect(verify).toHaveBeenCalledTimes(2);
});

test('a cached token is valid for exactly the same seconds as one that is not cached', async () => {
  const tokens = new VerifiedTokens(config);
  const { owner, token } = await issue();
  expect(await tokens.ownerOf(token, at(SECONDS / 2))).toEqual(owner);
  const every = Array.from({ length: SECONDS + 5 * TOLERANCE }, (_, index) => index - 2 * TOLERANCE);
  // The clock is set forward, and then back.
  for (const seconds of [...every, ...every.toReversed()]) {
    const read = await readAccessToken(config, token, at(seconds));
    const fault = seconds < 0 ? 'TOKEN_INVALID' : 'TOKEN_EXPIRED';
    const expected = seconds >= -TOLERANCE && seconds < SECONDS + TOLERANCE ? owner : fault;
    expect(typeof read === 'string' ? read : read.owner, `${seconds} s after it was issued`).toEqual(expected);
    expect(await tokens.ownerOf(token, at(seconds)), `${seconds} s after it was issued`).toEqual(expected);
  }
});

test('an invalid token is not cached, and not mistaken for a valid one', async () => {
  const tokens = new VerifiedTokens(config);
  const { token } = await issue();
  await tokens.ownerOf(token, at(0));
  verify.mockClear();
  const [head, payload, signature = ''] = token.split('.');
  const forged = [head, payload, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)].join('.');
  for (let times = 0; times < 3; times++) expect(await tokens.ownerOf(forged, at(0))).toBe('TOKEN_INVALID');
  expect(verify).toHaveBeenCalledTimes(3);
  // Its dates are ignored, because anybody may have written them.
  expect(await tokens.ownerOf(forged, at(2 * SECONDS))).toBe('TOKEN_INVALID');
});

test('the total length of cached tokens is limited: if many are long, the others are verified again', async () => {
  const tokens = new VerifiedTokens(config);
  const { owner, token } = await issue();
  await tokens.ownerOf(token, at(0));
  const filling = 'x'.repeat(10_000);
  for (let letters = 0; letters < 4_000_000; letters += filling.length) {
    const long = await new SignJWT({ ...decodeJwt(token), filling, nth: letters })
      .setProtectedHeader(decodeProtectedHeader(token) as JWTHeaderParameters)
      .sign(new TextEncoder().encode(config.accessTokens.secrets[0]));
    expect(await tokens.ownerOf(long, at(0))).toEqual(owner);
  }
  verify.mockClear();
  expect(await tokens.ownerOf(token, at(0))).toEqual(owner);
  expect(verify).toHaveBeenCalledTimes(1);
});
