import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { range } from '../cassandra/range.ts';
import { erasing } from '../erasure/erasing.ts';

const partition = { subject: cql.text };
const position = { at: cql.timestamp, decision_id: cql.uuid };
const decision = { kind: cql.text, administrator_id: cql.uuid, reason: cql.text };

export const insertDecision = insertInto('administration_by_subject', { ...partition, ...position, ...decision });

export const decisions = range({
  table: 'administration_by_subject',
  partition,
  order: position,
  columns: decision,
});

export const selectDecisions = selectFrom(
  'administration_by_subject',
  partition,
  { at: cql.timestamp, kind: cql.text, reason: cql.text },
  500,
);

export const eraseDecisions = erasing('administration_by_subject', partition);
