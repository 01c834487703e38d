import { pino, stdTimeFunctions, type Logger } from 'pino';

/** The log: JSON lines. */
export const makeLogger = (level: string): Logger => pino({ level, timestamp: stdTimeFunctions.isoTime });
