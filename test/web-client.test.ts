import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../src/http/server.ts';
import type { AppContext } from '../src/context/context.ts';
import { Admission } from '../src/http/admission.ts';
import { sharePreviews } from '../src/http/share-previews.ts';
import { serveWebClient } from '../src/http/web-client.ts';
import { registerAdministrator } from './support/accounts.ts';
import { sharedKeyspace, startServer, startServerProcess, testEnvironment, type TestServer } from './support/app.ts';
import { isbnOf } from './support/books.ts';
import type { Client } from './support/client.ts';
import { raw } from './support/raw.ts';

/** The web client is served as it was built, for any path. */

const PAGE =
  '<!doctype html><head><meta name="description" content="Books." /><title>Library</title></head><body></body>';
const SCRIPT = 'console.log("the client")'.repeat(100);
let folder: string;
let development: TestServer;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-client-'));
  await mkdir(join(folder, 'dist/assets'), { recursive: true });
  await writeFile(join(folder, 'secret.js'), 'a secret');
  await writeFile(join(folder, 'dist/index.html'), PAGE);
  await writeFile(join(folder, 'dist/pages.json'), JSON.stringify(['', 'book', 'list', 'reader', 'search']));
  await writeFile(join(folder, 'dist/assets/index-abc.js'), SCRIPT);
  await writeFile(join(folder, 'dist/assets/index-abc.js.map'), '{}');

  development = await startServer(
    await sharedKeyspace({ WEB_CLIENT: 'off', COVER_HOSTS: 'covers.example', AVATAR_HOSTS: 'faces.example' }),
  );
  url = await serve(development.app);
});

/** Serves the client of a server in this process, and returns its URL. */
async function serve(app: AppContext): Promise<string> {
  const server = await createServer(app);
  const admission = new Admission({ query: 1, mutation: 0, import: 0 });
  await serveWebClient(server, app.config, join(folder, 'dist'), sharePreviews(app, admission));
  afterAll(() => server.close());
  return server.listen({ host: '127.0.0.1', port: 0 });
}

afterAll(() => rm(folder, { recursive: true }));

test.each(['/app/', '/app/index.html', '/app/search?query=hunger', '/app/search/again'])(
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
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https://covers.example https://faces.example; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
  },
);

test.each(['/app/nonsense', '/app/searching', '/app/__proto__', '/app/list/%E0%A4%A', `/app/${'x'.repeat(300)}`])(
  '%s is no page: the client says so, with status 404',
  async (path) => {
    const response = await fetch(`${url}${path}`);
    expect([response.status, await response.text()]).toEqual([404, PAGE]);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
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

describe('the preview of a page', () => {
  const pageAt = async (path: string, at = url) => {
    const response = await fetch(`${at}/app/${path}`);
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const tagsOf = (html: string) =>
    Object.fromEntries(
      Array.from(html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g), ([, name, text]) => [
        name,
        text,
      ]),
    );
  let owner: Client;
  let other: Client;
  let book: string;
  const lists: string[] = [];

  beforeAll(async () => {
    const administrator = await registerAdministrator(development);
    owner = await development.client().registerSomebody('Ann <i>Lee</i>');
    await owner.mutate('shareYear', { year: 2025, isShared: true }, '__typename');
    other = await development.client().registerSomebody('Bob');
    const title = '"Cut" & <script>alert(1)</script> $& $`';
    const fields = { title, authors: ['O’Brien', 'B'], coverUrl: 'https://covers.example/1.jpg' };
    book = (await administrator.mutate('addBook', { isbn: isbnOf(979_300_000_001), ...fields }, 'book { id }')).book
      .id as string;
    for (const audience of ['EVERYONE', 'SIGNED_IN', 'ONLY_ME', 'EVERYONE']) {
      const input = { name: 'To the beach', description: 'x'.repeat(1_000), audience };
      lists.push((await owner.mutate('createList', input, 'list { id }')).list.id as string);
    }
    await administrator.mutate('takeDown', { id: lists.at(-1), reason: 'A test' }, 'changed');
    await administrator.mutate('suspendAccount', { id: other.viewerId, reason: 'A test' }, 'changed');
  });

  test('of a book has its title, authors and cover, as text', async () => {
    const { status, headers, html } = await pageAt(`book/${book}`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    const title = '&quot;Cut&quot; &amp; &lt;script&gt;alert(1)&lt;/script&gt; $&amp; $`';
    expect(html).toContain(`<title>${title} – Library</title>`);
    expect(html.match(/<title>|name="description"/g)).toHaveLength(2);
    expect(tagsOf(html)).toEqual({
      description: 'By O’Brien, B.',
      'og:title': title,
      'og:description': 'By O’Brien, B.',
      'og:type': 'website',
      'og:url': `${url}/app/book/${book}`,
      'og:image': 'https://covers.example/1.jpg',
    });
  });

  test('of a list or reader has the name', async () => {
    expect(tagsOf((await pageAt(`list/${lists[0]!}`)).html)).toMatchObject({
      'og:title': 'To the beach',
      'og:description': 'x'.repeat(200),
    });
    const name = 'Ann &lt;i&gt;Lee&lt;/i&gt;';
    const ofReader = async () => tagsOf((await pageAt(`reader/${owner.viewerId}`)).html);
    expect(await ofReader()).toMatchObject({ 'og:title': name, 'og:description': `What ${name} shows to others.` });
    await owner.mutate('updateProfile', { bio: 'I read.', avatarUrl: 'https://faces.example/ann.png' }, '__typename');
    expect(await ofReader()).toEqual({
      description: 'I read.',
      'og:title': name,
      'og:description': 'I read.',
      'og:type': 'website',
      'og:url': `${url}/app/reader/${owner.viewerId}`,
      'og:image': 'https://faces.example/ann.png',
    });
  });

  test("of a reader's year has what was read, and a picture", async () => {
    expect(tagsOf((await pageAt(`reader/${owner.viewerId}/year/2025`)).html)).toEqual({
      description: '0 books.',
      'og:title': 'Ann &lt;i&gt;Lee&lt;/i&gt;: 2025 in books',
      'og:description': '0 books.',
      'og:type': 'website',
      'og:url': `${url}/app/reader/${owner.viewerId}/year/2025`,
      'og:image': `${url}/pictures/years/${owner.viewerId}/2025.png`,
    });
    expect((await pageAt(`reader/${owner.viewerId}/year/1`)).status).toBe(404);
  });

  test('is none, with status 404, if visitors see nothing', async () => {
    const hidden = [
      ...lists.slice(1).map((id) => `list/${id}`),
      `reader/${other.viewerId}`,
      `reader/${book}`,
      'book/Qm9vazox',
      'list/',
    ];
    for (const path of hidden) {
      const { status, headers, html } = await pageAt(path);
      expect([path, status, html]).toEqual([path, 404, PAGE]);
      expect(headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(headers.get('cache-control')).toBe('no-cache');
    }
  });

  test('is none while it cannot be read, or beyond the limit of the address', async () => {
    const { app } = development;
    const failing = { ...app.nodeTypes, Book: { find: () => Promise.reject(new Error('a fault')) } };
    const pages = [
      await pageAt(`book/${book}`, await serve({ ...app, nodeTypes: failing })),
      await pageAt(`book/${book}`, await serve({ ...app, config: { ...app.config, rateLimitPerMinute: -1 } })),
    ];
    expect(pages.map(({ status, html }) => [status, html])).toEqual(Array(2).fill([200, PAGE]));
  });

  test('is none while as many queries are in progress as may be', async () => {
    const { app } = development;
    const begun = Promise.withResolvers<undefined>();
    const read = Promise.withResolvers<null>();
    const find = () => {
      begun.resolve(undefined);
      return read.promise;
    };
    const at = await serve({ ...app, nodeTypes: { ...app.nodeTypes, Book: { find } } });
    const first = pageAt(`book/${book}`, at);
    await begun.promise;
    expect((await pageAt(`book/${book}`, at)).status).toBe(200);
    read.resolve(null);
    expect((await first).status).toBe(404);
    expect((await pageAt(`book/${book}`, at)).status).toBe(404);
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
  await serveWebClient(server, development.app.config, join(folder, 'nothing'), () => Promise.resolve(undefined));
  const { statusCode, body } = await server.inject('/app/');
  expect([statusCode, body]).toEqual([404, expect.stringContaining('npm run web')]);
  await server.close();
});
