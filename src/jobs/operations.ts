import { shardOf } from '../cassandra/shards.ts';
import { page, rows, write, type Page } from '../cassandra/statement.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { subjectOf, uuidOf, type NodeId } from '../graphql/ids.ts';
import { afterDecision } from '../transactions/operations.ts';
import { deleteJob, insertJob, selectJobs, selectJobsOf, updateJob, type Job } from './tables.ts';

/**
 * What a change leaves to be done in so many rows that no request can wait for all of it. A job is stored with the change,
 * done a page at a time by the handler of its kind, and goes on after any crash from where it was.
 */

export const JOB_SHARDS = 8;
/** Of one subject: each is of another change that is not finished. */
const JOBS_MAX = 100;
/** Who asks for a change waits so long for its jobs; the workers do the rest. */
const WAITED_MS = 4_000;

/** Where the jobs about a subject are. */
export const partitionOf = (subject: string) => ({ shard: shardOf(uuidOf(subject), JOB_SHARDS), subject });

/**
 * Stores a job. Doing so again while it is not done changes nothing, later it is done once more.
 * @param kind names its handler
 * @param cause names the change that it follows from: another one begins a job of its own
 */
export async function beginJob(
  { cassandra }: AppContext,
  subject: NodeId,
  kind: string,
  cause: string,
  begunAt: Date,
): Promise<void> {
  const key = { ...partitionOf(subjectOf(subject)), kind, cause };
  await write(cassandra, insertJob, { ...key, begun_at: begunAt });
}

/** A page of the jobs of one shard. */
export const jobsIn = ({ cassandra }: AppContext, shard: number, pageState?: string): Promise<Page<Job>> =>
  page(cassandra, selectJobs, { shard }, pageState);

/** The jobs that changes of one subject left. */
export const jobsOf = ({ cassandra }: AppContext, subject: NodeId): Promise<Job[]> =>
  rows(cassandra, selectJobsOf, { ...partitionOf(subjectOf(subject)), rows_max: JOBS_MAX });

/**
 * Does the jobs that a change has left, as far as a request can wait for them.
 * @throws {CassandraError} where that cannot be: the change was made, and the workers do the rest
 */
export const doJobsOf = (app: AppContext, subject: NodeId): Promise<void> =>
  afterDecision(async () => {
    for (const job of await jobsOf(app, subject)) await doJob(app, job, turnOf(app, WAITED_MS));
  });

/** Tells for about so long that a job may go on. */
export function turnOf({ clock }: AppContext, ms: number): () => boolean {
  const until = clock().getTime() + ms;
  return () => clock().getTime() < until;
}

/**
 * Goes on with a job, page after page. Two servers may do so at once.
 * @param goesOn whether another page is to be done, asked after each
 * @returns whether it is finished; one that this server has no handler for is left to those that have
 */
export async function doJob(app: AppContext, job: Job, goesOn: () => boolean | Promise<boolean>): Promise<boolean> {
  const { subject, kind, cause, begun_at } = job;
  const handle = app.jobHandlers[kind];
  if (!handle) return false;

  const key = { ...partitionOf(subject), kind, cause };
  let position = job.position ?? '';

  for (let done = (job.pages_done ?? 0) + 1; ; done++) {
    const next = await handle(app, subject.slice(subject.indexOf(':') + 1), position);
    await app.atCrashPoint(`${kind}: after page ${done}`);
    if (next === undefined) {
      await write(app.cassandra, deleteJob, key);
      return true;
    }

    position = next;
    await write(app.cassandra, updateJob, { ...key, begun_at, position, pages_done: done });
    if (!(await goesOn())) return false;
  }
}

/**
 * A handler that does one part after the other.
 * @param parts each with a name without spaces; their order may change, names may not, while a job is under way
 */
export const inTurn =
  (parts: readonly { readonly name: string; readonly work: JobHandler }[]): JobHandler =>
  async (app, key, position) => {
    const [begun = '', after = ''] = position.split(/ (.*)/s, 2);
    const index = Math.max(
      0,
      parts.findIndex(({ name }) => name === begun),
    );

    const part = parts[index];
    const next = await part?.work(app, key, after);
    if (part && next !== undefined) return `${part.name} ${next}`;

    const following = parts[index + 1];
    return following && `${following.name} `;
  };
