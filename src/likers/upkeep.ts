import { perProcess, type AppContext } from '../context/context.ts';
import { storedSubject, subjectOf, type NodeId } from '../graphql/ids.ts';
import { beginJob } from '../jobs/operations.ts';
import { MINUTE_MS } from '../time/units.ts';
import { whyUntrusted } from '../trust/operations.ts';
import type { LikeCounts } from './counts.ts';
import { bookOfRatings } from './tables.ts';

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

/** The name of a job: its subject, and its kind. */
interface JobName {
  readonly subject: NodeId;
  readonly kind: string;
}

/** Names a job about the likes of a thing, or about the ratings of a book. */
function jobOf(likeableId: string, work: 'SUM_UP' | 'MERGE'): JobName {
  const bookId = bookOfRatings(likeableId);
  if (bookId === undefined) return { subject: storedSubject(likeableId), kind: work };
  return { subject: { type: 'Book', key: bookId }, kind: `${work}_RATINGS` };
}

/** Names the job that merges the shards of a likeable. */
export const mergeOf = (likeableId: string): JobName => jobOf(likeableId, 'MERGE');

/**
 * Begins the jobs that the counts of a likeable call for. A server with an untrusted clock begins
 * none: a job that a clock ahead has begun could not be ended before that time.
 */
export function beginUpkeep(app: AppContext, counts: LikeCounts | undefined): void {
  if (!counts || whyUntrusted(app) !== undefined) return;
  for (const job of jobsFor(counts)) begin(app, job);
}

interface UpkeepJob extends JobName {
  readonly cause: string;
}

function jobsFor({ likeableId, blockToSumUp, isScattered }: LikeCounts): UpkeepJob[] {
  const jobs: UpkeepJob[] = [];
  if (blockToSumUp !== undefined) jobs.push({ ...jobOf(likeableId, 'SUM_UP'), cause: String(blockToSumUp) });
  if (isScattered) jobs.push({ ...mergeOf(likeableId), cause: '' });
  return jobs;
}

function begin(app: AppContext, { subject, kind, cause }: UpkeepJob): void {
  const known = begun(app);
  const name = `${kind} ${cause} ${subjectOf(subject)}`;
  const now = app.steady();
  if (now - (known.get(name) ?? -Infinity) < AGAIN_MS) return;

  if (known.size >= REMEMBERED) known.clear();
  known.set(name, now);
  beginJob(app, subject, kind, cause, app.clock()).catch(() => known.delete(name));
}
