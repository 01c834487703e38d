import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { codingFor, varyByEncoding, type Coding } from './compression.ts';
import { bodyOf } from './errors.ts';
import { withPreview, type PreviewOf } from './share-previews.ts';

/** Serves the built web client of examples/web. Its few files are kept in memory. */

/** The folder of the built client. */
export const WEB_CLIENT_FOLDER = join(import.meta.dirname, '../../examples/web/dist');

const PAGE = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
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
 * with status 404 if the page shows nothing to a visitor. Its reader may see it all the same.
 * If the client is not built, the answer explains how to build it.
 */
export async function serveWebClient(
  server: FastifyInstance,
  config: Config,
  folder: string,
  previewOf: PreviewOf,
): Promise<void> {
  const files = await filesIn(folder);
  const policy = contentPolicy(config.coverHosts);

  await server.register(async (web) => {
    // The headers for answers with data were set earlier.
    web.addHook('onSend', (request, reply, _payload, done) => {
      const isAsset = request.url.startsWith(`/app/${ASSETS}`);
      const cacheControl = isAsset ? 'public, max-age=31536000, immutable' : 'no-cache';
      if (reply.statusCode === 200 || reply.getHeader('content-type') === TYPES['.html']) {
        reply.headers({ 'content-security-policy': policy, 'cache-control': cacheControl });
        varyByEncoding(reply);
      }
      done();
    });
    web.get('/app', (_request, reply) => reply.redirect('/app/'));
    web.get<{ Params: { '*': string } }>('/app/*', async (request, reply) => {
      const { params, headers } = request;
      const name = params['*'];
      const file = files.get(name) ?? (name.startsWith(ASSETS) ? undefined : files.get(PAGE));
      if (!file) return reply.code(404).send(bodyOf('NOT_FOUND', MISSING));

      const preview = files.has(name) ? undefined : await previewOf(name, request);
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

/** Returns the URL of a request, or that of the client's page if a path below it is malformed. */
export function urlForWebClient(url: string): string {
  if (!url.startsWith('/app/')) return url;
  try {
    decodeURI(url);
    return url;
  } catch {
    return '/app/';
  }
}

/** Returns whether the client is built. */
export const isWebClientBuilt = async (folder: string): Promise<boolean> => (await filesIn(folder)).has(PAGE);

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

/** The content security policy of the client: its own files, its own server, and covers. */
const contentPolicy = (coverHosts: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${["'self'", ...coverHosts.map((host) => `https://${host}`)].join(' ')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
