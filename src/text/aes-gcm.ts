import { createCipheriv, createDecipheriv, type CipherKey } from 'node:crypto';

/** Texts sealed by AES-256-GCM: the nonce, the tag and what is sealed, one after the other, in base64url. */

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a text.
 * @param key 32 bytes
 * @param nonce 12 bytes; no two texts have the same one under a key
 * @param about what has to be the same where it is opened, and is not in what is sealed
 */
export function seal(key: CipherKey, nonce: Buffer, text: string, about?: string): string {
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  if (about !== undefined) cipher.setAAD(Buffer.from(about));
  const bytes = [cipher.update(text), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...bytes]).toString('base64url');
}

/**
 * Opens what was sealed.
 * @throws Error when it was not sealed with this key, and about this, or is damaged
 */
export function unseal(key: CipherKey, sealed: string, about?: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  // Node takes a shorter tag for a whole one.
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('This is too short to be sealed');

  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
  if (about !== undefined) decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
