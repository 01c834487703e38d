import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { FuzzRequest } from './requests.ts';

/** The answer of a server; `status` 0 if it closed the connection without one. */
export interface FuzzAnswer {
  readonly status: number;
  readonly body: string;
}

/** The time is longer than the server's limit of any request. */
const PATIENCE_MS = 40_000;
/** A slow reader reads one part of the answer, at most 64 KiB, per interval. */
const SLOW_MS = 1_000;

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request unchanged.
 * @throws Error if the server neither answers nor closes the connection, or sends an incomplete
 * answer
 */
export function send(
  url: string,
  { method, path, headers, body, raw, reads = 'AT_ONCE' }: FuzzRequest,
): Promise<FuzzAnswer> {
  const { hostname, port } = new URL(url);
  if (raw !== undefined) return sendRaw(hostname, Number(port), raw);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const outgoing = request(
      { agent, hostname, port, method, path: path.replaceAll(' ', '%20'), headers },
      (answer) => {
        isAnswered = true;
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (reads === 'NOT_TO_THE_END') outgoing.destroy();
          if (reads !== 'SLOWLY') return;
          answer.pause();
          setTimeout(() => answer.resume(), SLOW_MS);
        });
        answer.on('error', () => {
          if (answer.statusCode === 200 && reads === 'AT_ONCE') reject(new Error('the answer broke off'));
          else resolve({ status: 0, body: '' });
        });
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    outgoing.setTimeout(PATIENCE_MS, () => {
      // The connection is paused while a slow reader reads the parts of an answer that has arrived.
      if (!isAnswered || reads !== 'SLOWLY') reject(new Error(`no answer within ${PATIENCE_MS / 1_000} s`));
      outgoing.destroy();
    });
    // A body may be refused before all of it has arrived.
    outgoing.on('error', () => {
      resolve({ status: 0, body: '' });
    });
    outgoing.end(body);
  });
}

function sendRaw(host: string, port: number, text: string): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let body = '';
    socket.setTimeout(PATIENCE_MS, () => {
      reject(new Error(`a connection remains open for ${PATIENCE_MS / 1_000} s`));
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      body += chunk.toString('latin1');
    });
    socket.on('close', () => {
      resolve({ status: Number(/^HTTP\/1.1 (\d+)/.exec(body)?.[1] ?? 0), body: '' });
    });
    socket.end(text, 'latin1');
  });
}
