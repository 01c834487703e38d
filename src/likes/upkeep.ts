import { perProcess, type AppContext } from '../context/context.ts';
import type { NodeId } from '../graphql/ids.ts';
import { beginJob } from '../jobs/operations.ts';
import { MINUTE_MS } from '../time/units.ts';
import { whyUntrusted } from '../trust/operations.ts';
import { likeableIdFrom } from './likeables.ts';
import type { LikeCounts } from './like-counts.ts';

/** Begins the jobs that keep the shards of a thing's likes few, and the rows of their counts. Whoever likes it next does, should one be lost. */

/** What many like is seen by everybody: a process begins the same job so often at most. */
const AGAIN_MS = 10 * MINUTE_MS;
/** Of so many jobs it remembers that. */
const REMEMBERED = 1_000;

const begun = perProcess(() => new Map<string, number>());

type Upkeep = 'SUM_UP' | 'MERGE';

/** Begins what the counts of a thing show to be needed. A job that a clock ahead has begun could not be ended before that time. */
export function beginUpkeep(app: AppContext, counts: LikeCounts | undefined): void {
  if (whyUntrusted(app) !== undefined) return;
  if (counts?.blockToSumUp !== undefined) begin(app, counts, 'SUM_UP', String(counts.blockToSumUp));
  if (counts?.isScattered) begin(app, counts, 'MERGE', '');
}

function begin(app: AppContext, { likeableId }: LikeCounts, work: Upkeep, cause: string): void {
  const known = begun(app);
  const name = `${work} ${cause} ${likeableId}`;
  const now = app.steady();
  if (now - (known.get(name) ?? -Infinity) < AGAIN_MS) return;

  if (known.size >= REMEMBERED) known.clear();
  known.set(name, now);
  const likeable = likeableIdFrom(likeableId);
  beginJob(app, likeable, jobKindOf(work, likeable), cause, app.clock()).catch(() => known.delete(name));
}

/** The name of a job's handler. */
export const jobKindOf = (work: Upkeep, { type }: NodeId): string => (type === 'Item' ? `${work}_COPY` : work);
