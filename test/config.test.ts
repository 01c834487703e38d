import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config/config.ts';
import { settings } from '../src/config/settings.ts';

const message = (env: Record<string, string>): string => {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};

const SECRET = randomBytes(24).toString('base64');

describe('the configuration', () => {
  test('of an empty environment is the configuration of a development server', () => {
    const config = readConfig({});
    expect(config).toMatchObject({ production: false, sampleData: true, http: { host: '127.0.0.1', port: 4000 } });
    expect(config.accessTokens.secrets).toEqual([]);
  });

  test('reports every wrong setting at once, with the given value and the allowed ones', () => {
    const told = message({
      PORT: '70000',
      CASSANDRA_TLS: 'yes',
      LIKE_SHARD_ROWS_MAX: 'many',
      CASSANDRA_KEYSPACE: 'a-b',
    });
    expect(told).toContain('PORT is "70000"; allowed: a whole number from 0 to 65535');
    expect(told).toContain('CASSANDRA_TLS is "yes"; allowed: one of on, off');
    expect(told).toContain('LIKE_SHARD_ROWS_MAX is "many"');
    expect(told).toContain('CASSANDRA_KEYSPACE is "a-b"');
  });

  test('does not repeat a secret', () => {
    const told = message({ ACCESS_TOKEN_SECRET: 'too short' });
    expect(told).toContain('ACCESS_TOKEN_SECRET is a value of 9 characters');
    expect(told).not.toContain('too short');
  });

  test('of production needs a cluster and a secret, and imports no sample', () => {
    const told = message({ NODE_ENV: 'production' });
    expect(told).toContain('CASSANDRA_CONTACT_POINTS is not set');
    expect(told).toContain('ACCESS_TOKEN_SECRET is not set');
    const config = readConfig({
      NODE_ENV: 'production',
      CASSANDRA_CONTACT_POINTS: 'one.example:9042, two.example',
      ACCESS_TOKEN_SECRET: SECRET,
      ERASED_IDS_FILE: '/dev/null',
    });
    expect(config).toMatchObject({ production: true, warnings: [], sampleData: false, log: { level: 'info' } });
    expect(config.cassandra.contactPoints).toEqual(['one.example:9042', 'two.example']);
  });

  test('has origins as browsers send them', () => {
    expect(readConfig({}).corsOrigins).toEqual([]);
    const origins = ['https://books.example', 'http://localhost:5173'];
    expect(readConfig({ CORS_ORIGINS: origins.join(', ') }).corsOrigins).toEqual(origins);
    for (const wrong of [
      '*',
      'null',
      'books.example',
      'https://books.example/',
      'https://Books.example',
      'file:///',
      'https://*.books.example',
      'https://books.example:443',
      '',
    ])
      expect(message({ CORS_ORIGINS: `https://a.example,${wrong}` })).toContain(
        `CORS_ORIGINS is "https://a.example,${wrong}"; allowed: origins as browsers send them`,
      );
  });

  test.each(['0.0.0.0', '::', '192.168.1.7', 'library.example'])(
    'of development does not offer the server to others, as on %s; that of production does',
    (HOST) => {
      expect(message({ HOST })).toContain(`HOST is ${HOST}, which others can reach`);
      expect(readConfig({ HOST, HOST_IS_LOCAL: 'on' }).http.host).toBe(HOST);
      const production = {
        NODE_ENV: 'production',
        CASSANDRA_CONTACT_POINTS: 'one.example',
        ACCESS_TOKEN_SECRET: SECRET,
      };
      expect(readConfig({ ...production, HOST }).http.host).toBe(HOST);
      expect(message({ ...production, SAMPLE_DATA: 'on' })).toContain('readers whose password is published');
    },
  );

  test.each(['127.0.0.1', '127.0.0.9', '::1', 'localhost'])('takes %s for this machine', (HOST) => {
    expect(readConfig({ HOST }).http.host).toBe(HOST);
  });

  test('has the cookie of the refresh token where the web client is, which needs it', () => {
    const isOn = (env: Record<string, string>) => readConfig(env).sessions.refreshCookie;
    expect([isOn({}), isOn({ WEB_CLIENT: 'off' })]).toEqual([true, false]);
    expect(isOn({ WEB_CLIENT: 'off', REFRESH_COOKIE: 'on' })).toBe(true);
    expect(message({ REFRESH_COOKIE: 'off' })).toContain('REFRESH_COOKIE is off, but the web client');
  });

  test('has secrets from one place, each hard enough to guess', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'secrets');
    const [first, second] = ['f'.repeat(32), 's'.repeat(40)];
    writeFileSync(file, `${first}\n\n${second}\n`);
    expect(readConfig({ ACCESS_TOKEN_SECRET_FILE: file }).accessTokens.secrets).toEqual([first, second]);
    expect(message({ ACCESS_TOKEN_SECRET_FILE: file, ACCESS_TOKEN_SECRET: first })).toContain('are both set');
    writeFileSync(file, `${first}\nshort\n`);
    const told = message({ ACCESS_TOKEN_SECRET_FILE: file });
    expect(told).toContain('a secret in each line, of at least 32 characters');
    expect(told).not.toContain('short');
    rmSync(dirname(file), { recursive: true });
    expect(message({ ACCESS_TOKEN_SECRET_FILE: file })).toContain('the path of a file that exists');
  });

  test('has secrets that are in files, as secret managers deliver them', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), 'password');
    const env = { CASSANDRA_USERNAME: 'ann', CASSANDRA_PASSWORD_FILE: file };
    writeFileSync(file, 'top secret \n');
    expect(readConfig(env).cassandra.credentials).toEqual({ username: 'ann', password: 'top secret ' });
    expect(message({ ...env, CASSANDRA_PASSWORD: 'x' })).toContain(
      'CASSANDRA_PASSWORD and CASSANDRA_PASSWORD_FILE are',
    );
    writeFileSync(file, '\n');
    expect(message(env)).toContain('allowed: a file with the secret, which this process may read');
    writeFileSync(file, 'not a key');
    expect(message({ TWO_FACTOR_KEYS_FILE: file })).toContain('TWO_FACTOR_KEYS is a value of 9 characters');
    rmSync(dirname(file), { recursive: true });
    expect(message(env)).toContain('CASSANDRA_PASSWORD_FILE is');
  });

  test('has pages that ask for passkeys on one host, or within it, by TLS', () => {
    expect(readConfig({}).passkeyOrigins).toEqual([]);
    for (const good of [
      'https://books.example',
      'https://books.example, https://app.books.example:8443',
      'http://localhost:5173',
    ])
      expect(readConfig({ PASSKEY_ORIGINS: good }).passkeyOrigins).toEqual(good.split(', '));
    for (const wrong of [
      'books.example',
      'http://books.example',
      'https://books.example/',
      'https://app.books.example,https://books.example',
      'https://books.example,https://evilbooks.example',
      'https://books.example,http://app.books.example',
    ])
      expect(message({ PASSKEY_ORIGINS: wrong })).toContain('PASSKEY_ORIGINS');
  });

  test('has keys of second factors with 32 bytes in base64, which no message repeats', () => {
    const [current, former] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
    const { keys } = readConfig({ TWO_FACTOR_KEYS: `${current}, ${former}` }).twoFactor;
    expect(keys).toEqual([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
    expect(readConfig({}).twoFactor.keys).toEqual([]);
    for (const wrong of [
      'not a key',
      Buffer.alloc(31).toString('base64'),
      `${current},`,
      Buffer.alloc(32).toString('hex'),
    ]) {
      const told = message({ TWO_FACTOR_KEYS: wrong });
      expect(told).toContain(
        `TWO_FACTOR_KEYS is a value of ${String(wrong.length)} characters; allowed: 32 bytes in base64`,
      );
      expect(told).not.toContain(wrong);
    }
  });

  test('has a key, a contact and hosts of push messages, or none', () => {
    const [PUSH_PRIVATE_KEY, PUSH_CONTACT] = [randomBytes(32).toString('base64'), 'mailto:people@library.example'];
    const env = { PUSH_PRIVATE_KEY, PUSH_CONTACT };
    expect(readConfig({}).push).toBeNull();
    expect(readConfig({ ...env, PUSH_HOSTS: 'push.example:8443, *.push.example' }).push).toEqual({
      privateKey: Buffer.from(PUSH_PRIVATE_KEY, 'base64'),
      contact: PUSH_CONTACT,
      hosts: ['push.example:8443', '*.push.example'],
    });
    const inUrl = Buffer.from(PUSH_PRIVATE_KEY, 'base64').toString('base64url');
    expect(readConfig({ ...env, PUSH_PRIVATE_KEY: inUrl }).push?.hosts).toContain('*.push.apple.com');

    for (const one of [{ PUSH_PRIVATE_KEY }, { PUSH_CONTACT }])
      expect(message(one)).toContain('PUSH_PRIVATE_KEY and PUSH_CONTACT go together');
    // No private key is 0, or as large as the order of the curve.
    for (const wrong of ['short', Buffer.alloc(32).toString('base64'), Buffer.alloc(32, 255).toString('base64')]) {
      const told = message({ ...env, PUSH_PRIVATE_KEY: wrong });
      expect(told).toContain(`PUSH_PRIVATE_KEY is a value of ${String(wrong.length)} characters; allowed: 32 bytes`);
      expect(told).not.toContain(wrong);
    }
    for (const wrong of ['people@library.example', 'mailto:people', 'http://library.example', 'https://'])
      expect(message({ ...env, PUSH_CONTACT: wrong })).toContain('PUSH_CONTACT');
    for (const wrong of ['https://push.example', '*', '*.', 'push.*', 'a.*.example', '*.*.example', 'push.example/a'])
      expect(message({ ...env, PUSH_HOSTS: wrong })).toContain('PUSH_HOSTS');
    const guessable = {
      NODE_ENV: 'production',
      PUSH_PRIVATE_KEY: Buffer.alloc(32, 1).toString('base64'),
      PUSH_CONTACT,
    };
    expect(message(guessable)).toContain('PUSH_PRIVATE_KEY repeats itself');
  });

  test('has proxies as hops or addresses', () => {
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1']);
    expect(message({ TRUST_PROXY: 'everybody' })).toContain(
      'TRUST_PROXY is "everybody"; allowed: the number of proxies',
    );
  });

  test('refuses a user name without a password', () => {
    expect(message({ CASSANDRA_USERNAME: 'ann' })).toContain('CASSANDRA_USERNAME and CASSANDRA_PASSWORD go together');
  });

  test('of mails needs a server and a sender, and links with a place for the token', () => {
    const smtp = { SMTP_URL: 'smtp://ann:secret@mail.example', MAIL_FROM: 'Library <library@example.com>' };
    expect(message({ SMTP_URL: smtp.SMTP_URL })).toContain('MAIL_FROM is not set, but SMTP_URL is');
    const told = message({ SMTP_URL: 'http://ann:secret@mail.example', MAIL_FROM: 'a\nb@example.com' });
    expect(told).toContain('SMTP_URL is a value of 30 characters; allowed: smtp://user');
    expect(told).toContain('MAIL_FROM is "a\\nb@example.com"');
    expect(told).not.toContain('secret');
    for (const PASSWORD_RESET_URL of ['https://app.example/reset', '{token}', 'javascript:{token}']) {
      expect(message({ PASSWORD_RESET_URL })).toContain('PASSWORD_RESET_URL is');
    }
    expect(readConfig(smtp).mail).toMatchObject({ folder: undefined, emailVerification: { isAsked: true } });
    expect(readConfig({}).mail).toMatchObject({ folder: '.mails', emailVerification: { isAsked: false } });

    const production = {
      NODE_ENV: 'production',
      CASSANDRA_CONTACT_POINTS: 'one.example',
      ACCESS_TOKEN_SECRET: SECRET,
    };
    expect(readConfig(production).mail).toMatchObject({ smtp: undefined, folder: undefined });
    expect(message({ ...production, EMAIL_VERIFICATION: 'asked' })).toContain('EMAIL_VERIFICATION is asked');
    expect(message({ ...production, EMAIL_VERIFICATION: 'required' })).toContain('EMAIL_VERIFICATION is required');
    const verification = (env: Record<string, string>) => readConfig({ ...production, ...env }).mail.emailVerification;
    expect(verification({})).toMatchObject({ isAsked: false, isRequired: false });
    expect(verification(smtp)).toMatchObject({ isAsked: true, isRequired: false });
    expect(verification({ ...smtp, EMAIL_VERIFICATION: 'required' })).toMatchObject({
      isAsked: true,
      isRequired: true,
    });
    expect(readConfig({ ...production, ...smtp, EMAIL_VERIFICATION: 'asked' }).mail.smtp).toBeDefined();
  });

  test('refuses a certificate without its key, or without TLS', () => {
    const [cert, key] = [join(import.meta.dirname, 'tls/right.pem'), join(import.meta.dirname, 'tls/right.key.pem')];
    expect(message({ CASSANDRA_TLS: 'on', CASSANDRA_TLS_CERT: cert })).toContain('CASSANDRA_TLS_KEY go together');
    expect(message({ CASSANDRA_TLS_CERT: cert, CASSANDRA_TLS_KEY: key })).toContain('CASSANDRA_TLS is off');
    expect(message({ CASSANDRA_TLS: 'on', CASSANDRA_TLS_CERT: `${cert}.lost` })).toContain('a file that exists');
  });

  test('refuses to answer persisted documents alone if there are none', () => {
    expect(message({ DOCUMENTS: 'persisted' })).toContain('PERSISTED_DOCUMENTS is not set');
    expect(message({ PERSISTED_DOCUMENTS: 'lost.json' })).toContain('a file that exists');
    expect(readConfig({}).documents).toEqual({ persisted: undefined, only: false });
  });

  test('has every setting in .env.example, and no other is there', () => {
    const example = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8');
    const shown = [...example.matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(shown.toSorted()).toEqual(Object.keys(settings).toSorted());
  });
});
