import { personalData as accounts } from '../accounts/personal-data.ts';
import { personalData as activity } from '../activity/personal-data.ts';
import { personalData as administration } from '../administration/personal-data.ts';
import { personalData as blocks } from '../blocks/personal-data.ts';
import { personalData as clicks } from '../clicks/personal-data.ts';
import type { AppContext } from '../context/context.ts';
import { personalData as likes } from '../likes/personal-data.ts';
import { personalData as logins } from '../logins/personal-data.ts';
import { personalData as market } from '../market/personal-data.ts';
import { personalData as reading } from '../reading/personal-data.ts';
import { personalData as reports } from '../reports/personal-data.ts';
import { personalData as security } from '../security/personal-data.ts';
import { personalData as sessions } from '../sessions/personal-data.ts';
import { inTurn } from '../jobs/operations.ts';
import { personalData as jobs } from '../jobs/personal-data.ts';
import { personalData as throttling } from '../throttling/personal-data.ts';
import { personalData as transactions } from '../transactions/personal-data.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { personalData as views } from '../views/personal-data.ts';

/**
 * The personal data in the tables, how it is exported and how it is erased. A test compares this
 * with the schema.
 */

/** The tables with personal data, in the order of erasure: rows that lead to others go last. */
export const personalTables: readonly PersonalTable[] = [
  ...likes,
  ...reading,
  ...market,
  ...blocks,
  ...reports,
  ...administration,
  ...logins,
  ...security,
  ...throttling,
  ...views,
  ...clicks,
  ...sessions,
  ...activity,
  ...accounts,
  ...jobs,
  ...transactions,
];

/** The tables without personal data. */
export const impersonalTables: readonly string[] = [
  // The administrator who edited it last is in a book's state, by their id.
  'books',
  'books_by_author',
  'books_by_genre',
  'books_by_popularity',
  'books_by_word',
  'words_by_spelling',
  'genre_versions',
  'genres',
  'imports',
  'libraries_by_id',
  'libraries_by_city',
  'libraries_by_city_opened',
  'places',
  'like_counts',
  'audits',
  // An event's id has the reader as a hash, for eight days.
  'events',
  'dirty_windows',
  'dirty_window_buckets',
  'dirty_windows_swept',
  'click_buckets_by_day',
  'leases',
  'scheduled_job_hours',
  'events_by_minute',
  'events_by_hour',
  'events_by_day',
  'activity_by_subject',
  'site_activity_by_shard',
  'site_activity',
  'trending_by_shard',
  'trending',
  'incarnations',
  'measurements',
  'report_months',
  'schema_steps',
];

/** Yields everything that is stored about a person, as pieces of JSON. */
export async function* exportOf(app: AppContext, userId: string): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(app.clock())}`;
  for (const { table, exported } of personalTables) {
    if (typeof exported === 'string') continue;
    yield `,\n${JSON.stringify(table)}:[`;
    let separator = '\n';
    for await (const row of exported(app, userId)) {
      yield separator + JSON.stringify(row);
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

/** The tables that an erasure goes through, in order. */
export const erasedTables = personalTables.flatMap(({ table, erased }) =>
  typeof erased === 'string' ? [] : [{ name: table, work: erased }],
);

/** Erases one page of a person's data. */
export const eraseSome = inTurn(erasedTables);
