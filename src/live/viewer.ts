import { watchChanges, type ChangesWatcher } from '../changes/operations.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import type { ViewerDataKind } from '../graphql/generated/schema-types.ts';
import { requireSignedIn } from '../identity/operations.ts';
import { SECOND_MS } from '../time/units.ts';
import { LatestEvents } from './latest-events.ts';

/** The kinds of a reader's own data that have changed, for their other devices. */

const ALL = {
  LIKES: true,
  READINGS: true,
  RATINGS: true,
  REVIEWS: true,
  LISTS: true,
  COPIES: true,
  IMPORTS: true,
  PROFILE: true,
  NOTIFICATIONS: true,
} satisfies Record<ViewerDataKind, true>;

const isKind = (text: string | undefined): text is ViewerDataKind => text !== undefined && Object.hasOwn(ALL, text);
const KINDS = Object.keys(ALL).filter(isKind);

/**
 * The minimum time between two events that name all kinds, while so many readers act that a server
 * does not read all of their acts.
 */
const ALL_KINDS_MS = 10 * SECOND_MS;

export interface ViewerChangedEvent {
  readonly kinds: readonly ViewerDataKind[];
}

/**
 * Subscribes the viewer to the kinds of their own data that change.
 * @throws `UNAUTHENTICATED` when signed out
 */
export const watchViewer = (context: RequestContext): AsyncIterable<ViewerChangedEvent> =>
  viewerHub(context).watch(requireSignedIn(context));

/** One subscription. */
class ViewerWatch {
  readonly events: LatestEvents<ViewerChangedEvent>;
  readonly #due = new Set<ViewerDataKind>();
  #toldAllAt = -Infinity;

  constructor(atEnd: (watch: ViewerWatch) => void) {
    this.events = new LatestEvents(
      () => Promise.resolve(this.#take()),
      () => {
        atEnd(this);
      },
    );
  }

  mark(kinds: readonly ViewerDataKind[]): void {
    for (const kind of kinds) this.#due.add(kind);
    this.events.mark();
  }

  markAllAt(now: number): void {
    if (now - this.#toldAllAt < ALL_KINDS_MS) return;
    this.#toldAllAt = now;
    this.mark(KINDS);
  }

  #take(): ViewerChangedEvent {
    const kinds = [...this.#due];
    this.#due.clear();
    return { kinds };
  }
}

const viewerHub = perProcess((app) => new ViewerHub(app));

/** The subscriptions of a process by viewer. */
class ViewerHub {
  readonly #app: AppContext;
  readonly #watches = new Map<string, Set<ViewerWatch>>();
  /** The subscriptions that have had no event. The read after their begin is their first one. */
  readonly #begun = new Set<ViewerWatch>();
  /** The acts that the list had at the last read. */
  #known: ReadonlySet<string> = new Set();
  #unwatch: () => void = () => undefined;

  constructor(app: AppContext) {
    this.#app = app;
  }

  watch(viewerId: string): AsyncIterable<ViewerChangedEvent> {
    const watches = this.#watches.get(viewerId) ?? new Set();
    const watch = new ViewerWatch((ended) => {
      this.#begun.delete(ended);
      watches.delete(ended);
      if (watches.size === 0) this.#watches.delete(viewerId);
      if (this.#watches.size === 0) this.#unwatch();
    });
    if (this.#watches.size === 0) this.#unwatch = watchChanges(this.#app, this.#look, { acts: true });
    this.#watches.set(viewerId, watches.add(watch));
    this.#begun.add(watch);
    return watch.events;
  }

  readonly #look: ChangesWatcher = (keysOf) => {
    const now = this.#app.monotonicNow();
    const acts = keysOf('VIEWER');
    const all = acts ? this.#begun : [...this.#watches.values()].flatMap((watches) => [...watches]);
    for (const watch of all) watch.markAllAt(now);
    this.#begun.clear();

    for (const act of acts ?? []) {
      if (this.#known.has(act)) continue;
      const [viewerId = '', kind] = act.split(' ');
      // A server of a later release may announce other kinds.
      if (isKind(kind)) for (const watch of this.#watches.get(viewerId) ?? []) watch.mark([kind]);
    }
    this.#known = acts ?? new Set();
  };
}
