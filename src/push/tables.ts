import { cql } from '../cassandra/columns.ts';
import { deleteFrom, insertInto, selectFirst, selectFrom } from '../cassandra/statement-builders.ts';
import { statement } from '../cassandra/statement.ts';
import { erasing } from '../erasure/erasing.ts';

const user = { user_id: cql.uuid };

// push_subscriptions_by_user: the browsers of a reader, by the session that made the subscription.

const session = { session_id: cql.uuid };
const subscription = { endpoint: cql.text, p256dh: cql.text, auth: cql.text, added_at: cql.timestamp };

export const insertSubscription = insertInto(
  'push_subscriptions_by_user',
  { ...user, ...session, ...subscription },
  'TTL',
);

export const selectSubscriptions = selectFirst('push_subscriptions_by_user', user, { ...session, ...subscription });

export const selectSubscription = selectFrom(
  'push_subscriptions_by_user',
  { ...user, ...session },
  { added_at: cql.timestamp },
);

export const deleteSubscription = deleteFrom('push_subscriptions_by_user', { ...user, ...session });

export const eraseSubscriptions = erasing('push_subscriptions_by_user', user);

// pushes_by_user: the messages of the last minutes.

export const insertPush = statement({
  cql: `INSERT INTO pushes_by_user (user_id, kind, pushed_at) VALUES (:user_id, :kind, :pushed_at)
        IF NOT EXISTS USING TTL :ttl_seconds`,
  params: { ...user, kind: cql.text, pushed_at: cql.timestamp, ttl_seconds: cql.int },
  row: cql.row({ kind: cql.text }),
});
