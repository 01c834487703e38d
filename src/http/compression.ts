import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * Compression of answers. Only answers of queries are compressed, because only mutations answer
 * with tokens and other secrets of a session: if an answer contains a secret and a text that an
 * attacker chose, the length of the compressed answer reveals something about it (BREACH).
 */

/** The codings that the server knows, best first. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];
/** The part of the header that is read. Browsers send some thirty characters. */
const ACCEPTED_LENGTH_MAX = 1_000;

/** The minimum number of bytes of an answer that is worth compressing. */
const COMPRESSED_BYTES_MIN = 1_024;
/**
 * At this quality Brotli makes a page about as small as gzip does, in less of the processor's time.
 * `bench/RESULTS.md` has the figures.
 */
const BROTLI_QUALITY = 3;
/** The window, 256 KB, is all that a compressor keeps of an answer. */
const BROTLI_WINDOW_BITS = 18;
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
  },
};

/** An answer with more bytes is compressed in another thread, because it takes a long turn. */
const TURN_BYTES_MAX = 256 * 1_024;

/**
 * Compresses an answer in this thread or in another one. For a page, the hand-over takes longer
 * than compressing.
 */
interface Compressor {
  readonly here: (text: string) => Buffer;
  readonly elsewhere: (text: string, done: (error: Error | null, bytes: Buffer) => void) => void;
}

const compressors: Readonly<Record<Coding, Compressor>> = {
  br: {
    here: (text) => brotliCompressSync(text, BROTLI),
    elsewhere: (text, done) => {
      brotliCompress(text, BROTLI, done);
    },
  },
  gzip: { here: gzipSync, elsewhere: gzip },
};

/**
 * Compresses the answers of queries for clients that accept it. It must be called after {@link
 * boundAnswers}, which counts uncompressed bytes.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', ({ headers, budget }, reply, payload, done) => {
    if (typeof payload !== 'string' || !budget?.isOfQuery) {
      done(null, payload);
      return;
    }
    varyByEncoding(reply);
    const bytes = Buffer.byteLength(payload);
    const coding = bytes >= COMPRESSED_BYTES_MIN ? codingFor(headers['accept-encoding']) : undefined;
    if (!coding) {
      done(null, payload);
      return;
    }
    reply.header('content-encoding', coding);
    if (bytes > TURN_BYTES_MAX) compressors[coding].elsewhere(payload, done);
    else done(null, compressors[coding].here(payload));
  });
}

/** Adds the header by which caches know that the answer depends on `accept-encoding`. */
export function varyByEncoding(reply: FastifyReply): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${String(others)}, Accept-Encoding`);
}

/**
 * Returns the coding that a client prefers, by the weights of its header `accept-encoding` (RFC
 * 9110, 12.5.3); `undefined` if the answer should be sent uncompressed.
 */
export function codingFor(accepted: string | string[] | undefined): Coding | undefined {
  const weights = new Map(
    String(accepted ?? '')
      .slice(0, ACCEPTED_LENGTH_MAX)
      .split(',')
      .map(weighted),
  );
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best] = CODINGS.toSorted((one, other) => weightOf(other) - weightOf(one));
  // A client that does not mention `identity` accepts it, but prefers any coding that it names.
  return best && weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** Reads one part of the header, such as `gzip;q=0.5`. A malformed weight is ignored. */
function weighted(part: string): [coding: string, weight: number] {
  const [coding = '', weight = 'q=1'] = part
    .toLowerCase()
    .split(';')
    .map((each) => each.trim());
  return [coding, Number(/^q=([01](?:\.\d{0,3})?)$/.exec(weight)?.[1] ?? 0)];
}
