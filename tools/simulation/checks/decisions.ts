import type { AccountState } from '../../../src/accounts/tables.ts';
import type { BookState } from '../../../src/catalogue/tables.ts';
import { uuidOf, type NodeType } from '../../../src/graphql/ids.ts';
import type { BookListState } from '../../../src/lists/tables.ts';
import type { ListingState } from '../../../src/market/tables.ts';
import type { ReportState } from '../../../src/reports/tables.ts';
import { idOf } from '../../../src/reviews/aggregate.ts';
import type { ReviewState } from '../../../src/reviews/tables.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import { differences } from './differences.ts';
import { readersOf } from './moderation.ts';

/** A decision of the administrator. */
interface Decision {
  readonly subject: string;
  readonly kind: string;
  readonly at: Date;
  readonly id: string;
  readonly by: unknown;
  /** The readers whom the decision concerns, or who requested it. */
  readonly readers: readonly string[];
  /** The reader who has a security event of the decision. */
  readonly told?: string;
}

const noted = ({ subject, kind, at, id, by }: Decision) => [subject, kind, show(at), id, show(by)].join(' ');

/**
 * Checks that every decision of the administrator about books, copies, lists, reviews, reports and
 * readers is recorded, and no other.
 */
export function* driftOfDecisions(cluster: Cluster, erased: ReadonlySet<string>): Generator<string> {
  const decided = [...decisionsIn(cluster)];
  // Decisions about a reader are deleted with their account. Other decisions that concern a deleted
  // account may exist or not.
  const isGone = ({ subject }: Decision) => subject.startsWith('User:') && erased.has(subject.slice('User:'.length));
  const isSure = ({ readers }: Decision) => !readers.some((userId) => erased.has(userId));
  const wanted = new Set(decided.filter(isSure).map(noted));
  const possible = new Set(decided.filter((each) => !isGone(each)).map(noted));
  const found = cluster
    .scan('administration_by_subject')
    .map((row) =>
      ['subject', 'kind', 'at', 'decision_id', 'administrator_id'].map((column) => show(row[column])).join(' '),
    );
  const subject = 'administration_by_subject';
  yield* differences(
    subject,
    [...wanted],
    found.filter((each) => !possible.has(each) || wanted.has(each)),
  );

  const told = decided.flatMap((each) => (each.told !== undefined && isSure(each) ? eventOf(each.told, each) : []));
  const kinds = new Set(decided.flatMap(({ told: userId, kind }) => (userId === undefined ? [] : kind)));
  const events = cluster
    .scan('security_events_by_user')
    .filter((row) => kinds.has(show(row['kind'])) && !erased.has(show(row['user_id'])));
  yield* differences(
    'security_events_by_user',
    [...new Set(told)],
    events.map((row) =>
      eventOf(show(row['user_id']), { kind: show(row['kind']), at: row['at'] as Date, id: show(row['event_id']) }),
    ),
  );
}

const eventOf = (userId: string, { kind, at, id }: Pick<Decision, 'kind' | 'at' | 'id'>) =>
  `${userId} ${kind} ${show(at)} ${id}`;

function* decisionsIn(cluster: Cluster): Generator<Decision> {
  for (const row of cluster.decidedIn('books')) {
    const { edited, edited_by: by, changed_at: at, change_id } = row['state'] as BookState;
    const subject = `Book:${show(row['book_id'])}`;
    if (edited) yield { subject, kind: `BOOK_${edited}`, at, id: show(change_id), by, readers: [] };
  }
  for (const row of cluster.decidedIn('reports')) {
    const state = row['state'] as ReportState;
    const { subject, decided_at: at, decided_by: by } = state;
    const id = (moment: Date) => uuidOf(`${show(row['report_id'])} ${moment.toISOString()}`);
    if (at) yield { subject, kind: 'REPORT_DECIDED', at, id: id(at), by, readers: readersOf(state) };
  }
  for (const row of cluster.decidedIn('users_by_id')) yield* decidedAboutReader(row);
  const owners = new Map<string, string>();
  // A decision about something without an owner has the former owner.
  const ownerOf = (key: string, ownerId: unknown): string => {
    if (ownerId !== null) owners.set(key, show(ownerId));
    return owners.get(key) ?? '';
  };
  for (const row of cluster.decidedIn('items')) {
    const key = show(row['item_id']);
    const { seller_id, title_taken_down_at: at, title_taken_down_by: by } = row['state'] as ListingState;
    const ownerId = ownerOf(key, seller_id);
    if (at) yield toldTo(ownerId, 'Item', key, 'TITLE_TAKEN_DOWN', at, by);
  }
  for (const row of cluster.decidedIn('book_lists')) {
    const key = show(row['list_id']);
    const { owner_id, taken_down_at: at, taken_down_by: by } = row['state'] as BookListState;
    const ownerId = ownerOf(key, owner_id);
    if (at) yield toldTo(ownerId, 'BookList', key, 'TITLE_TAKEN_DOWN', at, by);
  }
  for (const row of cluster.decidedIn('reviews')) {
    const key = show(row['review_id']);
    const state = row['state'] as ReviewState;
    const { author_id, taken_down_at: at, taken_down_by: by } = state;
    const ownerId = ownerOf(key, author_id);
    // A deletion keeps only the time.
    if (at && by !== null) yield toldTo(ownerId, 'Review', idOf(key, state), 'REVIEW_TAKEN_DOWN', at, by);
  }
}

/** Makes a decision that its reader is notified of. */
const toldTo = (userId: string, type: NodeType, key: string, kind: string, at: Date, by: unknown): Decision => {
  const id = uuidOf(`${kind} ${key} ${at.toISOString()}`);
  return { subject: `${type}:${key}`, kind, at, id, by, readers: [userId], told: userId };
};

function* decidedAboutReader(row: Row): Generator<Decision> {
  const userId = show(row['user_id']);
  const { suspended, suspension_at, suspension_by, name_taken_down_at, name_taken_down_by } = row[
    'state'
  ] as AccountState;
  const kind = suspended ? 'ACCOUNT_SUSPENDED' : 'ACCOUNT_REINSTATED';
  if (suspension_at) yield toldTo(userId, 'User', userId, kind, suspension_at, suspension_by);
  if (name_taken_down_at)
    yield toldTo(userId, 'User', userId, 'NAME_TAKEN_DOWN', name_taken_down_at, name_taken_down_by);
}
