import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config/config.ts';
import { isGuessable } from '../src/config/production.ts';
import { sharedKeyspace, startServerProcess, testEnvironment } from './support/app.ts';

/**
 * Settings with which a server in production refuses to start, and settings that it warns about.
 */

const PRODUCTION = {
  NODE_ENV: 'production',
  CASSANDRA_CONTACT_POINTS: 'one.example',
  ACCESS_TOKEN_SECRET: randomBytes(48).toString('base64'),
  TWO_FACTOR_KEYS: randomBytes(32).toString('base64'),
  ERASED_IDS_FILE: '/dev/null',
};

const refusalOf = (env: Record<string, string>): string => {
  try {
    readConfig({ ...PRODUCTION, ...env });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};
const warningsOf = (env: Record<string, string>) => readConfig({ ...PRODUCTION, ...env }).warnings;

/** Expects that development accepts a setting without a warning. */
const acceptedInDevelopment = (env: Record<string, string>) => {
  expect(readConfig({ ...env, NODE_ENV: 'development' }).warnings).toEqual([]);
};

test('a server that does not keep the ids of deleted accounts gets a warning, and a server that cannot keep them is refused', () => {
  const { ERASED_IDS_FILE: _file, ...without } = PRODUCTION;
  expect(readConfig(without).warnings).toEqual([expect.stringMatching(/^ERASED_IDS_FILE is not set: after a restore/)]);
  expect(refusalOf({ ERASED_IDS_FILE: '/nowhere/ids' })).toContain(
    'ERASED_IDS_FILE is "/nowhere/ids"; allowed: the path of a file that this process may append to',
  );
  acceptedInDevelopment({});
});

test('good settings are neither refused nor warned about', () => {
  const good = {
    PASSWORD_RESET_URL: 'https://app.example/reset#{token}',
    EMAIL_VERIFICATION_URL: 'https://app.example/verify#{token}',
    PASSKEY_ORIGINS: 'https://books.example',
    CORS_ORIGINS: 'https://books.example',
    TRUST_PROXY: '10.0.0.0/8, 127.0.0.1, fc00::/7, ::1, 2001:db8::/32, 203.0.113.7',
    BREACHED_PASSWORDS_URL: 'https://api.pwnedpasswords.com/range',
  };
  expect(refusalOf(good)).toBe('');
  expect(warningsOf(good)).toEqual([]);
  expect(refusalOf({ TRUST_PROXY: '2' })).toBe('');
});

describe('is refused in production:', () => {
  test.each([
    ['PASSWORD_RESET_URL', 'http://app.example/reset#{token}'],
    ['PASSWORD_RESET_URL', 'HTTP://app.example/reset#{token}'],
    ['EMAIL_VERIFICATION_URL', 'http://app.example/verify#{token}'],
    ['PASSKEY_ORIGINS', 'http://localhost'],
    ['PASSKEY_ORIGINS', 'http://localhost:5173'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '10.0.0.0/8, 0.0.0.0/0'],
    ['TRUST_PROXY', '0.0.0.0/1, 128.0.0.0/1'],
    ['TRUST_PROXY', '203.0.113.7/0'],
    ['TRUST_PROXY', '::ffff:0.0.0.0/96'],
    ['TRUST_PROXY', '2000::/3'],
  ])('%s=%s', (name, value) => {
    const told = refusalOf({ [name]: value });
    expect(told).toContain(`${name} is "`);
    expect(told).toContain('NODE_ENV=production allows: ');
    acceptedInDevelopment({ [name]: value });
  });

  const weak = [
    'x'.repeat(32),
    `${'x'.repeat(31)}y`,
    '0'.repeat(64),
    'ab'.repeat(20),
    'changeme'.repeat(4),
    `${'changeme'.repeat(4)}1`,
    'this-is-a-secret-this-is-a-secret',
    'abcdefghijklmnopqrstuvwxyz012345',
    '12345678901234567890123456789012',
    '0123456789abcdef0123456789abcdef',
    `${'a'.repeat(16)}${'b'.repeat(16)}`,
  ];

  test.each(weak)('a secret such as %s, without repeating it in a message', (secret) => {
    const told = refusalOf({ ACCESS_TOKEN_SECRET: secret });
    expect(told).toContain(`is a value of ${String(secret.length)} characters that repeats itself or is a sequence`);
    expect(told).not.toContain(secret);
    acceptedInDevelopment({ ACCESS_TOKEN_SECRET: secret });

    const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'secrets');
    writeFileSync(file, `${PRODUCTION.ACCESS_TOKEN_SECRET}\n${secret}\n`);
    expect(refusalOf({ ACCESS_TOKEN_SECRET: '', ACCESS_TOKEN_SECRET_FILE: file })).toContain('repeats itself');
  });

  test.each([Buffer.alloc(32), Buffer.alloc(32, 'ab'), Buffer.from(Array.from({ length: 32 }, (_, index) => index))])(
    'a key of second factors such as %j',
    (key) => {
      const told = refusalOf({ TWO_FACTOR_KEYS: `${PRODUCTION.TWO_FACTOR_KEYS},${key.toString('base64')}` });
      expect(told).toContain('TWO_FACTOR_KEYS has a key that repeats itself');
      expect(told).not.toContain(key.toString('base64'));
      acceptedInDevelopment({ TWO_FACTOR_KEYS: key.toString('base64') });
    },
  );

  test('any of them together with unreadable ones, all at once', () => {
    const told = refusalOf({ PORT: '70000', TRUST_PROXY: '0.0.0.0/0', PASSWORD_RESET_URL: 'http://a.example/{token}' });
    for (const name of ['PORT', 'TRUST_PROXY', 'PASSWORD_RESET_URL']) expect(told).toContain(`${name} is "`);
  });
});

describe('a secret', () => {
  const random = fc.oneof(
    fc.uint8Array({ minLength: 24, maxLength: 64 }).map(({ length }) => randomBytes(length).toString('base64')),
    fc.nat({ max: 48 }).map((more) => randomBytes(16 + more).toString('hex')),
    fc.nat({ max: 32 }).map((more) => Array.from(randomBytes(32 + more), (byte) => byte % 10).join('')),
  );

  test('that is random is accepted, in any characters', () => {
    fc.assert(
      fc.property(random, (secret) => !isGuessable(Buffer.from(secret))),
      { numRuns: 2_000 },
    );
  });

  test('that repeats a short text is refused, for any length and any following text', () => {
    const part = fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme-ascii' });
    fc.assert(
      fc.property(part, fc.integer({ min: 4, max: 40 }), fc.string({ maxLength: 2 }), (text, times, end) => {
        expect(isGuessable(Buffer.from(text.repeat(times) + end))).toBe(true);
      }),
    );
  });
});

describe('is warned about in production:', () => {
  const limits = [
    'LOGIN_ATTEMPTS_FREE',
    'LOGIN_FAILURES_MAX',
    'REGISTRATIONS_PER_HOUR',
    'REPORTS_PER_HOUR',
    'MESSAGES_PER_DAY',
    'RATE_LIMIT_PER_MINUTE',
    'LIKE_CHANGES_PER_HOUR',
    'CLICK_KIB_PER_MINUTE',
    'MAILS_PER_ADDRESS',
    'CLOCK_SKEW_MAX_MS',
  ];

  test.each(limits)('%s=0', (name) => {
    expect(warningsOf({ [name]: '0' })).toEqual([expect.stringContaining(`${name} is 0: `)]);
    acceptedInDevelopment({ [name]: '0' });
  });

  test('missing limits, each by its name', () => {
    const off = Object.fromEntries(limits.map((name) => [name, '0']));
    expect(warningsOf(off).map((warning) => warning.split(' ')[0])).toEqual(limits);
  });

  test.each([
    [8_192, 5, false],
    [8_192, 4, true],
    [9_216, 4, false],
    [12_288, 2, true],
    [12_288, 3, false],
    [19_456, 1, true],
    [19_456, 2, false],
    [47_103, 1, true],
    [47_104, 1, false],
  ])('argon2id of %i KiB and %i passes: %s', (memory, passes, isWarned) => {
    const weak = { ARGON2_MEMORY_KIB: String(memory), ARGON2_PASSES: String(passes) };
    const warnings = warningsOf(weak);
    expect(warnings.length === 1 && warnings[0]!.startsWith('ARGON2_MEMORY_KIB is ')).toBe(isWarned);
    acceptedInDevelopment(weak);
  });

  test('pages and a service without https', () => {
    expect(warningsOf({ CORS_ORIGINS: 'https://a.example,http://b.example' })).toMatchObject([
      expect.stringMatching(/^CORS_ORIGINS has http:\/\/b\.example:/),
    ]);
    expect(warningsOf({ BREACHED_PASSWORDS_URL: 'http://b.example/range' })).toMatchObject([
      expect.stringMatching(/^BREACHED_PASSWORDS_URL is without https/),
    ]);
  });

  test('in the log of a server that starts', async () => {
    const { cassandra } = await sharedKeyspace();
    const environment = testEnvironment({ CASSANDRA_KEYSPACE: cassandra.keyspace, LOG_LEVEL: 'warn' });
    const { printed, stop } = await startServerProcess({ ...environment, NODE_ENV: 'production' });
    expect(printed()).toContain('LOGIN_ATTEMPTS_FREE is 0: passwords and codes can be guessed without a delay');
    expect(printed()).toContain('ARGON2_MEMORY_KIB is 8192');
    await stop();
  });
});
