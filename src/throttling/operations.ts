import { createHash } from 'node:crypto';
import { first, rows, write } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context.ts';
import { RateLimitedError, UserError } from '../errors.ts';
import type { UserErrorCode } from '../schema.generated.ts';
import { hashedAddress } from './addresses.ts';
import { deleteTries, deleteTry, insertKnownAddress, insertTry, selectKnownAddress, selectTries } from './tables.ts';

/**
 * Tries with a password are delayed, longer with each that fails, for the account and for the address they come from.
 * Never for longer than a minute, so that nobody can lock an account; and an address from which the account was logged in
 * to lately has a delay of its own, which no stranger can cause.
 */

/** An address may belong to many people. */
const ADDRESS_TRIES_PER_ACCOUNT_TRY = 10;
const DELAY_SECONDS_MAX = 60;
/** More than are ever needed to tell the delay. */
const TRIES_READ = 200;

/** What tries are counted for, and how many are free. */
interface Subject {
  readonly name: string;
  readonly triesFree: number;
}

interface Try {
  readonly at: Date;
  readonly try_id: string;
}

/**
 * Lets somebody try a password, or refuses because they, or others, failed too often just now.
 * @param userId the account, or the stand-in of one that does not exist: both are treated alike
 * @param attempt throws `INVALID_CREDENTIALS` when the password was wrong
 * @throws {UserError} `RATE_LIMITED`; or what the attempt throws
 */
export async function tryPassword<Result>(
  context: RequestContext,
  userId: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { triesFree, now } = settingsOf(context);
  if (triesFree === 0) return attempt();
  const address = hashedAddress(context.address);
  const isKnown = await first(context.cassandra, selectKnownAddress, { user_id: userId, address });
  const account = { name: `account ${userId}${isKnown ? ` ${address}` : ''}`, triesFree };
  const subjects = [account, addressSubject(context)];
  const noted = { at: now, try_id: context.randomId() };
  await Promise.all(subjects.map((subject) => refuseTooEarly(context, subject, noted)));
  // Noted before the password is looked at, and then looked at once more: many tries at once are no more than one each.
  await Promise.all(subjects.map(({ name }) => write(context.cassandra, insertTry, { subject: name, ...noted })));
  const strikeOut = () =>
    Promise.all(subjects.map(({ name }) => write(context.cassandra, deleteTry, { subject: name, ...noted })));
  try {
    await Promise.all(subjects.map((subject) => refuseTooEarly(context, subject, noted)));
    const result = await attempt();
    await strikeOut();
    await write(context.cassandra, deleteTries, { subject: account.name });
    await write(context.cassandra, insertKnownAddress, { user_id: userId, address });
    return result;
  } catch (error) {
    if (!isOf(error, 'INVALID_CREDENTIALS')) await strikeOut();
    throw error;
  }
}

/**
 * Lets somebody try an email, or refuses because too many of those that came from their address were taken: nobody is to
 * find out which addresses have accounts.
 * @param attempt throws `EMAIL_TAKEN` when it is taken
 * @throws {UserError} `RATE_LIMITED`; or what the attempt throws
 */
export async function tryEmail<Result>(
  context: RequestContext,
  email: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { triesFree, now } = settingsOf(context);
  if (triesFree === 0) return attempt();
  const subject = addressSubject(context);
  // The same email again tells nothing new, and counts once.
  const noted = { at: now, try_id: uuidOf(email) };
  await refuseTooEarly(context, subject, noted);
  try {
    return await attempt();
  } catch (error) {
    if (isOf(error, 'EMAIL_TAKEN')) {
      await write(context.cassandra, insertTry, { subject: subject.name, ...noted });
      await refuseTooEarly(context, subject, noted);
    }
    throw error;
  }
}

const isOf = (error: unknown, code: UserErrorCode) => error instanceof UserError && error.code === code;

/** An address from which somebody has just registered is known. */
export async function knowAddress(context: RequestContext, userId: string): Promise<void> {
  const address = hashedAddress(context.address);
  await write(context.cassandra, insertKnownAddress, { user_id: userId, address });
}

const settingsOf = ({ config, clock }: AppContext) => ({ triesFree: config.loginAttemptsFree, now: clock() });

const addressSubject = (context: RequestContext): Subject => ({
  name: `address ${hashedAddress(context.address)}`,
  triesFree: context.config.loginAttemptsFree * ADDRESS_TRIES_PER_ACCOUNT_TRY,
});

/** A UUID that stands for a text, always the same one. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function refuseTooEarly({ cassandra }: AppContext, { name, triesFree }: Subject, mine: Try): Promise<void> {
  const tries = await rows(cassandra, selectTries, { subject: name, rows_max: TRIES_READ });
  const seconds = waitSeconds(tries, triesFree, mine);
  if (seconds > 0) throw new RateLimitedError(seconds);
}

/**
 * How long a try has to wait for those before it: not at all while they are few, then 1, 2, 4 … 60 seconds after the last
 * one.
 * @param tries in any order, `mine` among them or not
 */
export function waitSeconds(tries: readonly Try[], triesFree: number, mine: Try): number {
  const isBefore = ({ at, try_id }: Try) =>
    at.getTime() < mine.at.getTime() || (at.getTime() === mine.at.getTime() && try_id < mine.try_id);
  const before = tries.filter((each) => each.try_id !== mine.try_id && isBefore(each));
  const count = new Set(before.map(({ try_id }) => try_id)).size;
  if (count < triesFree) return 0;
  const last = Math.max(...before.map(({ at }) => at.getTime()));
  const delay = Math.min(DELAY_SECONDS_MAX, 2 ** (count - triesFree));
  return Math.max(0, Math.ceil(delay - (mine.at.getTime() - last) / 1_000));
}
