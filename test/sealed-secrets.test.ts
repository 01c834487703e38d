import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSecret, sealSecret } from '../src/accounts/sealed-secrets.ts';
import { readConfig } from '../src/config/config.ts';

test('a sealed secret can be opened only for its reader, and is different each time', () => {
  const config = readConfig({ TWO_FACTOR_KEYS: randomBytes(32).toString('base64') });
  const [ann, bo] = [randomUUID(), randomUUID()];
  const sealed = sealSecret(config, ann, 'a secret');
  expect(openSecret(config, ann, sealed)).toBe('a secret');
  expect(sealSecret(config, ann, 'a secret')).not.toBe(sealed);
  expect(() => openSecret(config, bo, sealed)).toThrow();
});
