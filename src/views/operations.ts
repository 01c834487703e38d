import { recordActions } from '../activity/log.ts';
import { accountNow, requireViewer } from '../identity/operations.ts';
import { untilKnown } from '../cassandra/retries.ts';
import { applied, first } from '../cassandra/statement.ts';
import { bookIdInput, requireBook } from '../catalogue/operations.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { recordEvent } from '../events/operations.ts';
import { subjectOf } from '../graphql/ids.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { deleteViews, insertViews, selectViews, selectViewsSerially, updateViews, type BookView } from './tables.ts';
import { cql } from '../cassandra/columns.ts';
import { listInMemory } from '../cassandra/paging.ts';
import { cursorOf } from '../cassandra/range.ts';
import { DAY_SECONDS, MINUTE_MS } from '../time/units.ts';

/** The bounds of the list: the number of books and the age of a view. */
const VIEWS_MAX = 100;
const VIEW_MS = MINUTE_MS;
const KEPT_SECONDS = 30 * DAY_SECONDS;

/**
 * Records a view of a book by the viewer. The book becomes the first of the recently viewed ones,
 * and the view becomes an action.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `bookId`
 */
export async function recordView(context: RequestContext, input: { bookId: string }) {
  const now = context.clock();
  const viewer = await requireViewer(context);
  const book = await requireBook(context, bookIdInput(input.bookId));
  const { cassandra } = context;
  const user_id = viewer.id;
  const kept = { ttl_seconds: KEPT_SECONDS };
  let current = (await first(cassandra, selectViewsSerially, { user_id }))?.views;
  let at: Date;
  for (;;) {
    const seen = current ?? [];
    at = loggedAt(seen, book.id, now);
    const next = withView(seen, { viewed_at: now, book_id: book.id, logged_at: at });
    const write = () =>
      current
        ? applied(cassandra, updateViews, { user_id, next, current, ...kept })
        : applied(cassandra, insertViews, { user_id, views: next, ...kept });
    const result = await untilKnown<Awaited<ReturnType<typeof write>>>(cassandra, write);
    if (result.applied) break;
    current = result.current?.views;
  }
  const subject = subjectOf({ type: 'Book', key: book.id });
  // Views within the same minute are counted once.
  const id = `${user_id} ${subject} ${minuteOf(now)}`;
  await recordEvent(context, { kind: 'VIEW', subject, at: now, id, version: 1, happened: true });
  if (context.config.recordsLooksAndClicks) await recordActions(context, user_id, [{ kind: 'VIEWED', at, subject }]);
  // The account may have been deleted meanwhile. Its activity log is erased with rows that are
  // still being written.
  if (!(await accountNow(context, user_id))) await forgetViews(context, user_id);
  return { book, viewer };
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / VIEW_MS);

/** The moment of a view in the activity log: that of the book's first view in its minute. */
function loggedAt(views: readonly BookView[], bookId: string, now: Date): Date {
  const known = views.find(({ book_id }) => book_id === bookId)?.logged_at;
  return known && minuteOf(known) === minuteOf(now) ? known : now;
}

/**
 * The views in the list, last one first, each book once. Views of one moment are ordered by book.
 */
function withView(views: readonly BookView[], view: BookView): BookView[] {
  const known = views.find(({ book_id }) => book_id === view.book_id);
  const newest = known && known.viewed_at > view.viewed_at ? known : view;
  return within([newest, ...views.filter(({ book_id }) => book_id !== view.book_id)], view.viewed_at)
    .sort(byMoment)
    .slice(0, VIEWS_MAX);
}

type Position = Omit<BookView, 'logged_at'>;

const byMoment = (one: Position, other: Position) =>
  other.viewed_at.getTime() - one.viewed_at.getTime() ||
  Number(one.book_id > other.book_id) - Number(one.book_id < other.book_id);

const within = (views: readonly BookView[], now: Date) =>
  views.filter(({ viewed_at }) => viewed_at.getTime() > now.getTime() - KEPT_SECONDS * 1_000);

export async function forgetViews({ cassandra }: AppContext, userId: string): Promise<void> {
  await untilKnown(cassandra, () => applied(cassandra, deleteViews, { user_id: userId }));
}

/** Reads the recent views of a reader, last one first. */
export async function viewsOf({ cassandra, clock }: AppContext, userId: string): Promise<BookView[]> {
  return within((await first(cassandra, selectViews, { user_id: userId }))?.views ?? [], clock());
}

/**
 * Returns a page of the books that a reader viewed recently, last one first.
 * @throws `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function recentlyViewedOf(
  context: RequestContext,
  userId: string,
  page: PageArguments,
): Promise<Connection<{ cursor: Cursor; viewedAt: Date; bookId: string }>> {
  const views = (await viewsOf(context, userId)).map(({ viewed_at, book_id }) => ({ viewed_at, book_id }));
  const list = {
    ...listInMemory(views, byMoment),
    name: `recentlyViewed ${userId}`,
    descending: false,
    cursor: cursorOf({ viewed_at: cql.timestamp, book_id: cql.text }),
  };
  return connection(page, list, ({ viewed_at, book_id }, cursor) => ({ cursor, viewedAt: viewed_at, bookId: book_id }));
}
