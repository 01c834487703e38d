import { pino, stdTimeFunctions, type Logger } from 'pino';

/**
 * Makes the log: JSON lines, written to standard output by Node. pino's own writer blocks the
 * server for ever when the process that reads a pipe stops and then ends.
 */
export const makeLogger = (level: string): Logger => {
  if (!process.stdout.listeners('error').includes(keepRunning)) process.stdout.on('error', keepRunning);
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, process.stdout);
};

/** The server continues when the process that reads its output has ended. */
const keepRunning = () => undefined;
