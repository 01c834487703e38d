import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * All collections that live as long as the process and grow with its input, each with its key and
 * its bound.
 */

const SOURCES = join(import.meta.dirname, '../src');

/** The pattern of a collection of a module or class, or of a cache anywhere. */
const KEPT =
  /^(?:(?:export )?(?:const|let) (\w+)[^=\n]*= *(?:perProcess\(\(\w*\) => )?new (?:Map|WeakMap|Set|LRUCache)\b| {2}(?:static )?(?:readonly )?(#?\w+)(?:: [^=\n]+)? = new (?:Map|WeakMap|Set|LRUCache)\b| +(?:const (\w+)[^=\n]*= |\(\) => )new LRUCache\b)/gm;

/**
 * The key and the bound, by file and name. A key made from a caller's text is bounded by the number
 * of entries or of characters.
 */
const BOUNDS: Readonly<Record<string, string>> = {
  'accounts/inputs.ts blocklist': 'constant',
  'activity/log.ts listedMonths': 'by reader and month: LRU of MONTHS_REMEMBERED',
  'cassandra/key-loaders.ts #coming': 'by key, for one request',
  'cassandra/key-loaders.ts #known': 'by key, for one request',
  'cassandra/orders.ts orders': 'constant',
  'cassandra/recent-reads.ts lookUps': 'by name of a cache',
  'cassandra/recent-reads.ts #newer': 'by key of a row: two halves of rowsMax / 2',
  'cassandra/recent-reads.ts #older': 'by key of a row: two halves of rowsMax / 2',
  'cassandra/statement-metrics.ts executed': 'by label of a statement of tables.ts',
  'cassandra/statement.ts declared': 'by statement of tables.ts',
  'changes/operations.ts #watchers': 'by hub or feature of the code',
  'catalogue/spelling.ts knownWords': 'by word of the catalogue: LRU of KNOWN_WORDS_MAX',
  'events/dirty-windows.ts #hours': 'by hour: those that are not struck out yet',
  'events/dirty-windows.ts #listed': 'by bucket: LRU of BUCKETS_REMEMBERED',
  'events/dirty-windows.ts #recorded': 'by window: LRU of WINDOWS_REMEMBERED',
  'events/dirty-windows.ts #struckOut': 'by bucket: those of the hours that are due',
  'events/rollup.ts #countedOnce': 'by bucket: those that are due',
  'events/rollup.ts #failing': 'by bucket: those that are due',
  'events/trending.ts #stale': 'by shard: a constant number',
  'events/trending.ts #unmerged': 'by window of an enum',
  'events/trending.ts #written': 'by list: shards times windows times kinds',
  'events/window-counter.ts #known': 'by window: LRU of ROWS_REMEMBERED rows',
  'events/window-counter.ts #large': 'by window: LRU of 1,000',
  'events/window-counter.ts #notBefore': 'by window: LRU of 10,000',
  'graphql/asked-fields.ts known': 'by node of a document, weakly',
  'graphql/moments.ts offsets': 'by moment of an input, weakly',
  'graphql/places.ts places': 'by node of a document, weakly',
  'graphql/sealed.ts keys': 'by secret of the settings',
  'graphql/tried-names.ts triedNames': 'the names in its file',
  'http/apollo.ts schemas': 'two',
  'http/acts.ts changedBy': 'by mutation of the schema',
  'http/bytes-in-flight.ts #callers': 'by address of a request under way, of which there are CONNECTIONS_MAX',
  'http/costs.ts known': 'by operation of a document, weakly',
  'http/apollo.ts documents': 'by hash of a document: LRU of LETTERS_MAX letters',
  'http/execution.ts #known': 'by text of a document: LRU of CHARACTERS_MAX letters',
  'http/graphql.ts contentTypes': 'by the header accept: LRU of ACCEPTS_KEPT',
  'http/persisted-documents.ts #texts': 'by hash of a document: those of a file',
  'http/streams.ts #counts': 'by address or reader of a subscription, of which there are SUBSCRIPTIONS_MAX',
  'http/streams.ts #open': 'by subscription, of which there are SUBSCRIPTIONS_MAX',
  'http/unverified.ts beforeVerified': 'constant',
  'bulk-import/left-out.ts #byReason': 'by reason of ours, for one import',
  'identity/following.ts NOBODY': 'constant',
  'jobs/jobs.worker.ts #schedules': 'by shard: a constant number',
  'jobs/jobs.worker.ts #shards': 'by shard: a constant number',
  'libraries/geography.ts codesOfCountries': 'constant',
  'libraries/geography.ts codesOfStates': 'constant',
  'leases/operations.ts leases': 'by name of a lease in the code',
  'libraryimports/fields.ts dayFirst': 'the orders of days, of which there are two',
  'libraryimports/file.ts WINDOWS_1252': 'constant',
  'libraryimports/html.ts BREAKS': 'constant',
  'libraryimports/html.ts ENDS': 'constant',
  'libraryimports/shelf-names.ts STATUSES': 'constant',
  'libraryimports/sources.ts PLAIN': 'constant',
  'member-sets/group-commit.ts #waiting': 'by shard of likes: changes under way, which admission bounds',
  'member-sets/own-commits.ts #known': 'by shard of likes: LRU of KNOWN_MAX likes',
  'likes/also-liked.worker.ts #known': 'by book: LRU of REMEMBERED',
  'likes/also-liked.worker.ts #waiting': 'by book: WAITING_MAX',
  'live/feed.ts #byName': 'by reader or thing: NAMES_BYTES_MAX',
  'live/feed.ts #changes': 'by change in the list of changes: CHANGES_MAX in each partition',
  'live/feed.ts #unread': 'by subscription, of which there are SUBSCRIPTIONS_MAX',
  'live/feed.ts #watches': 'by subscription, of which there are SUBSCRIPTIONS_MAX',
  'live/tallies.ts watches': 'by subscription, of which there are SUBSCRIPTIONS_MAX',
  'live/tallies.ts #due': 'by watched thing',
  'live/tallies.ts #unread': 'by watched thing',
  'live/tallies.ts #sent': 'by id of a subscription: IDS_MAX',
  'live/tallies.ts #things': 'by watched thing: THINGS_MAX',
  'live/tallies.ts #watches': 'by subscription, of which there are SUBSCRIPTIONS_MAX',
  'live/viewer.ts #begun': 'by subscription, of which there are SUBSCRIPTIONS_MAX',
  'live/viewer.ts #due': 'by kind of an enum',
  'live/viewer.ts #known': 'by act in the list of changes: CHANGES_MAX in each partition',
  'live/viewer.ts #watches': 'by subscription, of which there are SUBSCRIPTIONS_MAX',
  'mail/mailer.ts #newest': 'by address of a mail under way, of which there are WAITING_MAX',
  'mail/mailer.ts #waiting': 'mails under way, which their quotas bound',
  'market/iso-4217.ts digitsByCode': 'constant',
  'measurements/figures.ts #durations': 'by root field of the schema',
  'notifications/pushes.ts #waiting': 'by piece of news: WAITING_MAX',
  'passwords/passwords.ts #waiting': 'hashes under way, whose queue is bounded',
  'sessions/verified-tokens.ts #kept': 'by access token: LRU of LETTERS_MAX letters',
  'text/folding.ts LETTERS': 'constant',
  'text/folding.ts SHORT_FORMS': 'constant',
  'text/folding.ts digits': 'by digit of any script, some 700',
  'text/languages.ts CODES': 'constant',
  'throttling/addresses.ts new': 'by address: LRU of HASHES_KEPT',
  'throttling/request-costs.ts #callers': 'by caller: LRU of CALLERS_MAX',
  'time/turns.ts waiting': 'by address of a request under way, of which there are CONNECTIONS_MAX',
  'time/zones.ts canonicalNames': 'by name of the tz database, as luxon and ICU keep something for each canonical name',
  'time/zones.ts names': 'constant',
  'transactions/log.ts others': 'by server that has a heartbeat',
  'transactions/log.ts ticks': 'by tick: those with changes under way',
  'transactions/log.ts unfinished': 'changes under way, which admission bounds',
  'transactions/recovery.worker.ts #seen': 'by server that has a heartbeat',
};

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const kept = files.flatMap((file) =>
  [...readFileSync(join(SOURCES, file), 'utf8').matchAll(KEPT)].map(
    ([, ofModule, ofClass, inside]) => `${file} ${ofModule ?? ofClass ?? inside ?? 'new'}`,
  ),
);

describe('a collection that the process keeps', () => {
  test('is listed with its key and its bound', () => {
    expect(kept.toSorted()).toEqual(Object.keys(BOUNDS).toSorted());
  });

  test('is bounded in code if it is a cache', () => {
    for (const file of files) {
      const text = readFileSync(join(SOURCES, file), 'utf8');
      for (const [made] of text.matchAll(/new LRUCache<[\s\S]*?\(\{[\s\S]*?\}\)/g))
        expect(made, file).toMatch(/\bmax(?:Size)?: [A-Z_\d]/);
    }
  });
});
