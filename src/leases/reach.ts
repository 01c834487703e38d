import { isAnswering } from '../cassandra/client.ts';
import { first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { selectLease } from './tables.ts';

/**
 * Checks whether this server should receive requests. A server whose data centre is cut off gets
 * answers from its own nodes but can do nothing, because it reaches no majority of any replicas.
 */

/**
 * Keys in several parts of the ring, under which nothing is stored. When a few nodes are down,
 * every server may lack the majority for some key. That is no reason to send readers away from all
 * servers.
 */
const PLACES = ['ready', 'ready 2', 'ready 3', 'ready 4', 'ready 5', 'ready 6', 'ready 7', 'ready 8'];

/**
 * Returns why this server reaches too little of the database to take requests; `undefined` if it
 * reaches enough. It costs one statement if all is well.
 */
export async function whyCutOff(app: AppContext): Promise<string | undefined> {
  const look = (name: string) => first(app.cassandra, selectLease, { name });
  const [here = '', ...elsewhere] = PLACES;
  try {
    await look(here).catch(() => Promise.any(elsewhere.map(look)));
    return undefined;
  } catch {
    return (await isAnswering(app.cassandra)) ? 'too few replicas answer for a majority' : 'Cassandra does not answer';
  }
}
