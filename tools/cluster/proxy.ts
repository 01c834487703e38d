import { createServer, connect, type Socket } from 'node:net';

/**
 * A proxy in front of a node that can swallow the node's answers. Cassandra has executed the
 * statements, and the clients do not learn of it.
 */
export interface Proxy {
  /**
   * Swallows all answers for a while, then breaks the connections, like a network that recovers.
   */
  readonly swallow: (milliseconds: number) => void;
  readonly stop: () => Promise<void>;
}

/** Listens at the node's address on one port and forwards everything to another one. */
export async function startProxy(address: string, port: number, nodePort: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const server = createServer((client) => {
    const node = connect(nodePort, address);
    for (const socket of [client, node]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        node.destroy();
      });
      socket.on('error', () => socket.destroy());
    }
    client.pipe(node);
    node.on('data', (answer) => {
      if (!isSwallowing) client.write(answer);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, address, resolve);
  });
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    swallow: (milliseconds) => {
      isSwallowing = true;
      setTimeout(() => {
        breakAll();
        isSwallowing = false;
      }, milliseconds);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        breakAll();
      }),
  };
}
