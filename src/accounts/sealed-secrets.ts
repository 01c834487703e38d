import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { UserError } from '../graphql/errors.ts';
import { NONCE_BYTES, seal, unseal } from '../text/aes-gcm.ts';

/**
 * The secrets of second factors as they are stored: sealed by AES-256-GCM under keys that are for nothing else and not in Cassandra. A
 * sealed secret says which key opens it, and is good for its reader alone.
 */

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
  // NIST SP 800-38D, 8.2.2: random, so a key seals 2^32 secrets at most.
  return `${keyIdOf(key)}.${seal(key, randomBytes(NONCE_BYTES), secret, userId)}`;
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

  return unseal(key, text, userId);
}
