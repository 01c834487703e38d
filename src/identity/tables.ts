import { z } from 'zod';
import { storedAudience } from '../graphql/audience.ts';
import { selectAmong, selectFrom } from '../cassandra/statement-builders.ts';
import { cql } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';

// users_by_id: the columns that identify a reader. The rest of an account, and its changes, belong
// to the accounts feature.

const user = cql.row({
  user_id: cql.uuid,
  email: cql.text,
  email_verified_at: cql.timestamp.nullable(),
  two_factor_since: cql.timestamp.nullable(),
  full_name: cql.text,
  registered_at: cql.timestamp,
  erased_at: cql.timestamp.nullable(),
  role: z.literal('ADMINISTRATOR').nullable().catch(null),
  likes_audience: storedAudience,
  readings_audience: storedAudience,
  suspended: cql.boolean,
  messages_refused: cql.boolean,
});

export type UserRow = z.output<typeof user>;

/** The columns that may be shown of a reader. The password's hash is not read here. */
const SELECT_USERS = `SELECT user_id, state.email AS email, state.email_verified_at AS email_verified_at,
        state.two_factor_since AS two_factor_since, state.full_name AS full_name,
        state.registered_at AS registered_at, state.erased_at AS erased_at, state.role AS role,
        state.suspended AS suspended, state.messages_refused AS messages_refused,
        state.likes_audience AS likes_audience, state.readings_audience AS readings_audience
        FROM users_by_id`;

/** Reads some readers. */
export const selectUsers = statement({
  cql: `${SELECT_USERS} WHERE user_id IN :user_ids`,
  params: { user_ids: cql.uuid.array() },
  row: user,
});

/** Reads one reader serially, so it sees every completed conditional write. */
export const selectUserSerially = statement({
  cql: `${SELECT_USERS} WHERE user_id = :user_id`,
  params: { user_id: cql.uuid },
  row: user,
  serialRead: true,
});

// hidden_by_user: pairs of readers who see nothing of each other. Blocks and their changes belong
// to a separate feature.

const hidden = {
  user_id: cql.uuid,
  other_id: cql.uuid,
  blocks: cql.boolean.nullable(),
  is_blocked: cql.boolean.nullable(),
};

/** Reads the first hidden readers of each of some readers. */
export const selectHidden = statement({
  cql: `SELECT user_id, other_id, blocks, is_blocked
        FROM hidden_by_user WHERE user_id IN :user_ids PER PARTITION LIMIT :rows_max`,
  params: { user_ids: cql.uuid.array(), rows_max: cql.int },
  row: cql.row(hidden),
  rowsPerPage: 1_000,
});

export const selectHiddenAmong = selectAmong('hidden_by_user', 'other_id', hidden, { user_id: cql.uuid });

// follows_by_user and following_by_user: whom a reader follows. Follows and their changes belong to
// a separate feature.

/** Reads the part of a reader's follows of some readers that pages show. */
export const selectFollowsOfViewer = statement({
  cql: `SELECT followed_id, state.followed AS followed, state.requested AS requested, state.changed_at AS changed_at
        FROM follows_by_user WHERE user_id = :user_id AND followed_id IN :followed_ids`,
  params: { user_id: cql.uuid, followed_ids: cql.uuid.array() },
  row: cql.row({
    followed_id: cql.uuid,
    followed: cql.boolean,
    requested: cql.boolean,
    changed_at: cql.timestamp,
  }),
});

export const selectFollowed = selectFrom('following_by_user', { user_id: cql.uuid }, { followed_id: cql.uuid }, 1_000);
