import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { KEYS_PER_STATEMENT, keysInParts } from '../cassandra/statement-builders.ts';
import { watchChanges, type ChangesWatcher } from '../changes/operations.ts';
import {
  ANONYMOUS,
  perProcess,
  requestContext,
  type AppContext,
  type Caller,
  type RequestContext,
} from '../context/context.ts';
import { badUserInput, overloaded } from '../graphql/errors.ts';
import { encodeId, idArgument, subjectOf, type NodeId } from '../graphql/ids.ts';
import {
  canBeLiked,
  isLikeableShown,
  pluralsOf,
  readerOfLikeable,
  whoSees,
  type Likeable,
} from '../likes/likeables.ts';
import { likeTalliesOf, type LikeTally } from '../likes/operations.ts';
import { LatestEvents } from './latest-events.ts';

/**
 * Like tallies as they change. All subscribers of a process share the watched things: when the list
 * of changes names some of them, these are read once, by few statements, however many subscribers
 * watch them. While nobody subscribes, nothing is read.
 */

/** The maximum number of ids of a subscription. */
const IDS_MAX = 100;
/** The maximum number of things that a process watches, of some 400 bytes each. */
const THINGS_MAX = 100_000;
/** The number of parts of the changed things that are read at the same time. */
const PARTS_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = 5;
/** The kinds of changes that change tallies or who sees them: of likes, books and readers. */
const KINDS = ['LIKE_COUNTS', 'BOOK', 'READER', 'HIDDEN_READERS', 'FOLLOWING'] as const;

/** The tally of a thing after a change; null if the subscriber may not see the thing. */
export interface LikeTallyChange {
  readonly id: string;
  readonly likeTally: LikeTally | null;
}

export interface LikeTalliesEvent {
  readonly changes: readonly LikeTallyChange[];
}

/**
 * Subscribes the caller to the like tallies of some things.
 * @throws `BAD_USER_INPUT` if the ids cannot be used, `OVERLOADED` if this process watches as many
 *   things as it can
 */
export async function watchTallies(
  context: RequestContext,
  ids: readonly string[],
): Promise<AsyncIterable<LikeTalliesEvent>> {
  const nodes = new Map(ids.map((id) => [id, idArgument('ids', id)]));
  if (ids.length === 0 || ids.length > IDS_MAX)
    throw badUserInput(`The argument "ids" has ${ids.length} ids; from 1 to ${IDS_MAX} are allowed.`);
  for (const { type } of nodes.values()) {
    if (canBeLiked(context, type)) continue;
    const message = `The argument "ids" has the id of a ${type}, which cannot be liked; ${pluralsOf(context)} can.`;
    throw badUserInput(message);
  }
  return tallyHub(context).watch(context.caller, [...nodes.values()]);
}

/** A thing that some subscribers watch. */
class Thing {
  readonly node: NodeId;
  readonly id: string;
  readonly likeableId: string;
  readonly watches = new Set<TallyWatch>();
  #tally: LikeTally | undefined;
  /** The result of {@link whoSees}. */
  #seenBy: Likeable | boolean = false;
  /** The number of the read that found out who sees it. */
  #readAt = 0;

  constructor(node: NodeId) {
    this.node = node;
    this.id = encodeId(node);
    this.likeableId = subjectOf(node);
  }

  /** Takes what a read has found, and returns whether subscribers may see a change. */
  take(read: number, tally: LikeTally, seenBy: Likeable | boolean): boolean {
    const isNewer = !this.#tally || isNewerTally(tally, this.#tally);
    if (isNewer) this.#tally = tally;
    // Reads may overlap. The one that began last counts.
    if (read < this.#readAt) return isNewer;

    this.#readAt = read;
    const isSeenAlike = isDeepStrictEqual(seenBy, this.#seenBy);
    this.#seenBy = seenBy;
    return isNewer || !isSeenAlike;
  }

  /** Returns the reader whom it belongs to; null if there is none. */
  reader(app: AppContext): string | null {
    return typeof this.#seenBy === 'boolean' ? null : readerOfLikeable(app, this.#seenBy);
  }

  /** Returns the newest tally that was read; null if the caller may not see the thing. */
  async tallyFor(context: RequestContext): Promise<LikeTally | null> {
    const seenBy = this.#seenBy;
    const isSeen = typeof seenBy === 'boolean' ? seenBy : await isLikeableShown(context, seenBy);
    return isSeen ? (this.#tally ?? null) : null;
  }
}

/**
 * A tally of the same version differs only in whether it is known to be exact. Replicas that lag
 * behind may return an older version than was seen before.
 */
const isNewerTally = (one: LikeTally, other: LikeTally): boolean =>
  one.version > other.version || (one.version === other.version && one.isExact !== other.isExact);

/** One subscription. */
class TallyWatch {
  readonly caller: Caller;
  readonly things: readonly Thing[];
  readonly events: LatestEvents<LikeTalliesEvent>;
  readonly #app: AppContext;
  readonly #due = new Set<Thing>();
  /** The tallies that the subscriber has received. Nothing is sent twice. */
  readonly #sent = new Map<Thing, LikeTally | null>();

  constructor(app: AppContext, caller: Caller, things: readonly Thing[], atEnd: (watch: TallyWatch) => void) {
    this.#app = app;
    this.caller = caller;
    this.things = things;
    this.events = new LatestEvents(
      () => this.#take(),
      () => {
        atEnd(this);
      },
    );
  }

  mark(thing: Thing): void {
    this.#due.add(thing);
    this.events.mark();
  }

  markAll(): void {
    for (const thing of this.things) this.mark(thing);
  }

  async #take(): Promise<LikeTalliesEvent | undefined> {
    const due = this.things.filter((thing) => this.#due.has(thing));
    this.#due.clear();
    const context = requestContext(this.#app, this.caller);
    const tallies = await Promise.all(due.map((thing) => thing.tallyFor(context)));

    const changes = due.flatMap((thing, index): LikeTallyChange[] => {
      const likeTally = tallies[index] ?? null;
      if (this.#sent.get(thing) === likeTally) return [];
      this.#sent.set(thing, likeTally);
      return [{ id: thing.id, likeTally }];
    });
    return changes.length > 0 ? { changes } : undefined;
  }
}

const tallyHub = perProcess((app) => new TallyHub(app));

/** The subscriptions of a process, and the things that they watch. */
class TallyHub {
  readonly #app: AppContext;
  readonly #things = new Map<string, Thing>();
  readonly #watches = new Set<TallyWatch>();
  readonly #unread = new Set<Thing>();
  readonly #parts = pLimit(PARTS_AT_ONCE);
  #reads = 0;
  #isReading = false;
  #unwatch: () => void = () => undefined;

  constructor(app: AppContext) {
    this.#app = app;
  }

  /** Reads some things and watches them. The first event has all of them. */
  async watch(caller: Caller, nodes: readonly NodeId[]): Promise<AsyncIterable<LikeTalliesEvent>> {
    if (this.#things.size + nodes.length > THINGS_MAX)
      throw overloaded('This server watches as many things as it can.', RETRY_AFTER_SECONDS);
    const things = nodes.map((node) => this.#thing(node));
    const watch = new TallyWatch(this.#app, caller, things, (ended) => {
      this.#end(ended);
    });
    if (this.#watches.size === 0) this.#unwatch = watchChanges(this.#app, this.#look);
    this.#watches.add(watch);
    for (const thing of things) thing.watches.add(watch);

    try {
      // A tally that is known already may be older than a like that the caller was answered.
      await this.#read(things);
    } catch (error) {
      await watch.events.return();
      throw error;
    }
    watch.markAll();
    return watch.events;
  }

  #thing(node: NodeId): Thing {
    const key = subjectOf(node);
    const thing = this.#things.get(key) ?? new Thing(node);
    this.#things.set(key, thing);
    return thing;
  }

  #end(watch: TallyWatch): void {
    this.#watches.delete(watch);
    for (const thing of watch.things) {
      thing.watches.delete(watch);
      if (thing.watches.size > 0) continue;
      this.#things.delete(thing.likeableId);
      this.#unread.delete(thing);
    }
    if (this.#watches.size === 0) this.#unwatch();
  }

  readonly #look: ChangesWatcher = (keysOf) => {
    const [counts, books, ...ofReaders] = KINDS.map(keysOf);
    const readers = ofReaders.filter((keys) => keys !== undefined);
    if (!counts || !books || readers.length < ofReaders.length) {
      for (const thing of this.#things.values()) this.#unread.add(thing);
      for (const watch of this.#watches) watch.markAll();
    } else {
      const changed = [...counts, ...[...books].map((key) => subjectOf({ type: 'Book', key }))];
      for (const key of changed) this.#addDue(this.#things.get(key));
      this.#lookAtReaders(new Set(readers.flatMap((keys) => [...keys])));
    }
    void this.#readDue();
  };

  /** Decides again who sees what belongs to some readers, and what these readers see. */
  #lookAtReaders(readers: ReadonlySet<string>): void {
    if (readers.size === 0) return;
    for (const thing of this.#things.values()) {
      const reader = thing.reader(this.#app);
      if (reader === null || !readers.has(reader)) continue;
      this.#addDue(thing);
      for (const watch of thing.watches) watch.mark(thing);
    }
    for (const watch of this.#watches)
      if (watch.caller.viewerId !== null && readers.has(watch.caller.viewerId)) watch.markAll();
  }

  #addDue(thing: Thing | undefined): void {
    if (thing) this.#unread.add(thing);
  }

  /** Reads the things that are due. Things that become due meanwhile are read next. */
  async #readDue(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#unread.size > 0) {
      const things = [...this.#unread];
      this.#unread.clear();
      try {
        await this.#read(things);
      } catch (error) {
        // The next read of the list of changes tries again.
        for (const thing of things) if (thing.watches.size > 0) this.#unread.add(thing);
        this.#app.logger.warn({ err: error }, 'the tallies that subscribers watch could not be read');
        break;
      }
    }
    this.#isReading = false;
  }

  async #read(things: readonly Thing[]): Promise<void> {
    const parts = keysInParts(things, KEYS_PER_STATEMENT);
    await Promise.all(parts.map((part) => this.#parts(() => this.#readPart(part))));
  }

  async #readPart(things: readonly Thing[]): Promise<void> {
    const read = ++this.#reads;
    const context = requestContext(this.#app, ANONYMOUS);
    const [tallies, seen] = await Promise.all([
      likeTalliesOf(
        this.#app,
        things.map(({ likeableId }) => likeableId),
      ),
      Promise.all(things.map(({ node }) => whoSees(context, node))),
    ]);
    for (const [index, thing] of things.entries()) {
      const tally = tallies[index];
      if (tally && thing.take(read, tally, seen[index] ?? false)) for (const watch of thing.watches) watch.mark(thing);
    }
  }
}
