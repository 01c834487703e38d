import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { signingSecret, type Config } from '../config/config.ts';
import { NONCE_BYTES, seal, unseal } from '../text/aes-gcm.ts';

/**
 * Texts that callers carry for us and do not read, sealed by AES-256-GCM under the servers' secrets. The same text is sealed
 * alike each time: its nonce is an HMAC of it, as in RFC 8452.
 */

const KEY_BYTES = 32;

/** The keys that a secret gives. As in RFC 8452, each of the two algorithms has one of its own. */
interface Keys {
  readonly encryption: KeyObject;
  readonly nonce: KeyObject;
}

/** The keys of the secrets, each made once: from bytes Node would make one anew for each text. */
const keys = new Map<string, Keys>();

function keysOf(secret: string): Keys {
  const known = keys.get(secret);
  if (known) return known;

  const derived = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `sealed texts: ${purpose}`, KEY_BYTES)));
  const made = { encryption: derived('encryption'), nonce: derived('nonce') };
  keys.set(secret, made);
  return made;
}

/** A codec for what callers carry sealed. It refuses what they made up, like anything else that the model does not know. */
export const sealed = <Value>(config: Config, model: z.ZodType<Value>) =>
  z.codec(z.string(), model, {
    decode: (text) => JSON.parse(opened(config, text) ?? 'null') as never,
    encode: (value) => sealedText(config, JSON.stringify(value)),
  });

/** Seals a text under the secret that signs. */
function sealedText(config: Config, text: string): string {
  const { encryption, nonce } = keysOf(signingSecret(config));
  return seal(encryption, createHmac('sha256', nonce).update(text).digest().subarray(0, NONCE_BYTES), text);
}

/** The text that was sealed under any of the secrets; `undefined` for anything else. */
function opened({ accessTokens }: Config, text: string): string | undefined {
  for (const secret of accessTokens.secrets) {
    try {
      return unseal(keysOf(secret).encryption, text);
    } catch {
      // Another secret's, or nobody's.
    }
  }
  return undefined;
}
