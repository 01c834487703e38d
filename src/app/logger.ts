import { pino, stdTimeFunctions, type Logger } from 'pino';

/**
 * The log: JSON lines to standard output, as Node writes there. pino's own way stands still for ever, and the whole server with it, where
 * whoever read the log has stopped and then gone.
 */
export const makeLogger = (level: string): Logger => {
  if (!process.stdout.listeners('error').includes(goOn)) process.stdout.on('error', goOn);
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, process.stdout);
};

/** That nobody reads what is printed any more is no reason to end. */
const goOn = () => undefined;
