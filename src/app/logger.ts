import { pino, stdTimeFunctions, type Logger } from 'pino';

/** The log: JSON lines. Of a request it keeps no query string, headers or body, so that no password or token gets in. */
export const makeLogger = (level: string): Logger =>
  pino({
    level,
    timestamp: stdTimeFunctions.isoTime,
    serializers: {
      req: (request: { method: string; url: string; ip?: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
        ip: request.ip,
      }),
    },
  });
