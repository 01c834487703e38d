import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { signingSecret, type Config } from '../config/config.ts';
import { NONCE_BYTES, seal, unseal } from '../text/aes-gcm.ts';

/**
 * Texts that callers carry for us and do not read, sealed by AES-256-GCM under the servers' secrets. The same text is sealed
 * alike each time: its nonce is made of it, as in RFC 8452.
 */

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
    decode: (text) => JSON.parse(opened(config, text) ?? 'null') as never,
    encode: (value) => sealedText(config, JSON.stringify(value)),
  });

/** Seals a text under the secret that signs. */
function sealedText(config: Config, text: string): string {
  const key = keyOf(signingSecret(config));
  return seal(key, createHmac('sha256', key).update(text).digest().subarray(0, NONCE_BYTES), text);
}

/** What was sealed, under any of the secrets; `undefined` for anything else. */
function opened({ accessTokens }: Config, text: string): string | undefined {
  for (const secret of accessTokens.secrets) {
    try {
      return unseal(keyOf(secret), text);
    } catch {
      // Another secret's, or nobody's.
    }
  }
  return undefined;
}
