import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { signingSecret, type Config } from '../config/config.ts';
import { NONCE_BYTES, seal, unseal } from '../text/aes-gcm.ts';

/**
 * Seals texts that clients carry but must not read, by AES-256-GCM under the servers' secrets. A
 * text is sealed the same way each time: its nonce is an HMAC of it, as in RFC 8452.
 */

const KEY_BYTES = 32;

/** The keys derived from a secret. As in RFC 8452, each of the two algorithms has its own. */
interface Keys {
  readonly encryption: KeyObject;
  readonly nonce: KeyObject;
}

/**
 * The keys of each secret, made once. If Node were given bytes, it would make a key for each text.
 */
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

/**
 * Makes a codec for sealed values. A forged text is refused in the same way as a value that the
 * model does not accept.
 */
export const sealed = <Value>(config: Config, model: z.ZodType<Value>) =>
  z.codec(z.string(), model, {
    decode: (text) => JSON.parse(opened(config, text) ?? 'null') as never,
    encode: (value) => sealedText(config, JSON.stringify(value)),
  });

/** Seals a text under the first secret. */
function sealedText(config: Config, text: string): string {
  const { encryption, nonce } = keysOf(signingSecret(config));
  return seal(encryption, createHmac('sha256', nonce).update(text).digest().subarray(0, NONCE_BYTES), text);
}

/** Opens a text that was sealed under any of the secrets; `undefined` for other texts. */
function opened({ accessTokens }: Config, text: string): string | undefined {
  for (const secret of accessTokens.secrets) {
    try {
      return unseal(keysOf(secret).encryption, text);
    } catch {
      // The text was sealed under another secret, or is forged.
    }
  }
  return undefined;
}
