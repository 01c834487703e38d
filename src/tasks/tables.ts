import { z } from 'zod';
import { cql, statement } from '../cassandra/statement.ts';

const key = { shard: cql.int, subject: cql.text, kind: cql.text, version: cql.int };
const taskRow = cql.row({
  subject: cql.text,
  kind: z.enum(['RENAME', 'ERASE', 'RETITLE']),
  version: cql.int,
  begun_at: cql.timestamp,
  position: cql.text.nullable(),
  done: cql.int.nullable(),
});
export type Task = z.output<typeof taskRow>;

export const insertTask = statement({
  cql: `INSERT INTO tasks (shard, subject, kind, version, begun_at) VALUES (:shard, :subject, :kind, :version, :begun_at)`,
  params: { ...key, begun_at: cql.timestamp },
  idempotent: true,
});

export const updateTask = statement({
  cql: `INSERT INTO tasks (shard, subject, kind, version, begun_at, position, done)
        VALUES (:shard, :subject, :kind, :version, :begun_at, :position, :done)`,
  params: { ...key, begun_at: cql.timestamp, position: cql.text, done: cql.int },
  idempotent: true,
});

export const deleteTask = statement({
  cql: `DELETE FROM tasks WHERE shard = :shard AND subject = :subject AND kind = :kind AND version = :version`,
  params: key,
  idempotent: true,
});

export const selectTasks = statement({
  cql: `SELECT subject, kind, version, begun_at, position, done FROM tasks WHERE shard = :shard LIMIT :rows_max`,
  params: { shard: cql.int, rows_max: cql.int },
  row: taskRow,
  idempotent: true,
});

export const selectTasksOf = statement({
  cql: `SELECT subject, kind, version, begun_at, position, done FROM tasks
        WHERE shard = :shard AND subject = :subject LIMIT :rows_max`,
  params: { shard: cql.int, subject: cql.text, rows_max: cql.int },
  row: taskRow,
  idempotent: true,
});
