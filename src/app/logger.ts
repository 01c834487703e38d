import { pino, stdTimeFunctions, type Logger } from 'pino';

/**
 * Makes the log: JSON lines, written to standard output by Node. pino's own writer blocks the
 * server for ever when the reader of a pipe stops and then ends.
 */
export const makeLogger = (level: string): Logger => {
  if (!process.stdout.listeners('error').includes(keepRunning)) process.stdout.on('error', keepRunning);
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, process.stdout);
};

/** The server goes on when the reader of its output has ended. */
const keepRunning = () => undefined;
