import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { codingFor, varyByEncoding, type Coding } from './compression.ts';
import { bodyOf } from './errors.ts';
import { WEB_CLIENT_PATH, withPreview, type PreviewOf } from './share-previews.ts';

/** Serves the built web client of examples/web. Its few files are kept in memory. */

/** The folder of the built client. */
export const WEB_CLIENT_FOLDER = join(import.meta.dirname, '../../examples/web/dist');

const PAGE = 'index.html';
/** The built list of the first parts of the paths that the client has pages for. */
const PAGES = 'pages.json';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
};
/** Vite names the files of this folder by their content. */
const ASSETS = 'assets/';
const MISSING = 'The web client has no such file, or is not built: run `npm run web`, and start the server again.';

const compressors: Readonly<Record<Coding, (body: Buffer) => Promise<Buffer>>> = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

interface WebFile {
  readonly type: string;
  readonly body: Buffer;
  /** The compressed bodies. Each is made when a browser first asks for it. */
  readonly compressed: Partial<Record<Coding, Promise<Buffer>>>;
}

/**
 * Serves the client at `/app`. Every path below it that is no file answers with the client's page,
 * with status 404 if the client has no such page, or it shows nothing to a visitor. Its reader may
 * see it all the same.
 * If the client is not built, the answer explains how to build it.
 */
export async function serveWebClient(
  server: FastifyInstance,
  config: Config,
  folder: string,
  previewOf: PreviewOf,
): Promise<void> {
  const files = await filesIn(folder);
  const policy = contentPolicy([...config.coverHosts, ...config.avatarHosts]);
  const pages = pagesIn(files);

  await server.register(async (web) => {
    // The headers for answers with data were set earlier.
    web.addHook('onSend', (request, reply, _payload, done) => {
      const isAsset = request.url.startsWith(WEB_CLIENT_PATH + ASSETS);
      const cacheControl = isAsset ? 'public, max-age=31536000, immutable' : 'no-cache';
      if (reply.statusCode === 200 || reply.getHeader('content-type') === TYPES['.html']) {
        reply.headers({ 'content-security-policy': policy, 'cache-control': cacheControl });
        varyByEncoding(reply);
      }
      done();
    });
    web.get('/app', (_request, reply) => reply.redirect(WEB_CLIENT_PATH));
    web.get<{ Params: { '*': string } }>(`${WEB_CLIENT_PATH}*`, async (request, reply) => {
      const { params, headers } = request;
      const name = params['*'];
      const file = files.get(name) ?? (name.startsWith(ASSETS) ? undefined : files.get(PAGE));
      if (!file || !pages) return reply.code(404).send(bodyOf('NOT_FOUND', MISSING));

      const isPage = files.has(name) || pages.has(name.split('/')[0] ?? '');
      const preview = !isPage ? null : files.has(name) ? undefined : await previewOf(name, request);
      if (preview) return reply.type(file.type).send(withPreview(file.body.toString(), preview));
      if (preview === null) reply.code(404);
      reply.type(file.type);
      const coding = codingFor(headers['accept-encoding']);
      if (!coding) return reply.send(file.body);
      reply.header('content-encoding', coding);
      return reply.send(await (file.compressed[coding] ??= compressors[coding](file.body)));
    });
  });
}

/**
 * Returns the URL of a request. A malformed path of the client becomes one that it has no page for.
 */
export function urlForWebClient(url: string): string {
  if (!url.startsWith(WEB_CLIENT_PATH)) return url;
  try {
    decodeURI(url);
    return url;
  } catch {
    return `${WEB_CLIENT_PATH}malformed`;
  }
}

/** Returns whether the client is built. */
export async function isWebClientBuilt(folder: string): Promise<boolean> {
  const files = await filesIn(folder);
  return files.has(PAGE) && files.has(PAGES);
}

/**
 * Returns the first parts of the paths that the client has pages for; undefined if it is not built.
 */
function pagesIn(files: ReadonlyMap<string, WebFile>): ReadonlySet<string> | undefined {
  const file = files.get(PAGES);
  return file && new Set(z.array(z.string()).parse(JSON.parse(file.body.toString())));
}

/** Reads the files of a folder that have one of the known types, by their paths in it. */
async function filesIn(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    entries.map(async (entry): Promise<[string, WebFile][]> => {
      const type = TYPES[extname(entry.name)];
      if (!entry.isFile() || type === undefined) return [];

      const path = join(entry.parentPath, entry.name);
      const body = await readFile(path);
      return [[relative(folder, path).replaceAll(sep, '/'), { type, body, compressed: {} }]];
    }),
  );
  return new Map(files.flat());
}

/** The content security policy of the client: its own files, its own server, covers and faces. */
const contentPolicy = (pictureHosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${["'self'", ...new Set(pictureHosts.map((host) => `https://${host}`))].join(' ')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
