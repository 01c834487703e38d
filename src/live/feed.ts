import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { all } from '../cassandra/maybe-promise.ts';
import { watchChanges, type ChangedKind, type ChangesWatcher } from '../changes/operations.ts';
import { perProcess, requestContext, type AppContext, type Caller, type RequestContext } from '../context/context.ts';
import { feedOf, thingsBehind } from '../feed/operations.ts';
import { overloaded, RequestError } from '../graphql/errors.ts';
import { followedByViewer } from '../identity/following.ts';
import { requireSignedIn } from '../identity/operations.ts';
import { SECOND_MS } from '../time/units.ts';
import { LatestEvents } from './latest-events.ts';

/**
 * The feeds of subscribers. When the list of changes names a reader whom some subscribers follow,
 * the first page of each of their feeds is read as that subscriber sees it, and an event is sent if
 * the page has changed. So an act that a subscriber may not see sends nothing, at no time.
 */

/** The kinds of changes that may change a feed. */
const KINDS = ['VIEWER', 'FEED_MONTHS', 'FOLLOWING', 'READER', 'HIDDEN_READERS', 'LIKE_COUNTS'] as const;
/** The kinds of acts that feeds show. */
const ACTS: readonly string[] = ['LIKES', 'READINGS', 'RATINGS', 'REVIEWS'];
/** The number of feeds that a server reads at the same time for all subscribers. */
const FEEDS_AT_ONCE = 2;
/**
 * The rest after each read of a feed, as a multiple of the time that it took. So an act of a reader
 * whom thousands of subscribers follow leaves most of the server's time to other requests.
 */
const REST = 2;
/**
 * The minimum time between two reads of all feeds, while so much changes that a server does not
 * read the whole list of changes.
 */
const ALL_FEEDS_MS = 10 * SECOND_MS;
/** The maximum memory of the names that a server watches for. */
const NAMES_BYTES_MAX = 64 * 2 ** 20;
/** The memory of a name, and of a subscriber who watches for it. */
const [BYTES_PER_NAME, BYTES_PER_WATCH] = [400, 50];
const RETRY_AFTER_SECONDS = 5;

export interface FeedChangedEvent {
  /** The cursors of the edges of the feed's first page. */
  readonly cursors: readonly string[];
}

/**
 * Subscribes the viewer to the first page of their feed.
 * @throws `UNAUTHENTICATED` when signed out, `OVERLOADED` if this process watches for as many names
 *   as it can
 */
export const watchFeed = (context: RequestContext): AsyncIterable<FeedChangedEvent> => {
  requireSignedIn(context);
  return feedHub(context).watch(context.caller);
};

/** A reader or thing whose changes may change the feeds of some subscribers. */
interface Named {
  readonly name: string;
  readonly watches: Set<FeedWatch>;
}

/** One subscription. */
class FeedWatch {
  readonly caller: Caller;
  readonly events: LatestEvents<FeedChangedEvent>;
  /** The names that the last read of the feed depended on. */
  named: readonly Named[] = [];
  /** The things behind the entries of the first page. */
  things: readonly string[] = [];
  /** The digest of the page that the subscriber knows; `undefined` before the first event. */
  sent: string | undefined;

  constructor(
    caller: Caller,
    take: (watch: FeedWatch) => Promise<FeedChangedEvent | undefined>,
    atEnd: (watch: FeedWatch) => void,
  ) {
    this.caller = caller;
    this.events = new LatestEvents(
      () => take(this),
      () => {
        atEnd(this);
      },
    );
  }
}

/** Changes of the list: the name that each is about, and the number of reads that have found it. */
type Changes = Map<string, { readonly name: string; readonly reads: number }>;

const feedHub = perProcess((app) => new FeedHub(app));

/** The subscriptions of a process, by the names whose changes may change their feeds. */
class FeedHub {
  readonly #app: AppContext;
  readonly #watches = new Set<FeedWatch>();
  readonly #byName = new Map<string, Named>();
  /** The number of subscribers of all names together. */
  #watchedNames = 0;
  /** The changes of watched names that the list had at the last read. */
  #changes: Changes = new Map();
  /** The subscriptions whose feed could not be read. */
  readonly #unread = new Set<FeedWatch>();
  readonly #limit = pLimit(FEEDS_AT_ONCE);
  #isAllDue = false;
  #allReadAt = -Infinity;
  #unwatch: () => void = () => undefined;

  constructor(app: AppContext) {
    this.#app = app;
  }

  watch(caller: Caller): AsyncIterable<FeedChangedEvent> {
    this.#requireRoom();
    const take = (of: FeedWatch) => this.#inTurn(() => this.#take(of));
    const watch = new FeedWatch(caller, take, (ended) => {
      this.#watches.delete(ended);
      this.#unread.delete(ended);
      this.#watchFor(ended, []);
      if (this.#watches.size === 0) this.#unwatch();
    });
    if (this.#watches.size === 0) this.#unwatch = watchChanges(this.#app, this.#look, { acts: true });
    this.#watches.add(watch);
    watch.events.mark();
    return watch.events;
  }

  readonly #look: ChangesWatcher = (keysOf) => {
    for (const watch of this.#unread) watch.events.mark();
    this.#unread.clear();

    const found = KINDS.map((kind) => ({ kind, keys: keysOf(kind) }));
    if (found.some(({ keys }) => keys === undefined)) this.#isAllDue = true;
    const before = this.#changes;
    this.#changes = new Map();
    for (const { kind, keys } of found) for (const key of keys ?? []) this.#lookAt(kind, key, before);
    // A change that a slow server makes late is behind its announcement.
    for (const [change, { name }] of before) if (!this.#changes.has(change)) this.#mark(name);
    this.#markAll();
  };

  #lookAt(kind: (typeof KINDS)[number], key: string, before: Changes): void {
    const name = nameOf(kind, key);
    if (name === undefined || !this.#byName.has(name)) return;
    const change = `${kind} ${key}`;
    const reads = (before.get(change)?.reads ?? 0) + 1;
    this.#changes.set(change, { name, reads });
    if (isDue(kind, reads)) this.#mark(name);
  }

  #mark(name: string): void {
    for (const watch of this.#byName.get(name)?.watches ?? []) watch.events.mark();
  }

  #markAll(): void {
    const now = this.#app.monotonicNow();
    if (!this.#isAllDue || now - this.#allReadAt < ALL_FEEDS_MS) return;
    this.#isAllDue = false;
    this.#allReadAt = now;
    for (const watch of this.#watches) watch.events.mark();
  }

  /** Reads a feed in its turn, and returns before the rest that follows. */
  #inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve) => {
      void this.#limit(async () => {
        const begunAt = performance.now();
        const reading = read();
        resolve(reading);
        await reading.catch(() => undefined);
        await sleep(REST * (performance.now() - begunAt), undefined, { ref: false });
      });
    });
  }

  async #take(watch: FeedWatch): Promise<FeedChangedEvent | undefined> {
    try {
      return await this.#read(watch);
    } catch (error) {
      if (watch.sent === undefined || error instanceof RequestError) throw error;
      // The next read of the list of changes tries again.
      if (this.#unread.size === 0)
        this.#app.logger.warn({ err: error }, 'the feeds of some subscribers could not be read');
      if (this.#watches.has(watch)) this.#unread.add(watch);
      return undefined;
    }
  }

  /** Reads the feed of a subscriber; returns `undefined` if its first page has not changed. */
  async #read(watch: FeedWatch): Promise<FeedChangedEvent | undefined> {
    if (!this.#watches.has(watch)) return undefined;
    const context = requestContext(this.#app, watch.caller);
    const readers = [requireSignedIn(context), ...(await followedByViewer(context))];
    // A change while the page is read marks the subscriber again.
    this.#watchFor(watch, [...readers, ...watch.things]);
    this.#requireRoom();

    const edges = (await feedOf(context, {}))?.edges ?? [];
    const things = await all(edges.map(({ node }) => thingsBehind(context, node)));
    watch.things = things.flat();
    this.#watchFor(watch, [...readers, ...watch.things]);

    const cursors = edges.map(({ cursor }) => cursor());
    const page = hash('sha256', JSON.stringify(edges.map(({ node }, index) => [cursors[index], node.quarters])));
    if (page === watch.sent) return undefined;
    watch.sent = page;
    return { cursors };
  }

  /** Sets the names whose changes mark a subscription. */
  #watchFor(watch: FeedWatch, names: readonly string[]): void {
    // A subscription may end while its feed is read.
    const wanted = this.#watches.has(watch) ? [...new Set(names)] : [];
    const next = wanted.map((name) => this.#named(name));
    for (const { watches } of next) watches.add(watch);

    const kept = new Set(next);
    for (const former of watch.named) {
      if (kept.has(former)) continue;
      former.watches.delete(watch);
      if (former.watches.size === 0) this.#byName.delete(former.name);
    }
    this.#watchedNames += next.length - watch.named.length;
    watch.named = next;
  }

  #named(name: string): Named {
    const named = this.#byName.get(name) ?? { name, watches: new Set() };
    this.#byName.set(name, named);
    return named;
  }

  /** @throws `OVERLOADED` */
  #requireRoom(): void {
    if (this.#byName.size * BYTES_PER_NAME + this.#watchedNames * BYTES_PER_WATCH <= NAMES_BYTES_MAX) return;
    throw overloaded('This server watches for as many readers as it can.', RETRY_AFTER_SECONDS);
  }
}

/** Returns the name of the reader or thing that a change is about, if it may change feeds. */
function nameOf(kind: ChangedKind, key: string): string | undefined {
  // A server of a later release may announce other acts.
  if (kind !== 'VIEWER') return key;
  const [readerId, of = ''] = key.split(' ');
  return ACTS.includes(of) ? readerId : undefined;
}

/**
 * Returns whether feeds are read for a change that a number of reads of the list have found. An act
 * is in the list once it is done. Other changes are announced before, and last for some
 * milliseconds, or seconds at worst.
 */
const isDue = (kind: ChangedKind, reads: number): boolean =>
  reads === 1 || (kind !== 'VIEWER' && Number.isInteger(Math.log2(reads)));
