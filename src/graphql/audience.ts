import { cql } from '../cassandra/columns.ts';

/** The audiences that a reader can choose for their data. */
export const AUDIENCES = ['EVERYONE', 'SIGNED_IN', 'FOLLOWERS', 'ONLY_ME'] as const;

/** A stored audience. An audience that only a later release knows is read as the strictest one. */
export const storedAudience = cql.oneOf(AUDIENCES, 'ONLY_ME');
