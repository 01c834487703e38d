import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { UserError } from '../graphql/errors.ts';

/**
 * The secrets of second factors as they are stored: sealed by AES-256-GCM under keys that are for nothing else and not in Cassandra. A
 * sealed secret says which key opens it, and is good for its reader alone.
 */

const ALGORITHM = 'aes-256-gcm';
/** NIST SP 800-38D, 8.2.2: random, so a key seals 2^32 secrets at most. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 11;

const keyIdOf = (key: Buffer) =>
  createHash('sha256').update('the id of a key').update(key).digest('base64url').slice(0, KEY_ID_LENGTH);

/**
 * Makes sure that second factors can be used.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP`
 */
export function mustHaveKeys(config: Config): void {
  currentKey(config);
}

function currentKey({ twoFactor }: Config): Buffer {
  const [key] = twoFactor.keys;
  if (key) return key;
  const message = 'This library has no second factors: that is not set up. Ask those who run it.';
  throw new UserError('TWO_FACTOR_NOT_SET_UP', message, ['input']);
}

/**
 * Seals a reader's secret under the key that is the first one now.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP`
 */
export function sealSecret(config: Config, userId: string, secret: string): string {
  const key = currentKey(config);
  const nonce = randomBytes(NONCE_BYTES);

  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(userId));
  const bytes = [cipher.update(secret), cipher.final()];
  return `${keyIdOf(key)}.${Buffer.concat([nonce, cipher.getAuthTag(), ...bytes]).toString('base64url')}`;
}

/** Whether a secret is sealed under the key that is the first one now. */
export const isOfCurrentKey = (config: Config, sealed: string): boolean =>
  sealed.startsWith(`${keyIdOf(currentKey(config))}.`);

/**
 * Opens what was sealed for a reader, under the first key or a former one.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP` about `code` where its key is gone
 * @throws Error when it was sealed for another reader, or is damaged
 */
export function openSecret({ twoFactor }: Config, userId: string, sealed: string): string {
  const [id, text = ''] = sealed.split('.');
  const key = twoFactor.keys.find((each) => keyIdOf(each) === id);
  if (!key) {
    const message = 'Codes of an app cannot be checked now. Use a recovery code, and tell those who run the library.';
    throw new UserError('TWO_FACTOR_NOT_SET_UP', message, ['input', 'code']);
  }

  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(userId));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
