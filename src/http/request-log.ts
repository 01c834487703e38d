import type { FastifyBaseLogger } from 'fastify';
import type { AppContext } from '../context/context.ts';
import { hashedAddress } from '../throttling/addresses.ts';

/**
 * The log of requests. It keeps no query string, headers or body of one, so that no password or token gets in, and of the network
 * address only its hash, as throttling logs it too.
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
