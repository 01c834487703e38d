import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../context/context.ts';

/**
 * How answers are sent. What a client has not yet taken stays in memory, so a client that does not
 * read, or hardly, is not waited for.
 */

/** The most that is written at once, because Node tells only of a whole write that it was taken. */
const PIECE_BYTES = 64 * 1_024;
/** The number of looks at the connections in the time that a request may take to arrive. */
const LOOKS = 3;

/** Sends large answers in pieces, and counts each answer until the client has taken it. */
export function sendInPieces(server: FastifyInstance): void {
  server.addHook('onSend', ({ held }, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
      done(null, payload);
      return;
    }
    const bytes = Buffer.byteLength(payload);
    held?.become(bytes);
    if (bytes <= PIECE_BYTES) {
      done(null, payload);
      return;
    }
    reply.header('content-length', bytes);
    done(null, Readable.from(piecesOf(typeof payload === 'string' ? Buffer.from(payload) : payload)));
  });
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

/**
 * Closes the connection of a client that takes neither all that waits for it nor a piece within a
 * third of the time that a request may take to arrive: less than 13 KB a second by default.
 */
export function endSlowReaders(server: FastifyInstance, { config }: AppContext): void {
  /** The open connections, and the number of bytes that each must have taken at the next look. */
  const due = new Map<Socket, number>();
  server.server.on('connection', (socket: Socket) => {
    due.set(socket, 0);
    socket.once('close', () => due.delete(socket));
  });
  const look = () => {
    for (const [socket, least] of due) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (taken < least) socket.destroy();
      due.set(socket, taken + Math.min(socket.writableLength, PIECE_BYTES));
    }
  };
  // After a turn that took long, what was taken meanwhile is only known at the end of the next one.
  const looking = setInterval(() => setImmediate(look), config.http.requestTimeoutMs / LOOKS).unref();
  server.addHook('onClose', (_server, done) => {
    clearInterval(looking);
    done();
  });
}
