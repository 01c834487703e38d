import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';

/** The UDT reading_goal_state. */
const state = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  books: cql.int.nullable(),
  is_shared: cql.boolean.nullable(),
});

const ofReader = { user_id: cql.uuid };
const key = { ...ofReader, year: cql.int };

// reading_goals_by_user: the source of truth.

export const goalStates = stateTable({ table: 'reading_goals_by_user', key, state, ttlSeconds: ttlOf });

export const selectGoal = selectFrom('reading_goals_by_user', key, { state });

/** Reads all goals of an account, for its export and erasure. */
export const selectGoals = selectFrom('reading_goals_by_user', ofReader, { year: cql.int, state }, 200);
