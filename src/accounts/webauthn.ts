import { createHash } from 'node:crypto';
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
const helpers = () => import('@simplewebauthn/server/helpers');

/** WebAuthn, 4: an id has 1,023 bytes at most. */
const CREDENTIAL_ID_BYTES_MAX = 1_023;
/** A key of RSA with 4,096 bits has some 550. */
const PUBLIC_KEY_BYTES_MAX = 2_048;
/** An answer says most of it two or three times. */
const ANSWER_LENGTH_MAX = 32_768;
const base64url = (bytesMax: number) => z.string().max(Math.ceil((bytesMax * 4) / 3));

/** The parts of an authenticator's answer that are read; the library sees no others. */
const answer = z.object({
  id: base64url(CREDENTIAL_ID_BYTES_MAX),
  rawId: base64url(CREDENTIAL_ID_BYTES_MAX),
  type: z.literal('public-key'),
  /** Nothing reads the results of extensions. */
  clientExtensionResults: z.unknown().transform(() => ({})),
});
const clientDataJSON = base64url(4_096);
const creation = answer.extend({
  response: z.object({ clientDataJSON, attestationObject: base64url(8_192) }),
});
const use = answer.extend({
  response: z.object({
    clientDataJSON,
    authenticatorData: base64url(4_096),
    signature: base64url(2_048),
    // WebAuthn, 4: 64 bytes at most.
    userHandle: base64url(64),
  }),
});

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
  /** Who adds a passkey; null for who logs in. */
  userId: z.uuid().nullable(),
  /** Since when they had the password that confirmed it, and which passkeys, see {@link passkeysMark}. */
  passwordChangedAt: z.int().nullable(),
  passkeys: z.string().nullable(),
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
const newChallenge = (app: AppContext, about: Omit<Challenge, 'id' | 'at'>) =>
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

/**
 * Which passkeys an account has: another text after each that was added or removed. So a challenge that says it is good for one passkey,
 * and for none once there is another, without being stored.
 */
export const passkeysMark = ({ passkeys, passkey_removed_at }: AccountState): string =>
  createHash('sha256')
    .update(JSON.stringify([passkey_removed_at, ...passkeys.map(({ credential_id }) => credential_id)]))
    .digest('base64url');

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
    challenge: newChallenge(app, {
      for: 'ADD_PASSKEY',
      userId,
      passwordChangedAt: account.password_changed_at?.getTime() ?? null,
      passkeys: passkeysMark(account),
    }),
    timeout: CHALLENGE_MS,
    excludeCredentials: account.passkeys.map(({ credential_id: id }) => ({ id })),
    supportedAlgorithmIDs: ALGORITHMS,
    // So that nobody has to say who they are, and that no code is needed besides.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

/**
 * Makes sure that an authenticator has made a passkey for a reader.
 * @returns its id and public key, how often it was used, and which passkeys the account had when it was asked for
 * @throws {UserError} `INVALID_PASSKEY` about `response`; `PASSKEYS_NOT_SET_UP`
 */
export async function readCreation(app: AppContext, userId: string, account: AccountState, response: object) {
  const { rpID, origins } = passkeySites(app.config);
  const given = readAnswer(creation, response);
  let said: Challenge | undefined;
  const isOurs = (text: string) => {
    said = readChallenge(app, text, 'ADD_PASSKEY');
    return said?.userId === userId && said.passwordChangedAt === (account.password_changed_at?.getTime() ?? null);
  };
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await orInvalid(async () => {
    await mustBeOfOurPages(given);
    await mustNotBeCertified(given.response.attestationObject);
    return verifyRegistrationResponse({
      response: given,
      expectedChallenge: isOurs,
      expectedOrigin: origins,
      expectedRPID: rpID,
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
  if (!registrationInfo || !said) throw invalidPasskey();
  const { id, publicKey, counter } = registrationInfo.credential;
  // The id of the authenticator's data, which need not be the one beside them.
  if (id !== given.id || publicKey.length > PUBLIC_KEY_BYTES_MAX) throw invalidPasskey();
  return { id, publicKey: Buffer.from(publicKey), counter, passkeysBefore: said.passkeys };
}

/** An answer as far as it is read. @throws {UserError} `INVALID_PASSKEY` about `response` */
function readAnswer<Answer>(shape: z.ZodType<Answer>, response: object): Answer {
  const { data } = lengthOf(response) <= ANSWER_LENGTH_MAX ? shape.safeParse(response) : { data: undefined };
  if (!data) throw invalidPasskey();
  return data;
}

/** The length of an answer as JSON; infinite where it is nested too deeply to be written. */
function lengthOf(response: object): number {
  try {
    return JSON.stringify(response).length;
  } catch {
    return Infinity;
  }
}

/**
 * Makes sure that no page of another site had ours in a frame, where its reader may not see whose passkey they unlock.
 * @throws where one had
 */
async function mustBeOfOurPages({ response }: { response: { clientDataJSON: string } }): Promise<void> {
  const { decodeClientDataJSON } = await helpers();
  // Anything may be in it.
  const said: { crossOrigin?: unknown; topOrigin?: unknown } = decodeClientDataJSON(response.clientDataJSON);
  const { crossOrigin = false, topOrigin } = said;
  if (crossOrigin !== false || topOrigin !== undefined) throw new Error('A page of another site is around ours');
}

/**
 * Makes sure that a new passkey says nothing about its authenticator's maker: `none`, or `packed` without certificates, where it signs
 * for itself. Of certificates the library would fetch lists of those that were revoked, from where they say.
 * @throws where it does
 */
async function mustNotBeCertified(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const [format, statement] = [decoded.get('fmt'), decoded.get('attStmt')];
  const isSigned = statement.get('alg') !== undefined && statement.get('sig') !== undefined;
  const isPlain = format === 'none' ? statement.size === 0 : format === 'packed' && isSigned && statement.size === 2;
  if (!isPlain) throw new Error('A new passkey has an attestation of its maker');
}

/**
 * What `navigator.credentials.get` needs of somebody who logs in.
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`
 */
export const requestOptions = async (app: AppContext) =>
  (await library()).generateAuthenticationOptions({
    rpID: passkeySites(app.config).rpID,
    challenge: newChallenge(app, { for: 'LOG_IN', userId: null, passwordChangedAt: null, passkeys: null }),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });

/**
 * Who says that they log in, and by which passkey: nothing is proved by that.
 * @throws {UserError} `INVALID_PASSKEY` about `response`
 */
export function claimOf(response: object): { readonly userId: string; readonly credentialId: string } {
  const { id, response: said } = readAnswer(use, response);
  const userId = z.guid().safeParse(uuidOfBytes(Buffer.from(said.userHandle, 'base64url')));
  if (!userId.success) throw invalidPasskey();
  return { userId: userId.data, credentialId: id };
}

/**
 * Makes sure that an authenticator has used a passkey, and that its reader has unlocked it.
 * @returns how often it was used by now, and when the challenge was made
 * @throws {UserError} `INVALID_PASSKEY` about `response`; `PASSKEYS_NOT_SET_UP`
 */
export async function readUse(app: AppContext, passkey: Passkey, response: object) {
  const { rpID, origins } = passkeySites(app.config);
  const { verifyAuthenticationResponse } = await library();
  const given = readAnswer(use, response);
  let said: Challenge | undefined;
  const { verified, authenticationInfo } = await orInvalid(async () => {
    await mustBeOfOurPages(given);
    return verifyAuthenticationResponse({
      response: given,
      expectedChallenge: (text) => (said = readChallenge(app, text, 'LOG_IN')) !== undefined,
      expectedOrigin: origins,
      expectedRPID: rpID,
      // Whether the counter went on is decided with the account's state.
      credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    });
  });
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
