import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { bytesOfUuid, uuidOfBytes } from '../graphql/ids.ts';
import { sealed } from '../graphql/sealed.ts';
import { MINUTE_MS } from '../time/units.ts';
import type { AccountState, Passkey } from './tables.ts';

/**
 * What browsers and authenticators say of passkeys (WebAuthn, level 3), as far as it needs nothing stored. A challenge is sealed by this
 * server and carried by the browser: what it is for, for whom, and since when.
 */

/** Loaded with the first passkey: that takes some 200 ms of processor time, which a server's start is to do without. */
const library = () => import('@simplewebauthn/server');

const CHALLENGE_MS = 5 * MINUTE_MS;
const LIBRARY = 'Library';
/** EdDSA, ES256 and RS256 (COSE, RFC 9053 and 8812), which all authenticators have between them. */
const ALGORITHMS = [-8, -7, -257];
/** 128 random bits and more are asked for by 13.4.3; a random UUID has 122, and beside it the moment counts. */
const challenge = z.strictObject({
  for: z.enum(['ADD_PASSKEY', 'LOG_IN']),
  id: z.uuid(),
  /** When it was made, in milliseconds since 1970. */
  at: z.int(),
  /** Who adds a passkey, and since when they had the password that confirmed it; null for who logs in. */
  userId: z.uuid().nullable(),
  passwordChangedAt: z.int().nullable(),
});
type Challenge = z.infer<typeof challenge>;

const challenges = perProcess(({ config }) => sealed(config, challenge));

/** The sites of the library's frontends: their origins, and the domain that passkeys are for, which all of them are in. */
interface Sites {
  readonly rpID: string;
  readonly origins: string[];
}

/**
 * The sites whose pages may ask for passkeys: the first one's host is the domain (RP ID).
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`
 */
export function passkeySites({ passkeyOrigins }: Config): Sites {
  const [first] = passkeyOrigins;
  if (first !== undefined) return { rpID: new URL(first).hostname, origins: [...passkeyOrigins] };
  const message = 'This library has no passkeys: that is not set up. Ask those who run it.';
  throw new UserError('PASSKEYS_NOT_SET_UP', message, ['input']);
}

/** A challenge as bytes: the library takes texts for what is still to be encoded. */
const newChallenge = (app: AppContext, about: Pick<Challenge, 'for' | 'userId' | 'passwordChangedAt'>) =>
  new Uint8Array(
    Buffer.from(z.encode(challenges(app), { ...about, id: app.randomId(), at: app.clock().getTime() }), 'base64url'),
  );

/** What a challenge says that is not too old; `undefined` where this server's like did not make it, or for something else. */
function readChallenge(app: AppContext, text: string, what: Challenge['for']): Challenge | undefined {
  const { success, data } = z.safeDecode(challenges(app), text);
  if (!success || data.for !== what) return undefined;
  // By the clock of another server it may be a little ahead.
  return Math.abs(app.clock().getTime() - data.at) <= CHALLENGE_MS ? data : undefined;
}

/** Who adds a passkey, and with which password, as a challenge says it. */
const marksOf = (userId: string, { password_changed_at }: AccountState) => ({
  for: 'ADD_PASSKEY' as const,
  userId,
  passwordChangedAt: password_changed_at?.getTime() ?? null,
});

/**
 * What `navigator.credentials.create` needs for a new passkey of a reader.
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`
 */
export const creationOptions = async (app: AppContext, userId: string, account: AccountState) =>
  (await library()).generateRegistrationOptions({
    rpName: LIBRARY,
    rpID: passkeySites(app.config).rpID,
    userID: new Uint8Array(bytesOfUuid(userId)),
    userName: account.email,
    userDisplayName: account.full_name,
    challenge: newChallenge(app, marksOf(userId, account)),
    timeout: CHALLENGE_MS,
    excludeCredentials: account.passkeys.map(({ credential_id: id }) => ({ id })),
    supportedAlgorithmIDs: ALGORITHMS,
    // So that nobody has to say who they are, and that no code is needed besides.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

/**
 * Makes sure that an authenticator has made a passkey for a reader.
 * @returns its id and public key, and how often it was used
 * @throws {UserError} `INVALID_PASSKEY` about `response`; `PASSKEYS_NOT_SET_UP`
 */
export async function readCreation(app: AppContext, userId: string, account: AccountState, response: object) {
  const { rpID, origins } = passkeySites(app.config);
  const marks = marksOf(userId, account);
  const isOurs = (text: string) => {
    const said = readChallenge(app, text, 'ADD_PASSKEY');
    return said?.userId === marks.userId && said.passwordChangedAt === marks.passwordChangedAt;
  };
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await orInvalid(() =>
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: isOurs,
      expectedOrigin: origins,
      expectedRPID: rpID,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!registrationInfo) throw invalidPasskey();
  const { id, publicKey, counter } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter };
}

/**
 * What `navigator.credentials.get` needs of somebody who logs in.
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`
 */
export const requestOptions = async (app: AppContext) =>
  (await library()).generateAuthenticationOptions({
    rpID: passkeySites(app.config).rpID,
    challenge: newChallenge(app, { for: 'LOG_IN', userId: null, passwordChangedAt: null }),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });

/** Whose passkey an authenticator says that it has used, as far as it says so. */
const used = z.object({ id: z.string(), response: z.object({ userHandle: z.string() }) });

/**
 * Who says that they log in, and by which passkey: nothing is proved by that.
 * @throws {UserError} `INVALID_PASSKEY` about `response`
 */
export function claimOf(response: object): { readonly userId: string; readonly credentialId: string } {
  const { data } = used.safeParse(response);
  const userId = z.guid().safeParse(uuidOfBytes(Buffer.from(data?.response.userHandle ?? '', 'base64url')));
  if (!data || !userId.success) throw invalidPasskey();
  return { userId: userId.data, credentialId: data.id };
}

/**
 * Makes sure that an authenticator has used a passkey, and that its reader has unlocked it.
 * @returns how often it was used by now, and when the challenge was made
 * @throws {UserError} `INVALID_PASSKEY` about `response`; `PASSKEYS_NOT_SET_UP`
 */
export async function readUse(app: AppContext, passkey: Passkey, response: object) {
  const { rpID, origins } = passkeySites(app.config);
  const { verifyAuthenticationResponse } = await library();
  let said: Challenge | undefined;
  const { verified, authenticationInfo } = await orInvalid(() =>
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (text) => (said = readChallenge(app, text, 'LOG_IN')) !== undefined,
      expectedOrigin: origins,
      expectedRPID: rpID,
      // Whether the counter went on is decided with the account's state.
      credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    }),
  );
  if (!verified || !said) throw invalidPasskey();
  return { counter: authenticationInfo.newCounter, challengedAt: new Date(said.at) };
}

/** What the library refuses, it throws; why it does is nobody's business. */
async function orInvalid<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch {
    throw invalidPasskey();
  }
}

export const invalidPasskey = () =>
  new UserError('INVALID_PASSKEY', 'This passkey is not good here, or what was asked is too old. Start again.', [
    'input',
    'response',
  ]);
