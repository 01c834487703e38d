import { uuid } from '../cassandra/columns.ts';
import { monthOf } from '../time/units.ts';
import { remarkInput } from '../administration/inputs.ts';
import { rows } from '../cassandra/statement.ts';
import { bookById } from '../catalogue/operations.ts';
import type { RequestContext } from '../context/context.ts';
import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import { UserError, invalidInput } from '../graphql/errors.ts';
import { idInput, parseSubject, subjectOf, uuidOf, type NodeId } from '../graphql/ids.ts';
import { readInput } from '../graphql/inputs.ts';
import type { ReportReason, ReportStatus } from '../graphql/generated/schema-types.ts';
import {
  accountById,
  requireAdministratorForQuery,
  requireAdministrator,
  requireViewer,
} from '../identity/operations.ts';
import { isForCaller, listIncludingDeleted, type BookList } from '../lists/operations.ts';
import { itemById } from '../market/operations.ts';
import { reviewById, type Review } from '../reviews/operations.ts';
import { admitReport } from '../throttling/operations.ts';
import { reports, UNREPORTED } from './aggregate.ts';
import { reportLoader } from './loaders.ts';
import { reportsByStatus, selectReportMonths } from './tables.ts';

/** Reports readers, copies, books, lists and reviews, and records the decisions about reports. */

/** A report of a reader. */
export interface Report {
  readonly id: string;
  readonly subject: NodeId;
  readonly reason: ReportReason;
  /** The comment, '' if none was given. */
  readonly comment: string;
  readonly reporterId: string;
  readonly at: Date;
  readonly status: ReportStatus;
  /** The time of the decision; null while the report is open. */
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  /** The note of the decision, '' if none was given. */
  readonly note: string;
}

/** The months in a hundred years. */
const MONTHS_MAX = 1_200;

/**
 * Reports a reader, copy, book, list or review for the viewer. A second report of the same subject
 * changes nothing and is no error.
 * @throws {UserError} `INVALID_INPUT` about `id` or `comment`, `NOT_FOUND` about `id`,
 *   `RATE_LIMITED`
 */
export async function report(
  context: RequestContext,
  input: { id: string; reason: ReportReason; comment?: string | null },
) {
  const viewer = await requireViewer(context);
  const { id, comment } = readInput({
    id: () => subjectInput(viewer.id, input.id),
    comment: () => remarkInput('comment', 'A comment', input.comment),
  });
  await requireSubject(context, id);
  const subject = subjectOf(id);
  const reportId = uuidOf(`report ${viewer.id} ${subject}`);
  const key = { reportId, reporterId: viewer.id, subject };

  const expected = await reports.read(context, key);
  if (expected?.reporter_id) return {};
  await admitReport(context, viewer.id);
  await reports.change(context, key, expected, (state, at) =>
    state?.reporter_id
      ? undefined
      : {
          ...UNREPORTED,
          reporter_id: viewer.id,
          subject,
          reason: input.reason,
          comment,
          reported_at: at,
        },
  );
  return {};
}

/**
 * The subjects that can be reported, and the functions that find them regardless of who may see
 * them.
 */
const SUBJECTS = {
  User: accountById,
  Item: itemById,
  Book: bookById,
  BookList: listWithOwner,
  Review: existingReview,
};

/** Returns a review by id; null if there is none, or it is deleted. */
async function existingReview(context: RequestContext, reviewId: string): Promise<Review | null> {
  const review = await reviewById(context, reviewId);
  return review?.authorId == null ? null : review;
}

/** The id of a subject that can be reported. */
interface SubjectId extends NodeId {
  readonly type: keyof typeof SUBJECTS;
}

function subjectInput(viewerId: string, id: string): SubjectId {
  const { type, key } = idInput('id', id);
  const wrong = (message: string) => invalidInput(['id'], message);
  if (!isReportable(type)) {
    const message =
      `This is the id of a ${type}, which cannot be reported; only readers, copies, books, ` +
      'lists and reviews can be.';
    throw wrong(message);
  }
  if (type === 'User' && key === viewerId) throw wrong('This is your own id; you can report others.');
  return { type, key };
}

const isReportable = (type: string): type is keyof typeof SUBJECTS => Object.hasOwn(SUBJECTS, type);

/** Checks that the subject exists, even if a block hides it: offended readers often block first. */
async function requireSubject(context: RequestContext, { type, key }: SubjectId): Promise<void> {
  const find = type === 'BookList' ? listForCaller : SUBJECTS[type];
  if (!(await find(context, key)))
    throw new UserError('NOT_FOUND', 'This does not exist, or not any more.', ['input', 'id']);
}

/** Returns a list if the caller belongs to its audience; null otherwise, or if there is none. */
async function listForCaller(context: RequestContext, listId: string): Promise<BookList | null> {
  const list = await listIncludingDeleted(context, listId);
  return list && (await isForCaller(context, list)) ? list : null;
}

/** Returns a list regardless of who may see it; null if there is none, or if it is deleted. */
async function listWithOwner(context: RequestContext, listId: string): Promise<BookList | null> {
  const list = await listIncludingDeleted(context, listId);
  return list?.ownerId == null ? null : list;
}

/**
 * Decides about a report, or changes the decision, for administrators.
 * @throws {UserError} `FORBIDDEN` for other readers; `INVALID_INPUT` about fields that cannot be
 *   used; `NOT_FOUND` about `id`
 */
export async function decideReport(
  context: RequestContext,
  input: { id: string; status: ReportStatus; note?: string | null },
) {
  const administrator = await requireAdministrator(context);
  const { reportId, status, note } = readInput({
    reportId: () => reportIdInput(input.id),
    status: () => decisionInput(input.status),
    note: () => remarkInput('note', 'A note', input.note),
  });
  const found = await reportById(context, reportId);
  if (!found) throw noReport();
  const { reporterId, subject } = found;
  const key = { reportId, reporterId, subject: subjectOf(subject) };

  const expected = await reports.read(context, key);
  await reports.change(context, key, expected, (state, at) => {
    if (!state?.reporter_id) throw noReport();
    if (state.status === status && state.note === note) return undefined;
    return { ...state, status, note, decided_at: at, decided_by: administrator.id };
  });

  reportLoader(context).clear(reportId);
  return { report: await reportById(context, reportId) };
}

function decisionInput(status: ReportStatus): ReportStatus {
  if (status !== 'OPEN') return status;
  throw invalidInput(['status'], 'A new report is already OPEN; send UPHELD or DISMISSED.');
}

function reportIdInput(id: string): string {
  if (uuid.safeParse(id).success) return id;
  throw invalidInput(['id'], 'This is not the id of a report; send one exactly as it was returned.');
}

const noReport = () => new UserError('NOT_FOUND', 'There is no such report.', ['input', 'id']);

/** Returns a report by id; null if there is none or it was forgotten. */
export async function reportById(context: RequestContext, reportId: string): Promise<Report | null> {
  const state = (await reportLoader(context).load(reportId))?.state;
  if (!state?.reporter_id) return null;
  const subject = parseSubject(state.subject);
  if (!subject) throw new Error(`A report is about ${state.subject}, which is not an id of this server's types`);
  const { reason, comment, reported_at: at, status, decided_at, decided_by, note } = state;
  const decided = { status, decidedAt: decided_at, decidedBy: decided_by, note };
  return { id: reportId, subject, reason, comment, reporterId: state.reporter_id, at, ...decided };
}

/** Returns the subject of a report, regardless of who may see it; null if it was deleted. */
export async function reportedNode(context: RequestContext, { subject: { type, key } }: Report) {
  return isReportable(type) ? SUBJECTS[type](context, key) : null;
}

/**
 * Returns the reported reader, the seller of a reported copy, the owner of a reported list or the
 * author of a reported review; null for a book, and if their account is deleted.
 */
export async function reportedReader(context: RequestContext, { subject: { type, key } }: Report) {
  if (type === 'User') return accountById(context, key);
  const readerId = await readerBehind(context, type, key);
  return readerId == null ? null : accountById(context, readerId);
}

/** Returns the id of the reader who made a thing. */
async function readerBehind(context: RequestContext, type: string, key: string): Promise<string | null | undefined> {
  if (type === 'Item') return (await itemById(context, key))?.sellerId;
  if (type === 'BookList') return (await listIncludingDeleted(context, key))?.ownerId;
  return type === 'Review' ? (await reviewById(context, key))?.authorId : null;
}

/**
 * Returns a page of the reports with a status, oldest first, for administrators.
 * @throws `UNAUTHENTICATED`, `FORBIDDEN`; `BAD_USER_INPUT` when the paging arguments cannot be used
 */
export async function reportsOf(
  context: RequestContext,
  { status, ...page }: { status: ReportStatus } & PageArguments,
): Promise<Connection<{ cursor: Cursor; reportId: string }>> {
  await requireAdministratorForQuery(context);
  const { cassandra } = context;
  const months = await rows(cassandra, selectReportMonths, { status, rows_max: MONTHS_MAX });
  const buckets = {
    column: 'month',
    values: months.map(({ month }) => month),
    of: ({ reported_at }: { reported_at: Date }) => monthOf(reported_at),
  } as const;
  const list = {
    ...reportsByStatus.list(cassandra, { status }, { buckets }),
    name: `reports ${status}`,
    descending: false,
  };
  return connection(page, list, ({ report_id }, cursor) => ({ cursor, reportId: report_id }));
}
