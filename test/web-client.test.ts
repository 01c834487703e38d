import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../src/http/server.ts';
import { serveWebClient } from '../src/http/web-client.ts';
import { sharedKeyspace, startServer, startServerProcess, testEnvironment, type TestServer } from './support/app.ts';
import { raw } from './support/raw.ts';

/** The web client is served as it was built, for any path. */

const SCRIPT = 'console.log("the client")'.repeat(100);
let folder: string;
let development: TestServer;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-client-'));
  await mkdir(join(folder, 'dist/assets'), { recursive: true });
  await writeFile(join(folder, 'secret.js'), 'a secret');
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html><title>Library</title>');
  await writeFile(join(folder, 'dist/assets/index-abc.js'), SCRIPT);
  await writeFile(join(folder, 'dist/assets/index-abc.js.map'), '{}');

  development = await startServer(await sharedKeyspace({ WEB_CLIENT: 'off', COVER_HOSTS: 'covers.example' }));
  const server = await createServer(development.app);
  await serveWebClient(server, development.app.config, join(folder, 'dist'));
  url = await server.listen({ host: '127.0.0.1', port: 0 });
  afterAll(() => server.close());
});
afterAll(() => rm(folder, { recursive: true }));

test.each(['/app/', '/app/index.html', '/app/book/Qm9vazox', '/app/search?query=hunger'])(
  '%s is the page, which is asked for again each time',
  async (path) => {
    const response = await fetch(`${url}${path}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>Library</title>');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://covers.example; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
  },
);

test('/app leads to the page', async () => {
  const response = await fetch(`${url}/app`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/app/']);
});

test('a file named by its content is cached permanently, and compressed for browsers that accept it', async () => {
  const path = '/app/assets/index-abc.js';
  const plain = await fetch(`${url}${path}`, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('vary')).toBe('Accept-Encoding');
  expect(await plain.text()).toBe(SCRIPT);

  const brotli = await raw(url, path, { 'accept-encoding': 'gzip, br' });
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(brotli.body.length).toBeLessThan(SCRIPT.length / 4);
  expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);

  const gzip = await raw(url, path, { 'accept-encoding': 'gzip, br;q=0' });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
});

describe('no other file is served', () => {
  test.each([
    '/app/../secret.js',
    '/app/..%2fsecret.js',
    '/app/%2e%2e/secret.js',
    '/app/assets/..%2f..%2f..%2fsecret.js',
    '/app//etc/passwd',
    '/app/..%5csecret.js',
    '/app/assets/index-abc.js.map',
    '/app/assets/index-old.js',
    '/app/%00',
  ])('by %s', async (path) => {
    const { status, body: bytes } = await raw(url, path, {});
    const body = bytes.toString();
    expect(body).not.toMatch(/a secret|root:/);
    expect([200, 400, 404]).toContain(status);
    if (status === 200) expect(body).toContain('<title>Library</title>');
    if (path.startsWith('/app/assets/index')) expect(status).toBe(404);
  });
});

test('production serves no client unless it is asked to', async () => {
  const { app } = development;
  const environment = testEnvironment({ CASSANDRA_KEYSPACE: app.config.cassandra.keyspace });
  const production = await startServerProcess({ ...environment, NODE_ENV: 'production' });
  expect((await fetch(`${production.url}/app/`)).status).toBe(404);
});

test('a client that is not built is answered with how to build it', async () => {
  const server = await createServer(development.app);
  await serveWebClient(server, development.app.config, join(folder, 'nothing'));
  const { statusCode, body } = await server.inject('/app/');
  expect([statusCode, body]).toEqual([404, expect.stringContaining('npm run web')]);
  await server.close();
});
