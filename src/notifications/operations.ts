import { z } from 'zod';
import { jsonMoment } from '../cassandra/orders.ts';
import { listInMemory, readSlice } from '../cassandra/paging.ts';
import { ANONYMOUS, perRequest, requestContext, type AppContext, type RequestContext } from '../context/context.ts';
import type { News } from '../feature/news.ts';
import { connection, type Cursor, type List, type PageArguments } from '../graphql/connections.ts';
import { badUserInput, invalidInput } from '../graphql/errors.ts';
import { parseSubject, type NodeType } from '../graphql/ids.ts';
import type { Models } from '../graphql/models.ts';
import type { NotificationKind } from '../graphql/generated/schema-types.ts';
import { accountById, existingAccount, requireViewer, type User } from '../identity/operations.ts';
import { endedAt } from '../libraryimports/operations.ts';
import { otherLikersOf, shownOf, type OtherLikers } from '../likes/other-likers.ts';
import { noticesOf, storeReadUntil, type Notice, type Notices } from '../notices/operations.ts';
import { dayAt } from '../time/days.ts';
import { MINUTE_MS } from '../time/units.ts';

/**
 * The notifications of the viewer. A notice says which thing had news on which day; everything else
 * is read from the thing. A notification is shown once, on the day of the thing's newest news: its
 * notices of other days are left out. So a like that is taken back, a block or a deleted account
 * leaves the notification as soon as it leaves the thing.
 */

/** A notification about a thing of the viewer. */
export interface Notification {
  readonly kind: NotificationKind;
  /** The time of its newest news. */
  readonly at: Date;
  readonly isRead: boolean;
  readonly subject: Models[NodeType];
  /** The thing, as `Type:key`. */
  readonly subjectId: string;
  /** The readers who did something; `undefined` if it is not about readers. */
  readonly readers: OtherLikers | undefined;
}

/** The maximum number of unread notifications that are counted. */
const UNREAD_MAX = 100;
/** The maximum number of readers that a notification shows. */
const READERS_MAX = 20;
/** Clocks may differ, so the newest notification can be a little ahead. */
const AHEAD_MAX_MS = 5 * MINUTE_MS;

/**
 * Returns a page of the viewer's notifications, newest first.
 * @throws `BAD_USER_INPUT` if the paging arguments cannot be used
 */
export async function notificationsOf(context: RequestContext, userId: string, page: PageArguments) {
  const list = notificationList(context, userId, await noticesShown(context, userId));
  return connection(page, list, (node, cursor): { cursor: Cursor; at: Date; node: Notification } => ({
    cursor,
    at: node.at,
    node,
  }));
}

/** Counts the viewer's unread notifications, at most {@link UNREAD_MAX}. */
export async function countUnread(context: RequestContext, userId: string): Promise<number> {
  const { notices, readUntil } = await noticesShown(context, userId);
  const unread = notices.filter(({ newestAt }) => readUntil === null || newestAt > readUntil);
  const list = notificationList(context, userId, { notices: unread, readUntil });
  const { rows } = await readSlice(list, { descending: true, from: undefined, limit: UNREAD_MAX });
  return rows.filter(({ isRead }) => !isRead).length;
}

/**
 * Returns whether some news is an unread notification of its reader now. It is not if it was taken
 * back, if its kind is switched off, or if the one who did it is hidden from the reader.
 */
export async function isUnread(app: AppContext, { userId, kind, subject, at }: News): Promise<boolean> {
  const context = requestContext(app, { ...ANONYMOUS, viewerId: userId });
  const account = await accountById(context, userId);
  if (!account || account.isSuspended) return false;

  const { notices, readUntil } = await noticesShown(context, userId);
  const day = dayAt(at);
  const notice = notices.find((each) => each.day === day && each.kind === kind && each.subject === subject);
  const shown = notice && (await notificationOf(context, notice, readUntil));
  return shown !== undefined && !shown.isRead && shown.at >= at;
}

/**
 * Returns the newest readers of a notification whom the viewer may see.
 * @throws `BAD_USER_INPUT` if `first` cannot be used
 */
export async function readersIn(context: RequestContext, { readers }: Notification, first: number): Promise<User[]> {
  if (first < 0 || first > READERS_MAX)
    throw badUserInput(`The argument "first" is ${String(first)}; send a number from 0 to ${String(READERS_MAX)}.`);
  return readers ? await shownOf(context, readers, first) : [];
}

/**
 * Marks the viewer's notifications up to a moment as read. An earlier moment than before changes
 * nothing.
 * @throws {UserError} `INVALID_INPUT` about `until`
 */
export async function markNotificationsRead(context: RequestContext, { until }: { until: Date }) {
  const viewer = await requireViewer(context);
  const now = context.clock().getTime();
  if (until.getTime() > now + AHEAD_MAX_MS)
    throw invalidInput(['until'], 'This moment is in the future; send the time of the newest notification shown.');

  await storeReadUntil(context, viewer.id, until);
  noticesOfViewer(context).clear();
  return { viewer };
}

/** The notices that the request has read, by reader. */
const noticesOfViewer = perRequest(() => new Map<string, Promise<Notices>>());

/** Reads the notices of a reader, without those of kinds that they have switched off. */
async function noticesShown(context: RequestContext, userId: string): Promise<Notices> {
  const known = noticesOfViewer(context);
  const reading = known.get(userId) ?? noticesOf(context, userId);
  known.set(userId, reading);
  const [{ notices, readUntil }, { mutedNotifications }] = await Promise.all([
    reading,
    existingAccount(context, userId),
  ]);
  return { notices: notices.filter(({ kind }) => !mutedNotifications.includes(kind)), readUntil };
}

/** The position of a notification in its list. */
const position = z.strictObject({ at: jsonMoment, subjectId: z.string() });
type Position = z.output<typeof position>;

/** Returns the list of the notifications that follow from some notices. */
function notificationList(
  context: RequestContext,
  userId: string,
  { notices, readUntil }: Notices,
): List<Notification, Position> {
  const byDay = Map.groupBy(notices, ({ day }) => Date.parse(day));
  return {
    name: `notifications ${userId}`,
    descending: true,
    partitions: [...byDay.keys()],
    partitionOf: ({ at }) => Date.parse(dayAt(at)),
    positionOf: ({ at, subjectId }) => ({ at, subjectId }),
    cursor: position,
    read: async (days, slice) => {
      const some = days.flatMap((day) => byDay.get(day) ?? []);
      const found = await Promise.all(some.map((notice) => notificationOf(context, notice, readUntil)));
      const shown = found.filter((each) => each !== undefined).toSorted(byMoment);
      return listInMemory<Notification, Position>(shown, byMoment).read([0], slice);
    },
  };
}

/**
 * Reads the notification of a thing.
 * @returns `undefined` if the thing is gone, or has no news, or newer or older news than of the
 *   notice's day, which is then another notice
 */
async function notificationOf(
  context: RequestContext,
  { day, kind, subject: subjectId }: Notice,
  readUntil: Date | null,
): Promise<Notification | undefined> {
  const id = parseSubject(subjectId);
  if (!id) return undefined;

  // Both are read together with those of the other notices.
  const [subject, readers] = await Promise.all([
    context.nodeTypes[id.type].find(context, id.key),
    kind === 'IMPORT_ENDED' ? undefined : otherLikersOf(context, subjectId),
  ]);
  if (!subject) return undefined;
  const at = subject.type === 'LibraryImport' ? endedAt(subject) : readers?.newest[0]?.liked_at;
  if (!at || dayAt(at) !== day) return undefined;
  return { kind, at, isRead: readUntil !== null && at <= readUntil, subject, subjectId, readers };
}

const byMoment = (one: Position, other: Position): number =>
  one.at.getTime() - other.at.getTime() ||
  Number(one.subjectId > other.subjectId) - Number(one.subjectId < other.subjectId);
