import { priceText } from '../../../src/activity/log.ts';
import { uuidOf } from '../../../src/graphql/ids.ts';
import { clickKeyOf } from '../../../src/clicks/hours.ts';
import { priceOf } from '../../../src/market/money.ts';
import { DAY_MS } from '../../../src/time/units.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { clicksIn } from './clicks.ts';

/**
 * Compares all decisions with the activity log and the counted events. Each change has its action
 * and its event, regardless of later changes, and there are no others.
 */

interface Decided {
  readonly changed_at: Date;
  readonly change_id: unknown;
}
type LikeState = Decided & { readonly liked: boolean; readonly liked_at: Date | null };
interface Imported {
  readonly import_id: unknown;
}
type Read = Imported & { readonly read_at: Date | null; readonly noted_at: Date };
type ReadingState = Decided & {
  readonly marked: boolean;
  readonly reads: readonly Read[] | null;
  readonly corrected: Read | null;
  readonly history: (Imported & { readonly status: string; readonly at: Date })[] | null;
};

/** Readings that a reader imported happened elsewhere: they are no actions and no events. */
const isOwn = ({ import_id }: Imported) => import_id == null;
type ListingState = Decided & {
  readonly seller_id: unknown;
  readonly book_id: string;
  readonly status: string;
  readonly listed_at: Date;
  readonly priced_at: Date;
  readonly amount_e4: bigint;
  readonly currency: string;
  readonly former_amount_e4: bigint | null;
  readonly ended_at: Date | null;
};
type SessionState = Decided & {
  readonly user_id: unknown;
  readonly logged_in_at: Date | null;
  readonly logged_in_by: string | null;
};
type AccountState = Decided & { readonly registered_at: Date; readonly version: number; readonly email: string };

/** Returns the states of each row of a table, in their order. */
function* decidedIn<State>(cluster: Cluster, table: string, key: readonly string[]) {
  const before = new Map<string, State>();
  for (const row of cluster.decidedIn(table)) {
    const id = key.map((column) => show(row[column])).join(' ');
    const state = row['state'] as State;
    yield { row, id, state, former: before.get(id) };
    before.set(id, state);
  }
}

const action = (userId: unknown, kind: unknown, at: unknown, subject: unknown, element: unknown = '') =>
  `${show(userId)} ${show(kind)} ${show(at)} ${show(subject)} ${show(element)}`;

function* actionsWanted(cluster: Cluster): Generator<string> {
  for (const { row, state } of decidedIn<LikeState>(cluster, 'likes_by_user', ['user_id', 'likeable_id'])) {
    if (!state.liked_at) continue;
    yield action(row['user_id'], 'LIKED', state.liked_at, row['likeable_id']);
    if (!state.liked) yield action(row['user_id'], 'UNLIKED', state.changed_at, row['likeable_id']);
  }
  for (const { row, state, former } of decidedIn<ReadingState>(cluster, 'readings_by_user', ['user_id', 'book_id'])) {
    const subject = `Book:${show(row['book_id'])}`;
    for (const { read_at, noted_at } of state.marked ? (state.reads ?? []).filter(isOwn) : [])
      yield action(row['user_id'], 'READ', read_at ?? noted_at, subject);
    if (former?.marked && !state.marked && state.reads?.some(isOwn))
      yield action(row['user_id'], 'UNMARKED_READ', state.changed_at, subject);
    if (state.corrected && isOwn(state.corrected))
      yield action(row['user_id'], 'READING_CORRECTED', state.changed_at, subject);
    const last = state.history?.at(-1);
    const isTakenOff = last?.status === 'NONE' && (state.marked || (state.reads ?? []).length === 0);
    if (last && isOwn(last) && (isTakenOff || (last.status !== 'NONE' && last.status !== 'READ')))
      yield action(row['user_id'], 'STATUS_CHANGED', last.at, subject, isTakenOff ? '' : last.status);
  }
  for (const { row, state } of decidedIn<ListingState>(cluster, 'items', ['item_id'])) {
    if (!state.seller_id) continue;
    const subject = `Item:${show(row['item_id'])}`;
    const price = priceText(priceOf(state));
    yield state.former_amount_e4 === null
      ? action(state.seller_id, 'LISTED', state.listed_at, subject, price)
      : action(state.seller_id, 'PRICE_CHANGED', state.priced_at, subject, price);
    if (state.ended_at) yield action(state.seller_id, state.status, state.ended_at, subject);
  }
  for (const { state } of decidedIn<SessionState>(cluster, 'sessions_by_id', ['session_id']))
    if (state.user_id && state.logged_in_by === 'LOGIN')
      yield action(state.user_id, 'LOGGED_IN', state.logged_in_at, '');
  for (const { row, state } of decidedIn<AccountState>(cluster, 'users_by_id', ['user_id']))
    if (state.version === 1 && state.email !== '') yield action(row['user_id'], 'REGISTERED', state.registered_at, '');
}

/**
 * Lists the actions that clicks must have added. The clicks of a visitor who is a reader now may be
 * in their log, and clicks that were sent again certainly are.
 */
function* clicksWanted(cluster: Cluster, sent: Library['clicks']): Generator<{ of: string; isSure: boolean }> {
  const sessions = cluster
    .scan('sessions_by_id')
    .map((row) => [show(row['session_id']), row['state'] as SessionState] as const);
  const readers = new Map(sessions.map(([sessionId, { user_id }]) => [sessionId, user_id]));
  const nameOf = (sessionId: string, at: Date, id: string) => `${sessionId} ${clickKeyOf({ at, id })}`;
  const calls = Map.groupBy(sent, (click) => nameOf(click.sessionId, click.at, click.id));
  for (const { session_id, at, click_id, subject_id, target } of clicksIn(cluster)) {
    const userId = readers.get(show(session_id));
    if (!userId || !subject_id) continue;
    const all = calls.get(nameOf(show(session_id), at as Date, show(click_id))) ?? [];
    const [byVisitor, byReader] = [
      all.filter((each) => each.userId === null),
      all.filter((each) => each.userId !== null),
    ];
    const isSure = byVisitor.length === 0 || byReader.some(({ isDone }) => isDone);
    yield { of: action(userId, 'CLICKED', at, subject_id, target ?? ''), isSure };
  }
}

/** @param erased readers whose actions were deleted with them */
export function* driftOfActivity(
  cluster: Cluster,
  { views, clicks }: Library,
  erased: ReadonlySet<string>,
): Generator<string> {
  const isKept = (of: string) => !erased.has(of.split(' ')[0] ?? '');
  const wanted = new Set([...actionsWanted(cluster)].filter(isKept));
  // A view whose caller got no answer may not have been recorded.
  const possible = new Set(wanted);
  const viewOf = ({ userId, bookId, at }: Library['views'][number]) => action(userId, 'VIEWED', at, `Book:${bookId}`);
  const viewsOfMinute = Map.groupBy(views, (view) => `${view.userId} ${view.bookId} ${show(view.minute)}`);
  for (const view of views) possible.add(viewOf(view));
  for (const { of, isSure } of clicksWanted(cluster, clicks)) {
    possible.add(of);
    if (isSure && isKept(of)) wanted.add(of);
  }
  for (const table of ['actions_by_user', 'actions_by_user_by_kind']) {
    const found = new Set(
      cluster
        .scan(table)
        .map(({ user_id, kind, at, subject_id, element }) => action(user_id, kind, at, subject_id, element)),
    );
    for (const each of wanted) if (!found.has(each)) yield `${table} lacks: ${each}`;
    // The views of a minute are one action, with the moment of one of them.
    for (const [name, some] of viewsOfMinute)
      if (
        some.some(({ isDone, userId }) => isDone && !erased.has(userId)) &&
        !some.some((view) => found.has(viewOf(view)))
      )
        yield `${table} lacks the view: ${name}`;
    for (const each of found) if (!possible.has(each) && isKept(each)) yield `${table} has a surplus row: ${each}`;
  }
  const months = new Set(
    cluster
      .scan('action_months_by_user')
      .map((row) => `${show(row['user_id'])} ${show(row['kind'])} ${monthIn(show(row['month']))}`),
  );
  const viewed = views.filter(({ isDone }) => isDone).map(viewOf);
  for (const each of [...wanted, ...viewed.filter(isKept)]) {
    const [userId = '', kind = '', at = ''] = each.split(' ');
    if (!months.has(`${userId} ${kind} ${monthIn(at)}`)) yield `action_months_by_user lacks the month of: ${each}`;
  }
}

const monthIn = (moment: string) => moment.slice(0, 7);

/**
 * Returns every event that was decided, and whether it is in force, by the newest state that
 * contains it.
 */
export function eventsDecided(
  cluster: Cluster,
): Map<string, { readonly happened: boolean; readonly about: string; readonly at: Date; readonly userId: string }> {
  const events = new Map<string, { happened: boolean; about: string; at: Date; userId: string }>();
  const note = (name: string, happened: boolean, row: Row, at: Date) => {
    events.set(uuidOf(name), { happened, about: name, at, userId: show(row['user_id']) });
  };
  for (const { row, id, state } of decidedIn<LikeState>(cluster, 'likes_by_user', ['user_id', 'likeable_id']))
    if (state.liked_at) note(`${id} ${state.liked_at.getTime()}`, state.liked, row, state.liked_at);
  for (const { row, id, state } of decidedIn<ReadingState>(cluster, 'readings_by_user', ['user_id', 'book_id'])) {
    const { corrected } = state;
    if (corrected?.read_at && isOwn(corrected)) {
      const at = corrected.read_at < corrected.noted_at ? corrected.read_at : corrected.noted_at;
      note(`${id} ${corrected.read_at.getTime()}`, false, row, at);
    }
    const days = new Set<string>();
    for (const { read_at, noted_at } of (state.reads ?? []).filter(isOwn)) {
      if (!read_at) continue;
      const at = read_at < noted_at ? read_at : noted_at;
      const day = at.toISOString().slice(0, 10);
      note(`${id} ${read_at.getTime()}`, state.marked && !days.has(day), row, at);
      days.add(day);
    }
  }
  for (const { row, id, state } of decidedIn<ListingState>(cluster, 'items', ['item_id']))
    if (state.status === 'SOLD' && state.ended_at && state.seller_id)
      note(id, true, { ...row, user_id: state.seller_id }, state.ended_at);
  return events;
}

/** The age after which an event is not counted any more. */
const COUNTED_MS = 7 * DAY_MS;

/**
 * @param erased readers whose events are neither withdrawn nor completed: these events do not
 * identify them, and expire
 * @param isCounted whether the events were counted
 */
export function* driftOfEvents(
  cluster: Cluster,
  erased: ReadonlySet<string>,
  now: number,
  isCounted: boolean,
): Generator<string> {
  const found = new Map(cluster.scan('events').map((row) => [show(row['event_id']), row]));
  const dirty = new Set(cluster.scan('dirty_windows').map((row) => `${show(row['minute'])} ${show(row['shard'])}`));
  for (const [id, { happened, about, at, userId }] of eventsDecided(cluster)) {
    if (erased.has(userId) || at.getTime() < now - COUNTED_MS) continue;
    const row = found.get(id);
    if (happened !== Boolean(row))
      yield `events ${happened ? 'lacks' : 'has a surplus event'}: ${about} at ${show(at)}`;
    if (row && !isCounted && !dirty.has(`${show(row['minute'])} ${show(row['shard'])}`))
      yield `the roll-up would not count: ${show(row)}`;
  }
}
