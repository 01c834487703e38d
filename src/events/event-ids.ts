import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { z } from 'zod';
import { perProcess, type AppContext } from '../context/context.ts';
import { signingSecret } from '../sessions/tokens.ts';

/**
 * The ids of events as callers see them. A stored one is a hash of who did what and when: whoever has a list of readers
 * could try each of them. So it is encrypted with a key that only the servers have. A UUID is one block of AES, and of
 * different ones no two are alike under a key, so neither a mode nor a nonce is needed.
 */

const ALGORITHM = 'aes-256-ecb';

/** The ids of events, as this process shows them. */
export interface EventIds {
  /** Which key this is, without telling anything about it. */
  readonly keyId: string;
  /** A stored id as callers see it. */
  readonly shown: z.ZodType<string, string>;
}

/** The ids of events, by the secret of the servers. */
export const eventIds = perProcess(({ config }: AppContext): EventIds => {
  const derived = (purpose: string) => createHmac('sha256', signingSecret(config)).update(purpose).digest();
  const key = derived('event ids');

  const shown = z.codec(z.string().regex(/^[\w-]{22}$/), z.guid(), {
    decode: (text) => {
      const decipher = createDecipheriv(ALGORITHM, key, null).setAutoPadding(false);
      const hex = decipher.update(Buffer.from(text, 'base64url')).toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    encode: (id) => {
      const cipher = createCipheriv(ALGORITHM, key, null).setAutoPadding(false);
      return cipher.update(Buffer.from(id.replaceAll('-', ''), 'hex')).toString('base64url');
    },
  });
  return { keyId: derived('event key id').toString('base64url').slice(0, 8), shown };
});
