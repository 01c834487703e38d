import type { z } from 'zod';
import { deleteFrom, insertInto, selectFirst, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const key = { shard: cql.int, subject: cql.text, kind: cql.text, cause: cql.text };
const jobRow = cql.row({
  subject: cql.text,
  kind: cql.text,
  cause: cql.text,
  begun_at: cql.timestamp,
  position: cql.text.nullable(),
  pages_done: cql.int.nullable(),
});
export type Job = z.output<typeof jobRow>;
const JOBS_PER_PAGE = 100;

export const insertJob = insertInto('jobs', { ...key, begun_at: cql.timestamp });

export const updateJob = insertInto('jobs', {
  ...key,
  begun_at: cql.timestamp,
  position: cql.text,
  pages_done: cql.int,
});

export const deleteJob = deleteFrom('jobs', key);

export const selectJobs = selectFrom('jobs', { shard: cql.int }, jobRow.shape, JOBS_PER_PAGE);

export const selectJobsOf = selectFirst('jobs', { shard: cql.int, subject: cql.text }, jobRow.shape);

/** Reads the subjects of jobs of some shards, `at_least` and later, before `below`. */
export const selectSubjects = statement({
  cql: `SELECT subject, kind FROM jobs WHERE shard IN :shards
        AND subject >= :at_least AND subject < :below LIMIT :rows_max`,
  params: { shards: cql.int.array(), at_least: cql.text, below: cql.text, rows_max: cql.int },
  row: cql.row({ subject: cql.text, kind: cql.text }),
});

// scheduled_job_hours, scheduled_jobs: jobs that begin later.

const hour = { shard: cql.int, hour: cql.timestamp };
const scheduledJob = { ...hour, subject: cql.text, kind: cql.text, cause: cql.text };

export const insertScheduledHour = insertInto('scheduled_job_hours', hour);
export const deleteScheduledHour = deleteFrom('scheduled_job_hours', hour);

export const selectDueHours = statement({
  cql: `SELECT hour FROM scheduled_job_hours WHERE shard = :shard AND hour <= :now LIMIT :rows_max`,
  params: { shard: cql.int, now: cql.timestamp, rows_max: cql.int },
  row: cql.row({ hour: cql.timestamp }),
});

export const insertScheduledJob = insertInto('scheduled_jobs', scheduledJob);
export const deleteScheduledJob = deleteFrom('scheduled_jobs', scheduledJob);
export const eraseScheduledJob = erasing('scheduled_jobs', scheduledJob);

export const selectScheduledJobs = selectFrom(
  'scheduled_jobs',
  hour,
  { subject: cql.text, kind: cql.text, cause: cql.text },
  JOBS_PER_PAGE,
);
