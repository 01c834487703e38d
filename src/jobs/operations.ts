import { shardOf } from '../cassandra/shards.ts';
import { page, rows, write, type Page } from '../cassandra/statement.ts';
import type { AppContext, JobHandler } from '../context/context.ts';
import { subjectOf, uuidOf, type NodeId, type NodeType } from '../graphql/ids.ts';
import { afterDecision, isLaterReleaseAlive } from '../transactions/operations.ts';
import { deleteJob, insertJob, selectJobs, selectJobsOf, selectSubjects, updateJob, type Job } from './tables.ts';

/**
 * Jobs do the work of a change that touches more rows than a request can wait for. A job is stored
 * with the change. The handler of its kind processes a page at a time, and continues after a crash
 * from the last stored position.
 */

export const JOB_SHARDS = 8;
/**
 * The maximum number of unfinished jobs of one subject. Each job belongs to a different unfinished
 * change.
 */
const JOBS_MAX = 100;
/** The maximum number of jobs that are searched for those of a kind. */
const SUBJECTS_MAX = 1_000;
/** The time that a request waits for the jobs of its change. The workers do the rest. */
const WAITED_MS = 4_000;

/** Returns the partition of the jobs of a subject. */
export const partitionOf = (subject: string) => ({ shard: shardOf(uuidOf(subject), JOB_SHARDS), subject });

/**
 * Stores a job. Storing it again has no effect while it is unfinished. After that, the job runs
 * once more.
 * @param kind the name of its handler
 * @param cause the name of the change that needs the job; each change has its own job
 */
export const beginJob = (app: AppContext, subject: NodeId, kind: string, cause: string, begunAt: Date): Promise<void> =>
  beginJobOf(app, subjectOf(subject), kind, cause, begunAt);

/**
 * Like {@link beginJob}, for a subject that is not a node.
 * @param subject `Type:key`, of a type that no node has
 */
export async function beginJobOf(
  { cassandra }: Pick<AppContext, 'cassandra'>,
  subject: string,
  kind: string,
  cause: string,
  begunAt: Date,
): Promise<void> {
  await write(cassandra, insertJob, { ...partitionOf(subject), kind, cause, begun_at: begunAt });
}

/**
 * Stores the job that fills the additions of a migration.
 * @param migration the name of the migration, which is the subject's key
 */
export const beginMove = (
  app: Pick<AppContext, 'cassandra'>,
  migration: string,
  kind: string,
  begunAt: Date,
): Promise<void> => beginJobOf(app, moveSubject(migration), kind, migration, begunAt);

/** Returns true if the job of a migration has finished. */
export async function isMoveDone({ cassandra }: Pick<AppContext, 'cassandra'>, migration: string): Promise<boolean> {
  const left = await rows(cassandra, selectJobsOf, { ...partitionOf(moveSubject(migration)), rows_max: 1 });
  return left.length === 0;
}

const moveSubject = (migration: string) => `Migration:${migration}`;

/** Reads a page of the jobs of one shard. */
export const jobsIn = ({ cassandra }: AppContext, shard: number, pageState?: string): Promise<Page<Job>> =>
  page(cassandra, selectJobs, { shard }, pageState);

/** Returns the unfinished jobs of one subject. */
export const jobsOf = ({ cassandra }: AppContext, subject: NodeId): Promise<Job[]> =>
  rows(cassandra, selectJobsOf, { ...partitionOf(subjectOf(subject)), rows_max: JOBS_MAX });

/**
 * Returns the keys of all subjects of a type that have an unfinished job of a kind; `undefined` if
 * there are too many to list.
 */
export async function keysWithJob(
  { cassandra }: AppContext,
  type: NodeType,
  kind: string,
): Promise<ReadonlySet<string> | undefined> {
  const shards = Array.from({ length: JOB_SHARDS }, (_, shard) => shard);
  const [first, below] = [`${type}:`, `${type};`];
  const found = await rows(cassandra, selectSubjects, { shards, at_least: first, below, rows_max: SUBJECTS_MAX });
  if (found.length === SUBJECTS_MAX) return undefined;

  const ofKind = found.filter((job) => job.kind === kind);
  return new Set(ofKind.map(({ subject }) => subject.slice(first.length)));
}

/**
 * Runs the jobs of a change, for as long as a request can wait. Every server that lists unfinished
 * jobs then knows the rest. A server leaves jobs to servers of a later release: if it erased an
 * account, it would miss the data that only they know of.
 * @param subjects the subjects of the change, most important first
 * @throws {CassandraError} if a job fails: the change is made, and the workers run the rest
 */
export const doJobsOf = (app: AppContext, ...subjects: readonly NodeId[]): Promise<void> =>
  afterDecision(async () => {
    if (isLaterReleaseAlive(app)) return;
    // A server may keep its list of unfinished jobs as long as the data that it shows.
    const isWaiting = turnOf(app, Math.max(WAITED_MS, app.config.shownAgeMaxMs));
    for (const subject of subjects)
      for (const job of await jobsOf(app, subject)) if (isWaiting()) await doJob(app, job, isWaiting);
  });

/** Returns a function that is true until about `ms` milliseconds have passed. */
export function turnOf({ clock }: AppContext, ms: number): () => boolean {
  const until = clock().getTime() + ms;
  return () => clock().getTime() < until;
}

/**
 * Continues a job page by page. Two servers may do so at once.
 * @param mayContinue called after each page, returns whether to do another one
 * @returns true if the job is finished; a job without a handler on this server is left to others
 */
export async function doJob(
  app: AppContext,
  job: Job,
  mayContinue: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const { subject, kind, cause, begun_at } = job;
  const handle = app.jobHandlers[kind];
  if (!handle) return false;

  const key = { ...partitionOf(subject), kind, cause };
  let position = job.position ?? '';

  for (let done = (job.pages_done ?? 0) + 1; ; done++) {
    const next = await handle(app, subject.slice(subject.indexOf(':') + 1), position, subject, cause);
    await app.atCrashPoint(`${kind}: after page ${done}`);
    if (next === undefined) {
      await write(app.cassandra, deleteJob, key);
      return true;
    }

    position = next;
    await write(app.cassandra, updateJob, { ...key, begun_at, position, pages_done: done });
    if (!(await mayContinue())) return false;
  }
}

/**
 * Returns a handler that runs several parts one after the other.
 * @param parts each has a name without spaces; while a job is unfinished, the order of parts may
 * change, their names may not
 */
export const inTurn =
  (parts: readonly { readonly name: string; readonly work: JobHandler }[]): JobHandler =>
  async (app, key, position, ...rest) => {
    const [begun = '', after = ''] = position.split(/ (.*)/s, 2);
    const index = Math.max(
      0,
      parts.findIndex(({ name }) => name === begun),
    );

    const part = parts[index];
    const next = await part?.work(app, key, after, ...rest);
    if (part && next !== undefined) return `${part.name} ${next}`;

    const following = parts[index + 1];
    return following && `${following.name} `;
  };
