import type { IncomingMessage } from 'node:http';
import { errorCodes, type FastifyRequest } from 'fastify';
import { refusedBody } from './admission.ts';

/**
 * Reads the body of a request. It is held as one growing buffer, because many small pieces would
 * take far more memory than their bytes.
 * @param bytesMax the maximum number of bytes
 * @param then receives the body, or the error that refuses the request: the body is too large
 *   (413), or there is no room for it (`OVERLOADED`)
 */
export function readBody(
  { held, headers }: FastifyRequest,
  arriving: IncomingMessage,
  bytesMax: number,
  then: (error: Error | null, body: Buffer) => void,
): void {
  let buffer = Buffer.alloc(0);
  let length = 0;
  const end = (error?: Error) => {
    arriving.off('data', add).off('end', end).off('error', end);
    then(error ?? null, buffer.subarray(0, length));
  };
  const add = (piece: Buffer) => {
    const next = length + piece.length;
    if (next > bytesMax) {
      end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return;
    }
    if (next > buffer.length) {
      const size = Math.min(bytesMax, Math.max(next, 2 * buffer.length));
      if (held?.take(size - buffer.length) === false) {
        end(refusedBody());
        return;
      }
      const grown = Buffer.allocUnsafe(size);
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
    }
    piece.copy(buffer, length);
    length = next;
  };

  if (Number(headers['content-length']) > bytesMax) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  else arriving.on('data', add).on('end', end).on('error', end);
}
