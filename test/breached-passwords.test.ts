import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { endWithFile, sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD } from './support/client.ts';
import { mailInFolder, tokenIn } from './support/mails.ts';

/**
 * New passwords are looked up among breached ones, in a service with the protocol of Pwned
 * Passwords.
 */

const BREACHED = 'eleven purple horses';
const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
/** Each answer has some more lines. */
const listOf = (...lines: string[]) => [`${'0'.repeat(35)}:12`, ...lines, `${'F'.repeat(35)}:0`].join('\r\n');
const answerLists: typeof answer = ({ url = '' }, response) => {
  const prefix = url.slice(-5);
  const known = [BREACHED, 'fine old horses'].map(hashOf).filter((hash) => hash.startsWith(prefix));
  response.end(listOf(...known.map((hash) => `${hash.slice(5)}:3`)));
};

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: IncomingMessage[];
let server: TestServer;

beforeAll(async () => {
  const service = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  endWithFile(() => {
    service.closeAllConnections();
    service.close();
  });
  const url = `http://127.0.0.1:${String((service.address() as AddressInfo).port)}/range/`;
  server = await startServer(await sharedKeyspace({ BREACHED_PASSWORDS_URL: url }));
});

beforeEach(() => {
  asked = [];
  answer = answerLists;
});

let people = 0;
const register = (password: string, email = `breached-${process.pid}-${++people}-${Date.now()}@example.com`) =>
  server.client().mutate('register', { email, password, fullName: 'Ann Lee' }, 'viewer { id }');
const refused = (field: string) => ({
  viewer: null,
  userErrors: [
    {
      code: 'INVALID_PASSWORD',
      path: ['input', field],
      message: expect.stringContaining('Choose one that you use nowhere else') as string,
    },
  ],
});
const lookUps = async (result: string) => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(
    new RegExp(`^breached_password_lookups_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0,
  );
};

describe('a password that is known from a breach', () => {
  test('is refused at registration; only five digits of its hash are sent', async () => {
    const before = await lookUps('found');
    expect(await register(BREACHED)).toMatchObject(refused('password'));
    const [request] = asked;
    expect([request?.method, request?.url]).toEqual(['GET', `/range/${hashOf(BREACHED).slice(0, 5)}`]);
    expect(request?.headers).toMatchObject({ 'add-padding': 'true', 'user-agent': 'social-e-library' });
    expect(JSON.stringify(request?.rawHeaders)).not.toContain(hashOf(BREACHED).slice(5));
    expect(asked).toHaveLength(1);
    expect(await lookUps('found')).toBe(before + 1);
  });

  test('is refused in the same way whether or not the email has an account', async () => {
    const { email } = await server.client().registerSomebody();
    expect(await register(BREACHED, email)).toMatchObject(refused('password'));
  });

  test('is reported in the spelling that is hashed', async () => {
    expect(await register('ﬁne old horses')).toMatchObject(refused('password'));
  });

  test('is refused when a reader changes their password, which is kept', async () => {
    const reader = await server.client().registerSomebody();
    const input = { password: PASSWORD, newPassword: BREACHED };
    expect(await reader.mutate('changePassword', input, 'viewer { id }')).toMatchObject(refused('newPassword'));
    await server.client().login(reader.email);
  });

  test('is refused when a lost password is replaced, and the token remains valid', async () => {
    const { email } = await server.client().registerSomebody();
    await server.client().mutate('requestPasswordReset', { email }, '__typename');
    const token = tokenIn(await mailInFolder(server.app.config.mail.folder!, email, 'A new password'));
    const reset = (password: string) => server.client().mutate('resetPassword', { token, password }, 'viewer { id }');
    expect(await reset(BREACHED)).toMatchObject(refused('password'));
    expect((await reset('twelve purple horses')).userErrors).toEqual([]);
  });

  test('is not looked up if the policy already refuses it, or at login', async () => {
    await register('short');
    await server.client().mutate('login', { email: 'nobody@example.com', password: BREACHED }, '__typename');
    expect(asked).toEqual([]);
  });
});

describe('a password is accepted', () => {
  test.each([
    ['if it is not known', answerLists],
    [
      'if it is only padding of the list',
      (_request, response) => response.end(listOf(`${hashOf('thirteen purple horses').slice(5)}:0`)),
    ],
    ['if the list is empty', (_request, response) => response.end()],
  ] satisfies [string, typeof answer][])('that %s', async (_which, how) => {
    const before = await lookUps('not_found');
    answer = how;
    expect((await register('thirteen purple horses')).userErrors).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(await lookUps('not_found')).toBe(before + 1);
  });

  test.each([
    ['answers an error', (_request, response) => response.writeHead(500).end(listOf(`${hashOf(BREACHED).slice(5)}:3`))],
    ['does not answer', () => undefined],
    ['does not end its answer', (_request, response) => response.write(listOf(`${hashOf(BREACHED).slice(5)}:3`))],
    ['answers without end', (_request, response) => response.end('0'.repeat(600_000))],
    ['breaks off', ({ socket }) => socket.destroy()],
    [
      'redirects',
      ({ url }, response) => response.writeHead(url === '/elsewhere' ? 200 : 302, { location: '/elsewhere' }).end(),
    ],
  ] satisfies [string, typeof answer][])('if the service %s', async (_what, how) => {
    const before = await lookUps('failed');
    answer = how;
    expect((await register(BREACHED)).userErrors).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(await lookUps('failed')).toBe(before + 1);
  });

  test('when many arrive at once and the service never answers: 16 are looked up at a time', async () => {
    let askedAtFirst: number | undefined;
    answer = (_request, response) => {
      response.once('close', () => (askedAtFirst ??= asked.length));
    };
    const answers = await Promise.all(Array.from({ length: 40 }, () => register('fourteen purple horses')));
    expect(answers.flatMap(({ userErrors }) => userErrors as unknown[])).toEqual([]);
    expect(askedAtFirst).toBeGreaterThan(1);
    expect(askedAtFirst).toBeLessThanOrEqual(16);
  });
});

test('the setting is one URL to which five digits are added', () => {
  const urlOf = (url: string) => readConfig({ BREACHED_PASSWORDS_URL: url }).passwords.breachedUrl;
  expect(urlOf('')).toBeUndefined();
  expect(urlOf('https://api.pwnedpasswords.com/range/')).toBe('https://api.pwnedpasswords.com/range');
  for (const url of [
    'range',
    'ftp://a.example/',
    'https://me:secret@a.example/',
    'https://a.example/?q=',
    'https://a.example/#',
  ])
    expect(() => urlOf(url)).toThrow('BREACHED_PASSWORDS_URL');
});
