import { cql } from '../cassandra/columns.ts';

/** The audiences that a reader can choose for their data. */
export const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'ONLY_ME'] as const;

/** A stored audience. The strictest one holds in place of one that only a later release knows. */
export const storedAudience = cql.oneOf(AUDIENCES, 'ONLY_ME');
