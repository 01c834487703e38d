import { room as accounts } from './accounts/room.ts';
import { room as activity } from './activity/room.ts';
import { room as administration } from './administration/room.ts';
import { room as audit } from './audit/room.ts';
import { room as blocks } from './blocks/room.ts';
import { room as bulkImport } from './bulk-import/room.ts';
import { room as catalogue } from './catalogue/room.ts';
import { room as changes } from './changes/room.ts';
import { room as clicks } from './clicks/room.ts';
import { room as events } from './events/room.ts';
import type { Room } from './house/room.ts';
import { room as jobs } from './jobs/room.ts';
import { room as leases } from './leases/room.ts';
import { room as libraries } from './libraries/room.ts';
import { room as libraryImports } from './libraryimports/room.ts';
import { room as likes } from './likes/room.ts';
import { room as lists } from './lists/room.ts';
import { room as logins } from './logins/room.ts';
import { room as market } from './market/room.ts';
import { room as measurements } from './measurements/room.ts';
import { room as ratings } from './ratings/room.ts';
import { room as reading } from './reading/room.ts';
import { room as repairs } from './cassandra-repair/room.ts';
import { room as reports } from './reports/room.ts';
import { room as reviews } from './reviews/room.ts';
import { room as schema } from './schema/room.ts';
import { room as security } from './security/room.ts';
import { room as sessions } from './sessions/room.ts';
import { room as statistics } from './statistics/room.ts';
import { room as takedowns } from './takedowns/room.ts';
import { room as throttling } from './throttling/room.ts';
import { room as transactions } from './transactions/room.ts';
import { room as views } from './views/room.ts';

/**
 * All rooms that bring something to the house. Their order is the order in which a deleted
 * account's data is erased: rows that lead to others go last.
 */
const listed = [
  likes,
  lists,
  libraryImports,
  statistics,
  ratings,
  reviews,
  reading,
  market,
  blocks,
  reports,
  administration,
  logins,
  security,
  throttling,
  views,
  clicks,
  sessions,
  activity,
  accounts,
  takedowns,
  catalogue,
  libraries,
  bulkImport,
  events,
  measurements,
  repairs,
  jobs,
  transactions,
  changes,
  audit,
  leases,
  schema,
] as const;

export const rooms: readonly Room[] = listed;

type Listed = (typeof listed)[number];

/** The resolvers of each room, with the fields that they fill. */
export type RoomResolvers = Extract<Listed, { resolvers: unknown }>['resolvers'];
