import { createHash } from 'node:crypto';
import { z } from 'zod';
import { uuid } from '../cassandra/columns.ts';
import type { Config } from '../config/config.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { bytesOfUuid, uuidOfBytes } from '../graphql/ids.ts';
import { sealed } from '../graphql/sealed.ts';
import { MINUTE_MS } from '../time/units.ts';
import type { AccountState, Passkey } from './tables.ts';

/**
 * The messages of browsers and authenticators about passkeys (WebAuthn, level 3). Nothing here
 * reads stored data. The browser carries a challenge that this server has sealed. It contains its
 * purpose, reader and time.
 */

/** A server without passkeys never loads the library, which takes some 200 ms of processor time. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** Loads the library before the first passkey is used, so that no reader waits for it. */
export async function loadPasskeys({ passkeyOrigins }: Config): Promise<void> {
  if (passkeyOrigins.length > 0) await Promise.all([library(), helpers()]);
}

/** The maximum length of a credential id (WebAuthn, 4). */
const CREDENTIAL_ID_BYTES_MAX = 1_023;
/** The maximum length of a public key. An RSA key of 4,096 bits has some 550 bytes. */
const PUBLIC_KEY_BYTES_MAX = 2_048;
/**
 * The maximum length of a response as JSON. Responses repeat most of their content two or three
 * times.
 */
const ANSWER_LENGTH_MAX = 32_768;
const base64url = (bytesMax: number) => z.string().max(Math.ceil((bytesMax * 4) / 3));

/** The fields of an authenticator's response that are read. The library sees no others. */
const answer = z.object({
  id: base64url(CREDENTIAL_ID_BYTES_MAX),
  rawId: base64url(CREDENTIAL_ID_BYTES_MAX),
  type: z.literal('public-key'),
  /** Results of extensions are not read. */
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
    // A user handle has 64 bytes at most (WebAuthn, 4).
    userHandle: base64url(64),
  }),
});

const CHALLENGE_MS = 5 * MINUTE_MS;
const LIBRARY = 'Library';
/** EdDSA, ES256 and RS256 (COSE, RFC 9053 and 8812). Every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];
/**
 * The content of a challenge. WebAuthn 13.4.3 requires at least 128 random bits. A random UUID has
 * 122 random bits, and the moment of the challenge is added to it.
 */
const challenge = z.strictObject({
  for: z.enum(['ADD_PASSKEY', 'LOG_IN']),
  id: uuid,
  /** The moment at which it was made, in ms since 1970. */
  at: z.int(),
  /** The reader who adds a passkey; null for a login. */
  userId: uuid.nullable(),
  /**
   * The time of the last password change before this challenge, and the passkeys of the account at
   * that time, see {@link passkeysMark}.
   */
  passwordChangedAt: z.int().nullable(),
  passkeys: z.string().nullable(),
});
type Challenge = z.infer<typeof challenge>;

const challenges = perProcess(({ config }) => sealed(config, challenge));

/**
 * The sites of the library's frontends: their origins, and the domain of the passkeys, which
 * contains all of them.
 */
interface Sites {
  readonly rpID: string;
  readonly origins: string[];
}

/**
 * Returns the sites whose pages may ask for passkeys. The host of the first one is the domain (RP
 * ID).
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`
 */
export function passkeySites({ passkeyOrigins }: Config): Sites {
  const [first] = passkeyOrigins;
  if (first !== undefined) return { rpID: new URL(first).hostname, origins: [...passkeyOrigins] };
  const message = 'This library has no passkeys, because they are not set up. Ask the people who run it.';
  throw new UserError('PASSKEYS_NOT_SET_UP', message, ['input']);
}

/** Returns a challenge as bytes, because the library would encode a text again. */
const newChallenge = (app: AppContext, about: Omit<Challenge, 'id' | 'at'>) =>
  new Uint8Array(
    Buffer.from(z.encode(challenges(app), { ...about, id: app.randomId(), at: app.clock().getTime() }), 'base64url'),
  );

/**
 * Returns the content of a challenge; `undefined` if it is too old, was made for another purpose,
 * or was not made by a server of this library.
 */
function readChallenge(app: AppContext, text: string, what: Challenge['for']): Challenge | undefined {
  const { success, data } = z.safeDecode(challenges(app), text);
  if (!success || data.for !== what) return undefined;
  // A challenge made by the clock of another server may be a little in the future.
  return Math.abs(app.clock().getTime() - data.at) <= CHALLENGE_MS ? data : undefined;
}

/**
 * Returns a hash of the passkeys of an account, which changes with each passkey added or removed. A
 * challenge that contains it becomes void when a passkey is added, without being stored.
 */
export const passkeysMark = ({ passkeys, passkey_removed_at }: AccountState): string =>
  createHash('sha256')
    .update(JSON.stringify([passkey_removed_at, ...passkeys.map(({ credential_id }) => credential_id)]))
    .digest('base64url');

/**
 * Returns the options of `navigator.credentials.create` for a new passkey of a reader.
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
    // A login then needs neither an email nor a code.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

/**
 * Verifies that an authenticator has made a passkey for a reader.
 * @returns its id and public key, its signature counter, and the mark of the passkeys that the
 *   account had when the challenge was made
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
  const { registrationInfo } = await verifyOrRefuse(async () => {
    await requireTopLevelPage(given);
    await requireNoAttestation(given.response.attestationObject);
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
  // This id is from the authenticator's data, and may differ from the id in the response.
  if (id !== given.id || publicKey.length > PUBLIC_KEY_BYTES_MAX) throw invalidPasskey();
  return { id, publicKey: Buffer.from(publicKey), counter, passkeysBefore: said.passkeys };
}

/**
 * Reads the used fields of a response.
 * @throws {UserError} `INVALID_PASSKEY` about `response`
 */
function readAnswer<Answer>(shape: z.ZodType<Answer>, response: object): Answer {
  const { data } = lengthOf(response) <= ANSWER_LENGTH_MAX ? shape.safeParse(response) : { data: undefined };
  if (!data) throw invalidPasskey();
  return data;
}

/**
 * Returns the length of a response as JSON; Infinity if it is nested too deeply to be serialised.
 */
function lengthOf(response: object): number {
  try {
    return JSON.stringify(response).length;
  } catch {
    return Infinity;
  }
}

/**
 * Checks that our page was not in a frame of another site. In such a frame, readers may not see for
 * which site they unlock a passkey.
 * @throws if it was
 */
async function requireTopLevelPage({ response }: { response: { clientDataJSON: string } }): Promise<void> {
  const { decodeClientDataJSON } = await helpers();
  // The client data is untrusted and may contain anything.
  const said: { crossOrigin?: unknown; topOrigin?: unknown } = decodeClientDataJSON(response.clientDataJSON);
  const { crossOrigin = false, topOrigin } = said;
  if (crossOrigin !== false || topOrigin !== undefined) throw new Error('The page is inside a page of another site');
}

/**
 * Checks that a new passkey has no attestation by its authenticator's maker: only `none`, or
 * `packed` without certificates (self-attestation). The library would fetch revocation lists from
 * the URLs that certificates name.
 * @throws if it has one
 */
async function requireNoAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const [format, statement] = [decoded.get('fmt'), decoded.get('attStmt')];
  const isSigned = statement.get('alg') !== undefined && statement.get('sig') !== undefined;
  const isPlain = format === 'none' ? statement.size === 0 : format === 'packed' && isSigned && statement.size === 2;
  if (!isPlain) throw new Error('A new passkey has an attestation of its maker');
}

/**
 * Returns the options of `navigator.credentials.get` for a login.
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
 * Returns the reader and the passkey that a response claims. The claim is not verified yet.
 * @throws {UserError} `INVALID_PASSKEY` about `response`
 */
export function claimOf(response: object): { readonly userId: string; readonly credentialId: string } {
  const { id, response: said } = readAnswer(use, response);
  const userId = uuid.safeParse(uuidOfBytes(Buffer.from(said.userHandle, 'base64url')));
  if (!userId.success) throw invalidPasskey();
  return { userId: userId.data, credentialId: id };
}

/**
 * Verifies that an authenticator has used a passkey, and that its reader has unlocked it.
 * @returns its signature counter, and the moment at which the challenge was made
 * @throws {UserError} `INVALID_PASSKEY` about `response`; `PASSKEYS_NOT_SET_UP`
 */
export async function readUse(app: AppContext, passkey: Passkey, response: object) {
  const { rpID, origins } = passkeySites(app.config);
  const { verifyAuthenticationResponse } = await library();
  const given = readAnswer(use, response);
  let said: Challenge | undefined;
  const { verified, authenticationInfo } = await verifyOrRefuse(async () => {
    await requireTopLevelPage(given);
    return verifyAuthenticationResponse({
      response: given,
      expectedChallenge: (text) => (said = readChallenge(app, text, 'LOG_IN')) !== undefined,
      expectedOrigin: origins,
      expectedRPID: rpID,
      // The counter is checked later, against the account's state.
      credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    });
  });
  if (!verified || !said) throw invalidPasskey();
  return { counter: authenticationInfo.newCounter, challengedAt: new Date(said.at) };
}

/** Turns an error of the library into `INVALID_PASSKEY`, without its reason. */
async function verifyOrRefuse<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch {
    throw invalidPasskey();
  }
}

export const invalidPasskey = () =>
  new UserError('INVALID_PASSKEY', 'This passkey is not valid here, or the challenge has expired. Start again.', [
    'input',
    'response',
  ]);
