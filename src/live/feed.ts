import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { all } from '../cassandra/maybe-promise.ts';
import { watchChanges, type ChangesWatcher } from '../changes/operations.ts';
import {
  ANONYMOUS,
  perProcess,
  requestContext,
  type AppContext,
  type Caller,
  type RequestContext,
} from '../context/context.ts';
import { feedOf, thingsBehind } from '../feed/operations.ts';
import { overloaded, RequestError } from '../graphql/errors.ts';
import { followedByViewer } from '../identity/following.ts';
import { requireSignedIn } from '../identity/operations.ts';
import { privacyOf } from '../identity/privacy.ts';
import { SECOND_MS } from '../time/units.ts';
import { LatestEvents } from './latest-events.ts';

/**
 * The feeds of subscribers. When the list of changes names a reader whom some subscribers follow,
 * the first page of each of their feeds is read as that subscriber sees it, and an event is sent if
 * the page has changed. So an act that a subscriber may not see sends nothing, at no time.
 */

/** The kinds of changes that may change a feed. */
const KINDS = ['VIEWER', 'FEED_MONTHS', 'FOLLOWING', 'READER', 'HIDDEN_READERS', 'LIKE_COUNTS'] as const;
/** The acts that feeds of others show, and who sees them; null for everybody. */
const SHOWN_ACTS = { LIKES: 'likes', READINGS: 'readings', RATINGS: 'readings', REVIEWS: null } as const;
const isShownAct = (of: string): of is keyof typeof SHOWN_ACTS => Object.hasOwn(SHOWN_ACTS, of);
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

/** A change of the list that is about a watched name. */
interface Change {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  /** The kind of an act; empty for other changes. */
  readonly of: string;
  /** The number of reads that have found it. */
  readonly reads: number;
}

const feedHub = perProcess((app) => new FeedHub(app));

/** The subscriptions of a process, by the names whose changes may change their feeds. */
class FeedHub {
  readonly #app: AppContext;
  readonly #watches = new Set<FeedWatch>();
  readonly #byName = new Map<string, Named>();
  /** The number of subscribers of all names together. */
  #watchedNames = 0;
  /** The changes of watched names that the list had at the last read. */
  #changes: ReadonlyMap<string, Change> = new Map();
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
    const changes = new Map<string, Change>();
    for (const { kind, keys } of found)
      for (const key of keys ?? []) {
        // The key of an act names its kind after its reader.
        const [name = '', of = ''] = kind === 'VIEWER' ? key.split(' ') : [key];
        const id = `${kind} ${key}`;
        if (this.#byName.has(name)) changes.set(id, { kind, name, of, reads: (this.#changes.get(id)?.reads ?? 0) + 1 });
      }
    for (const change of changes.values()) if (isDue(change)) this.#markFor(change);
    // A change that a slow server makes late is behind its announcement.
    for (const [id, change] of this.#changes) if (!changes.has(id)) this.#markFor(change);
    this.#changes = changes;
    this.#markAll();
  };

  #markFor({ kind, name, of }: Change): void {
    // Announcements of the same reader within a few seconds are one. So changes of audiences,
    // blocks and follows are known by their acts as well, of which there is one after each of them.
    if (kind !== 'VIEWER' || of === 'PROFILE') this.#mark(name);
    else if (of === 'FOLLOWS') this.#mark(name, ({ caller }) => caller.viewerId === name);
    else if (isShownAct(of)) void this.#markAct(name, of);
  }

  /** Marks those who may see an act of a reader, who does not see it in their own feed. */
  async #markAct(readerId: string, of: keyof typeof SHOWN_ACTS): Promise<void> {
    const isOther = ({ caller }: FeedWatch) => caller.viewerId !== readerId;
    if (![...(this.#byName.get(readerId)?.watches ?? [])].some(isOther)) return;

    // An act that its reader hides from all costs one read, however many subscribers follow them.
    // If they show it later, that is another change.
    const what = SHOWN_ACTS[of];
    const context = requestContext(this.#app, ANONYMOUS);
    const privacy = what && (await privacyOf(context, readerId).catch(() => undefined));
    if (what && privacy?.[what] === 'ONLY_ME') return;
    this.#mark(readerId, isOther);
  }

  #mark(name: string, isMeant: (watch: FeedWatch) => boolean = () => true): void {
    for (const watch of this.#byName.get(name)?.watches ?? []) if (isMeant(watch)) watch.events.mark();
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

/**
 * Returns whether feeds are read for a change now. An act is in the list once it is done. Other
 * changes are announced before, and last for some milliseconds, or seconds at worst.
 */
const isDue = ({ kind, reads }: Change): boolean =>
  reads === 1 || (kind !== 'VIEWER' && Number.isInteger(Math.log2(reads)));
