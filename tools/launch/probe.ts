import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An OPTIONS request of the native protocol, version 4: an empty frame that every node answers
 * without a login.
 */
const OPTIONS = Uint8Array.from([0x04, 0, 0, 0, 0x05, 0, 0, 0, 0]);
const REPLY_WITHIN_MS = 1_000;
const PAUSE_MS = 100;

/**
 * Waits until a node answers. An open port is not enough: a container's port is open from the
 * start, and Cassandra opens its port a moment before it reads from it.
 * @param mayStillAnswer called before each try; false gives up
 * @returns true if the node answers
 */
export async function untilAnswering(host: string, port: number, mayStillAnswer: () => boolean): Promise<boolean> {
  while (mayStillAnswer()) {
    if (await answers(host, port)) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

const answers = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => socket.write(OPTIONS));
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket
      .setTimeout(REPLY_WITHIN_MS, () => end(false))
      .once('data', () => end(true))
      .once('error', () => end(false))
      .once('close', () => end(false));
  });
