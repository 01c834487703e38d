import type { FastifyBaseLogger } from 'fastify';
import type { AppContext } from '../context/context.ts';
import { hashedAddress } from '../throttling/addresses.ts';

/**
 * Makes the logger of requests. It logs no query string, header or body, so no password or token
 * gets into the log. It logs only the hash of the network address, the same as throttling does.
 */
export const requestLog = ({ config, logger }: AppContext): FastifyBaseLogger =>
  logger.child(
    {},
    {
      serializers: {
        req: ({ method, url, ip }: { method: string; url: string; ip: string }) => ({
          method,
          path: url.split('?', 1)[0],
          address: hashedAddress(config, ip),
        }),
      },
    },
  );
