import { appendFile } from 'node:fs/promises';
import type { AppContext } from '../context/context.ts';

/**
 * Stores the id of a deleted account outside the cluster. A restore needs it, because the backup
 * may be older than the deletion. An id may be stored several times.
 */
export async function keepErasedId({ config }: AppContext, userId: string): Promise<void> {
  if (config.erasedIdsFile !== undefined) await appendFile(config.erasedIdsFile, `${userId}\n`, { flush: true });
}
