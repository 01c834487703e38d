import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { signingSecret, type Config } from '../config/config.ts';

/**
 * Texts that callers carry for us and do not read, sealed by AES-256-GCM under the servers' secrets. The same text is sealed
 * alike each time: its nonce is made of it, as in RFC 8452.
 */

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The keys of the secrets, each made once: from bytes Node would make one anew for each text. */
const keys = new Map<string, KeyObject>();

function keyOf(secret: string): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(createHash('sha256').update(`sealed texts ${secret}`).digest());
  keys.set(secret, key);
  return key;
}

/** What callers carry sealed. What they made up is refused, like whatever else the model does not know. */
export const sealed = <Value>(config: Config, model: z.ZodType<Value>) =>
  z.codec(z.string(), model, {
    decode: (text) => JSON.parse(unseal(config, text) ?? 'null') as never,
    encode: (value) => seal(config, JSON.stringify(value)),
  });

/** Seals a text under the secret that signs. */
function seal(config: Config, text: string): string {
  const key = keyOf(signingSecret(config));
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, NONCE_BYTES);

  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const bytes = [cipher.update(text), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...bytes]).toString('base64url');
}

/** What was sealed, under any of the secrets; `undefined` for anything else. */
function unseal({ accessTokens }: Config, text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;

  for (const secret of accessTokens.secrets) {
    try {
      const decipher = createDecipheriv(ALGORITHM, keyOf(secret), bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      // Another secret's, or nobody's.
    }
  }
  return undefined;
}
