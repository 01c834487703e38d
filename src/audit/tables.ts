import { z } from 'zod';
import { selectAmong } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';

/** The UDT audit_state. */
const state = z.object({
  round: cql.int,
  holder: cql.uuid,
  held_until: cql.timestamp,
  position: cql.text.nullable(),
  rows_done: cql.bigint,
  drift_found: cql.int,
  unreadable_found: cql.int,
  begun_at: cql.timestamp,
  audited_at: cql.timestamp.nullable(),
});
export type AuditState = z.output<typeof state>;

const key = { name: cql.text };

// audits: the progress of audits.

export const auditStates = stateTable({ table: 'audits', key, state });

export const selectAudits = selectAmong('audits', 'name', { ...key, state });
