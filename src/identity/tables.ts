import { z } from 'zod';
import { AUDIENCES } from '../graphql/audience.ts';
import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

// users_by_id: as far as it says who a reader is. What an account is made of, and how it changes, is the business of accounts.

/** What may be shown of a reader; the password's hash stays where it is. */
export const selectUsers = statement({
  cql: `SELECT user_id, state.email AS email, state.full_name AS full_name, state.registered_at AS registered_at, state.erased_at AS erased_at, state.role AS role,
        state.likes_audience AS likes_audience, state.readings_audience AS readings_audience
        FROM users_by_id WHERE user_id IN :user_ids`,
  params: { user_ids: cql.uuid.array() },
  row: cql.row({
    user_id: cql.uuid,
    email: cql.text,
    full_name: cql.text,
    registered_at: cql.timestamp,
    erased_at: cql.timestamp.nullable(),
    role: z.literal('ADMINISTRATOR').nullable(),
    likes_audience: z.enum(AUDIENCES),
    readings_audience: z.enum(AUDIENCES),
  }),
});
