import { z } from 'zod';
import { ttlOf } from '../aggregates/state.ts';
import { insertInto, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { stateTable } from '../cassandra/state-table.ts';
import { versionedList } from '../cassandra/versioned-list.ts';
import { erasing } from '../erasure/erasing.ts';

/** The UDT block_state. */
const blockState = z.object({
  version: cql.int,
  changed_at: cql.timestamp,
  change_id: cql.uuid,
  blocked: cql.boolean,
  blocked_at: cql.timestamp.nullable(),
});
export type BlockState = z.output<typeof blockState>;

const user = { user_id: cql.uuid };
const other = { other_id: cql.uuid };

// blocks_by_user: the source of truth for blocks.

export const blockStates = stateTable({
  table: 'blocks_by_user',
  key: { ...user, ...other },
  state: blockState,
  ttlSeconds: ttlOf,
});

// hidden_by_user: read by identity. The write timestamp of each column is the version of its block.

export const insertBlocks = insertInto('hidden_by_user', { ...user, ...other, blocks: cql.boolean }, 'TIMESTAMP');

export const insertIsBlocked = insertInto(
  'hidden_by_user',
  { ...user, ...other, is_blocked: cql.boolean },
  'TIMESTAMP',
);

export const selectHiddenPage = selectFrom('hidden_by_user', user, other, 100);

export const eraseHiddenOne = erasing('hidden_by_user', { ...user, ...other });

export const eraseHidden = erasing('hidden_by_user', user);

// blocked_by_user: a reader's list. The write timestamp is the version of the block.

export const blockedReaders = versionedList({
  table: 'blocked_by_user',
  partition: user,
  order: { blocked_at: cql.timestamp, ...other },
  columns: {},
});

export const selectBlocked = selectFrom('blocked_by_user', user, { blocked_at: cql.timestamp, ...other }, 500);

export const eraseBlocked = erasing('blocked_by_user', user);
