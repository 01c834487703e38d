import type { RequestContext } from '../context/context.ts';
import { recordLogin } from '../logins/operations.ts';
import { recordSecurityEvent } from '../security/operations.ts';

/**
 * Records a failed attempt to log in as a reader.
 * @param userId the id of the account, or of the stand-in of one that does not exist
 * @param keptSeconds 0 to keep it permanently
 */
export async function recordFailedTry(context: RequestContext, userId: string, keptSeconds = 0): Promise<void> {
  const at = context.clock();
  const id = context.randomId();
  const event = { kind: 'LOGIN_FAILED', at, address: context.address, sessionId: context.sessionId } as const;
  await Promise.all([
    recordLogin(context, { userId, succeeded: false, at, id }, keptSeconds),
    recordSecurityEvent(context, userId, id, event, keptSeconds),
  ]);
}
