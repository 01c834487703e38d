import { cql } from '../../../src/cassandra/columns.ts';
import type { Audience } from '../../../src/graphql/generated/schema-types.ts';

/** An audience that only the later release has. Readers of it choose it by `SIGNED_IN`. */
export const LATER_AUDIENCE = 'FRIENDS';

export const storedAudience = cql.oneOf(['EVERYONE', 'SIGNED_IN', 'FOLLOWERS', 'ONLY_ME', LATER_AUDIENCE], 'ONLY_ME');

export const laterAudience = (chosen: Audience): Audience | typeof LATER_AUDIENCE =>
  chosen === 'SIGNED_IN' ? LATER_AUDIENCE : chosen;
