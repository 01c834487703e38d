import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { UserError } from '../graphql/errors.ts';
import { NONCE_BYTES, seal, unseal } from '../text/aes-gcm.ts';

/**
 * The stored secrets of second factors, sealed by AES-256-GCM. The keys have no other use and are
 * not in Cassandra. A sealed secret names its key, and is valid for one reader only.
 */

const KEY_ID_LENGTH = 11;

const keyIdOf = (key: Buffer) =>
  createHash('sha256').update('the id of a key').update(key).digest('base64url').slice(0, KEY_ID_LENGTH);

/**
 * Checks that second factors are set up.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP`
 */
export function requireTwoFactorKeys(config: Config): void {
  currentKey(config);
}

function currentKey({ twoFactor }: Config): Buffer {
  const [key] = twoFactor.keys;
  if (key) return key;
  const message = 'This library has no second factors, because they are not set up. Ask the people who run it.';
  throw new UserError('TWO_FACTOR_NOT_SET_UP', message, ['input']);
}

/**
 * Seals a reader's secret with the first key of the configuration.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP`
 */
export function sealSecret(config: Config, userId: string, secret: string): string {
  const key = currentKey(config);
  // The nonce is random, so a key may seal 2^32 secrets at most (NIST SP 800-38D, 8.2.2).
  return `${keyIdOf(key)}.${seal(key, randomBytes(NONCE_BYTES), secret, userId)}`;
}

/** True if a secret is sealed with the first key of the configuration. */
export const isOfCurrentKey = (config: Config, sealed: string): boolean =>
  sealed.startsWith(`${keyIdOf(currentKey(config))}.`);

/**
 * Opens a secret that was sealed for a reader with any of the configured keys.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP` about `code` when its key is no longer configured
 * @throws Error when it was sealed for another reader or is damaged
 */
export function openSecret({ twoFactor }: Config, userId: string, sealed: string): string {
  const [id, text = ''] = sealed.split('.');
  const key = twoFactor.keys.find((each) => keyIdOf(each) === id);
  if (!key) {
    const message =
      'Codes of an app cannot be checked at the moment. Use a recovery code, and tell the people who run the library.';
    throw new UserError('TWO_FACTOR_NOT_SET_UP', message, ['input', 'code']);
  }

  return unseal(key, text, userId);
}
