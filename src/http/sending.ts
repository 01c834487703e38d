import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../context/context.ts';

/**
 * Sends answers. The part that a client has not yet received is held in memory, so the connection
 * of a client that reads too slowly is closed.
 */

/** The maximum number of bytes in one write, because Node reports only whole writes as received. */
const PIECE_BYTES = 64 * 1_024;
/** The number of checks of the connections in the time that a request may take to arrive. */
const LOOKS = 3;

/** Sends large answers in pieces, and counts each answer until the client has received it. */
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
 * Closes the connection of a client that reads too slowly. Within a third of the time that a
 * request may take to arrive, a client must read a whole piece or all pending bytes: 13 KB a second
 * by default.
 */
export function endSlowReaders(server: FastifyInstance, { config }: AppContext): void {
  /**
   * The open connections, and the number of bytes that each must have received at the next check.
   */
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
  // After a long turn, the bytes received meanwhile are known only at the end of the next turn.
  const looking = setInterval(() => setImmediate(look), config.http.requestTimeoutMs / LOOKS).unref();
  server.addHook('onClose', (_server, done) => {
    clearInterval(looking);
    done();
  });
}
