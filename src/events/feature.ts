import type { Feature } from '../feature/feature.ts';
import { rollUpAudit } from './audit.ts';
import { windowsAtMost } from './operations.ts';
import { resolvers } from './resolvers.ts';
import { rollUp } from './rollup.ts';

export const feature = {
  resolvers,
  costs: { Book: { activity: { size: windowsAtMost } }, Query: { siteActivity: { size: windowsAtMost } } },
  audits: [rollUpAudit],
  workers: [
    {
      name: 'event roll-up',
      periodMs: 1_000,
      run: (app, stopping) => rollUp(app).run(app, stopping),
      end: (app) => rollUp(app).end(app),
    },
  ],
  impersonalTables: [
    // An event's id contains a hash of the reader, and is kept for eight days.
    'events',
    'dirty_windows',
    'dirty_window_buckets',
    'dirty_windows_swept',
    'events_by_minute',
    'events_by_hour',
    'events_by_day',
    'activity_by_subject',
    'site_activity_by_shard',
    'site_activity',
    'trending_by_shard',
    'trending',
  ],
} satisfies Feature;
