import { perProcess, type AppContext } from '../context/context.ts';
import { storedSubject } from '../graphql/ids.ts';
import { beginJob } from '../jobs/operations.ts';
import { MINUTE_MS } from '../time/units.ts';
import { whyUntrusted } from '../trust/operations.ts';
import type { LikeCounts } from './counts.ts';

/**
 * Begins the jobs that keep the shards of a likeable, and the rows of their counts, few. If a begin
 * is lost, the next like repeats it.
 */

/**
 * The interval at which a process may begin the same job again. Everybody sees the counts of what
 * many like.
 */
const AGAIN_MS = 10 * MINUTE_MS;
/** The maximum number of jobs whose begin is remembered. */
const REMEMBERED = 1_000;

const begun = perProcess(() => new Map<string, number>());

/** The kinds of the jobs. */
export type Upkeep = 'SUM_UP' | 'MERGE';

/**
 * Begins the jobs that the counts of a likeable call for. A server with an untrusted clock begins
 * none: a job that a clock ahead has begun could not be ended before that time.
 */
export function beginUpkeep(app: AppContext, counts: LikeCounts | undefined): void {
  if (!counts || whyUntrusted(app) !== undefined) return;
  for (const job of jobsFor(counts)) begin(app, counts.likeableId, job);
}

interface UpkeepJob {
  readonly kind: Upkeep;
  readonly cause: string;
}

function jobsFor({ blockToSumUp, isScattered }: LikeCounts): UpkeepJob[] {
  const jobs: UpkeepJob[] = [];
  if (blockToSumUp !== undefined) jobs.push({ kind: 'SUM_UP', cause: String(blockToSumUp) });
  if (isScattered) jobs.push({ kind: 'MERGE', cause: '' });
  return jobs;
}

function begin(app: AppContext, likeableId: string, { kind, cause }: UpkeepJob): void {
  const known = begun(app);
  const name = `${kind} ${cause} ${likeableId}`;
  const now = app.steady();
  if (now - (known.get(name) ?? -Infinity) < AGAIN_MS) return;

  if (known.size >= REMEMBERED) known.clear();
  known.set(name, now);
  beginJob(app, storedSubject(likeableId), kind, cause, app.clock()).catch(() => known.delete(name));
}
