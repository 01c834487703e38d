import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What is to be done when requests of a connection have ended. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls a function once when a request has ended, in whatever way: its answer has gone out, or its
 * connection is closed. It is called at once if that has happened before.
 */
export function whenEnded(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  then: () => void,
): void {
  if (socket.destroyed || response.closed) {
    then();
    return;
  }

  const ends = waiting.get(socket) ?? endsOf(socket);
  const end = () => {
    if (ends.delete(end)) then();
  };
  ends.add(end);
  response.once('close', end);
}

/**
 * Node never closes the response of a request that was sent behind another one on its connection
 * (pipelining) when the connection is closed before its turn.
 */
function endsOf(socket: Socket): Set<() => void> {
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once('close', () => {
    for (const end of ends) end();
  });
  return ends;
}
