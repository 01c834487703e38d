import { isAnswering } from '../cassandra/client.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { selectLease } from './tables.ts';

/**
 * Whether requests are better sent to another server. A server whose data centre is cut off from the others is answered by its own nodes,
 * and can still do nothing: no majority of the replicas of anything is within its reach.
 */

/**
 * Keys in several parts of the ring; nothing is stored under them. Where a few nodes are down, the majority of some key may be gone
 * for every server alike, which is no reason to send readers away from all of them.
 */
const PLACES = ['ready', 'ready 2', 'ready 3', 'ready 4', 'ready 5', 'ready 6', 'ready 7', 'ready 8'];

/** Why this server reaches too little of the database to be asked; `undefined` where it reaches enough. A statement, where all is well. */
export async function whyCutOff(app: AppContext): Promise<string | undefined> {
  const look = (name: string) => first(app.cassandra, selectLease, { name });
  const [here = '', ...elsewhere] = PLACES;
  try {
    await look(here).catch(() => Promise.any(elsewhere.map(look)));
    return undefined;
  } catch {
    return (await isAnswering(app.cassandra))
      ? 'too few replicas answer: no majority of any'
      : 'Cassandra does not answer';
  }
}
