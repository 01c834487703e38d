import { feature as accounts } from './accounts/feature.ts';
import { feature as activity } from './activity/feature.ts';
import { feature as administration } from './administration/feature.ts';
import { feature as audit } from './audit/feature.ts';
import { feature as blocks } from './blocks/feature.ts';
import { feature as bulkImport } from './bulk-import/feature.ts';
import { feature as catalogue } from './catalogue/feature.ts';
import { feature as changes } from './changes/feature.ts';
import { feature as clicks } from './clicks/feature.ts';
import { feature as events } from './events/feature.ts';
import type { Feature } from './feature/feature.ts';
import { feature as feed } from './feed/feature.ts';
import { feature as follows } from './follows/feature.ts';
import { feature as jobs } from './jobs/feature.ts';
import { feature as leases } from './leases/feature.ts';
import { feature as libraries } from './libraries/feature.ts';
import { feature as libraryImports } from './libraryimports/feature.ts';
import { feature as likes } from './likes/feature.ts';
import { feature as lists } from './lists/feature.ts';
import { feature as live } from './live/feature.ts';
import { feature as logins } from './logins/feature.ts';
import { feature as market } from './market/feature.ts';
import { feature as measurements } from './measurements/feature.ts';
import { feature as notices } from './notices/feature.ts';
import { feature as notifications } from './notifications/feature.ts';
import { feature as push } from './push/feature.ts';
import { feature as ratings } from './ratings/feature.ts';
import { feature as reading } from './reading/feature.ts';
import { feature as repairs } from './cassandra-repair/feature.ts';
import { feature as reports } from './reports/feature.ts';
import { feature as reviews } from './reviews/feature.ts';
import { feature as schema } from './schema/feature.ts';
import { feature as security } from './security/feature.ts';
import { feature as sessions } from './sessions/feature.ts';
import { feature as statistics } from './statistics/feature.ts';
import { feature as takedowns } from './takedowns/feature.ts';
import { feature as throttling } from './throttling/feature.ts';
import { feature as transactions } from './transactions/feature.ts';
import { feature as views } from './views/feature.ts';

/**
 * All features that contribute something. A deleted account's data is erased in this order: rows
 * that lead to other rows are erased last.
 */
const listed = [
  likes,
  follows,
  lists,
  libraryImports,
  statistics,
  ratings,
  reviews,
  reading,
  market,
  blocks,
  reports,
  notices,
  notifications,
  push,
  administration,
  logins,
  security,
  throttling,
  views,
  clicks,
  sessions,
  activity,
  feed,
  accounts,
  takedowns,
  catalogue,
  libraries,
  bulkImport,
  events,
  measurements,
  live,
  repairs,
  jobs,
  transactions,
  changes,
  audit,
  leases,
  schema,
] as const;

export const features: readonly Feature[] = listed;

type Listed = (typeof listed)[number];

/** The resolvers of each feature, with the fields that they fill. */
export type FeatureResolvers = Extract<Listed, { resolvers: unknown }>['resolvers'];
