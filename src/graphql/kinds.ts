import type {
  ActionKind,
  DecisionKind,
  EventKind,
  NotificationKind,
  ReadingStatus,
  SecurityEventKind,
} from './generated/schema-types.ts';

/**
 * The kinds of rows in lists of the API. A later release may write rows of other kinds, which these
 * lists leave out.
 */

const ACTIONS = {
  REGISTERED: true,
  LOGGED_IN: true,
  LIKED: true,
  UNLIKED: true,
  READ: true,
  UNMARKED_READ: true,
  READING_CORRECTED: true,
  STATUS_CHANGED: true,
  LISTED: true,
  PRICE_CHANGED: true,
  WITHDRAWN: true,
  SOLD: true,
  VIEWED: true,
  CLICKED: true,
} satisfies Record<ActionKind, true>;

const SECURITY_EVENTS = {
  REGISTERED: true,
  LOGGED_IN: true,
  LOGIN_FAILED: true,
  EMAIL_CHANGED: true,
  EMAIL_VERIFIED: true,
  PASSWORD_CHANGED: true,
  PASSWORD_RESET: true,
  TWO_FACTOR_ON: true,
  TWO_FACTOR_OFF: true,
  RECOVERY_CODE_USED: true,
  PASSKEY_ADDED: true,
  PASSKEY_REMOVED: true,
  TOKEN_REUSED: true,
  DATA_EXPORTED: true,
  ADMINISTRATOR_GRANTED: true,
  ADMINISTRATOR_REVOKED: true,
  ACCOUNT_SUSPENDED: true,
  ACCOUNT_REINSTATED: true,
  NAME_TAKEN_DOWN: true,
  TITLE_TAKEN_DOWN: true,
  REVIEW_TAKEN_DOWN: true,
} satisfies Record<SecurityEventKind, true>;

const DECISIONS = {
  BOOK_ADDED: true,
  BOOK_UPDATED: true,
  REPORT_DECIDED: true,
  ACCOUNT_SUSPENDED: true,
  ACCOUNT_REINSTATED: true,
  NAME_TAKEN_DOWN: true,
  TITLE_TAKEN_DOWN: true,
  REVIEW_TAKEN_DOWN: true,
} satisfies Record<DecisionKind, true>;

const EVENTS = {
  LIKE: true,
  VIEW: true,
  READ: true,
  SALE: true,
} satisfies Record<EventKind, true>;

const NOTIFICATIONS = {
  FOLLOWED: true,
  REVIEW_LIKED: true,
  LIST_LIKED: true,
  IMPORT_ENDED: true,
} satisfies Record<NotificationKind, true>;

const STATUSES = {
  WANT_TO_READ: true,
  READING: true,
  READ: true,
  GIVEN_UP: true,
} satisfies Record<ReadingStatus, true>;

/** Returns a test of whether a stored text is one of some kinds. */
const oneOf =
  <Kind extends string>(kinds: Readonly<Record<Kind, true>>) =>
  (text: string): text is Kind =>
    Object.hasOwn(kinds, text);

export const isActionKind = oneOf(ACTIONS);
export const isSecurityEventKind = oneOf(SECURITY_EVENTS);
export const isDecisionKind = oneOf(DECISIONS);
export const isEventKind = oneOf(EVENTS);
export const isNotificationKind = oneOf(NOTIFICATIONS);
export const isReadingStatus = oneOf(STATUSES);

/** The number of kinds of actions. */
export const ACTION_KIND_COUNT = Object.keys(ACTIONS).length;
