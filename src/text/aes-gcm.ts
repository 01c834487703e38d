import { createCipheriv, createDecipheriv, type CipherKey } from 'node:crypto';

/**
 * Seals texts by AES-256-GCM. A sealed text is nonce, tag and ciphertext, concatenated, in
 * base64url.
 */

const ALGORITHM = 'aes-256-gcm';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a text.
 * @param key 32 bytes
 * @param nonce 12 bytes; two texts under one key must not share it
 * @param about additional data that must be the same when the text is opened; it is not part of the
 *   sealed text
 */
export function seal(key: CipherKey, nonce: Buffer, text: string, about?: string): string {
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  if (about !== undefined) cipher.setAAD(Buffer.from(about));
  const bytes = [cipher.update(text), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...bytes]).toString('base64url');
}

/**
 * Opens a sealed text.
 * @throws Error if it was sealed with another key or other additional data, or is damaged
 */
export function unseal(key: CipherKey, sealed: string, about?: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  // Node would accept a shorter tag.
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('This is too short to be sealed');

  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
  if (about !== undefined) decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
