import type { Config } from '../config/config.ts';
import { hashedAddress } from '../throttling/addresses.ts';
import { nextTurn } from '../time/turns.ts';

/**
 * Waits for the next turn of a caller.
 * @param address the caller's address, from the connection or a trusted proxy
 */
export const nextTurnOf = (config: Config, address: string): Promise<void> => nextTurn(hashedAddress(config, address));
