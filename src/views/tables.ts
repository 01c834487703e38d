import { z } from 'zod';
import { cql } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';

/** The UDT book_view. */
const view = z.object({ viewed_at: cql.timestamp, book_id: cql.text, logged_at: cql.timestamp });
export type BookView = z.output<typeof view>;

const key = { user_id: cql.uuid };
const kept = { ttl_seconds: cql.int };

export const insertViews = statement({
  cql: `INSERT INTO recently_viewed_by_user (user_id, views) VALUES (:user_id, :views)
        IF NOT EXISTS USING TTL :ttl_seconds`,
  params: { ...key, views: view.array(), ...kept },
  row: cql.row({ user_id: cql.uuid, views: cql.list(view) }),
});

export const updateViews = statement({
  cql: `UPDATE recently_viewed_by_user USING TTL :ttl_seconds SET views = :next
        WHERE user_id = :user_id IF views = :current`,
  params: { ...key, next: view.array(), current: view.array(), ...kept },
  row: cql.row({ views: cql.list(view) }),
});

const viewsOfUser = {
  cql: `SELECT views FROM recently_viewed_by_user WHERE user_id = :user_id`,
  params: key,
  row: cql.row({ views: cql.list(view) }),
} as const;

export const selectViews = statement(viewsOfUser);
export const selectViewsSerially = statement({ ...viewsOfUser, serialRead: true });

export const deleteViews = statement({
  cql: `DELETE FROM recently_viewed_by_user WHERE user_id = :user_id IF EXISTS`,
  params: key,
});
