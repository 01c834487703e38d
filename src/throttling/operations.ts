import { first, rows, write } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { RateLimitedError, UserError } from '../graphql/errors.ts';
import { uuidOf } from '../graphql/ids.ts';
import type { UserErrorCode } from '../graphql/generated/schema-types.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../time/units.ts';
import { hashedAddress, hashedEmail } from './addresses.ts';
import { deleteTries, deleteTry, insertKnownAddress, insertTry, selectKnownAddress, selectTries } from './tables.ts';

/**
 * Attempts with a password are delayed per account and per address, longer after each failure. A
 * delay is at most a minute, so it cannot be used to lock an account. An address from which the
 * account was recently logged in to has its own delay, which no stranger can cause.
 */

/**
 * The factor by which an address has more tries than an account, because many people may share it.
 */
const ADDRESS_TRIES_PER_ACCOUNT_TRY = 10;
/**
 * The factor by which an email has more mails than an account, because it may belong to several
 * accounts, one after the other.
 */
const EMAIL_MAILS_PER_ACCOUNT_MAIL = 4;
const DELAY_SECONDS_MAX = 60;
/** The time for which failures in a row are counted. */
const FAILURES_KEPT_SECONDS = 30 * DAY_SECONDS;
/** The maximum number of tries read, more than the delay ever depends on. */
const TRIES_READ = 200;
/**
 * The maximum duration of a try. An older record was left by a process that died, and is counted as
 * failed.
 */
const UNDER_WAY_MS = 10_000;
const LOOKS_MAX = 30;
const LOOK_AGAIN_WITHIN_MS = 200;

/** A counter of tries, and the number of tries without a delay. */
interface Subject {
  readonly name: string;
  readonly triesFree: number;
}

interface Try {
  readonly at: Date;
  readonly try_id: string;
  /** True once the try has failed, false while it is in progress. */
  readonly failed: boolean;
}

/** An attempt to prove a factor that protects an account. */
export interface Attempt {
  /**
   * The factors that a successful attempt proves. `ALL` factors of the account: the failures before
   * it are forgotten, and its address becomes known. `SOME` of them, such as the password of an
   * account with a second factor: the attempt is no failure, but the failures before it are kept.
   * Otherwise a person with one factor could guess the other endlessly.
   */
  readonly proves: 'ALL' | 'SOME';
  /**
   * `MAIL` if the person has also read a mail to the account. Such attempts have a counter that no
   * stranger can raise.
   */
  readonly by?: 'MAIL';
}

/**
 * Runs an attempt with a password, a code or both, or refuses it after too many recent failures.
 * @param userId the account, or the stand-in of one that does not exist; both are treated in the
 * same way
 * @param attempt throws `INVALID_CREDENTIALS` if a factor is wrong
 * @throws {UserError} `RATE_LIMITED`, or the error of the attempt
 */
export async function tryFactors<Result>(
  context: RequestContext,
  userId: string,
  { proves, by }: Attempt,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { triesFree, now } = settingsOf(context);
  if (triesFree === 0) return attempt();
  const address = hashedAddress(context.config, context.address);
  const isKnown = await first(context.cassandra, selectKnownAddress, { user_id: userId, address });
  const apart = by === 'MAIL' ? ' by mail' : isKnown ? ` ${address}` : '';
  const account = { name: `account ${userId}${apart}`, triesFree };
  const subjects = [account, addressSubject(context)];
  const inARow = failuresInARow(context, account.name);
  const about = { userId, address };

  const mine = await admit(context, subjects, now).catch((error: unknown) => {
    if (hasCode(error, 'RATE_LIMITED'))
      context.logger.info(about, 'a try with a password was refused: too many tries failed');
    throw error;
  });
  const withdraw = () => Promise.all(subjects.map(({ name }) => forget(context, name, mine)));
  let counted: Try | undefined;
  try {
    counted = await admitWithin(context, inARow);
    const result = await attempt();
    await withdraw();
    if (proves === 'SOME') {
      if (counted) await forget(context, inARow.name, counted);
      return result;
    }
    const forgotten = [account.name, inARow.name, failuresInARow(context, `account ${userId}`).name];
    for (const subject of new Set(forgotten)) await write(context.cassandra, deleteTries, { subject });
    await write(context.cassandra, insertKnownAddress, { user_id: userId, address });
    return result;
  } catch (error) {
    if (hasCode(error, 'INVALID_CREDENTIALS')) {
      context.logger.info(about, 'a password was wrong');
      await Promise.all(subjects.map(({ name }) => recordTry(context, name, { ...mine, failed: true })));
    } else {
      await withdraw();
      if (counted) await forget(context, inARow.name, counted);
      else if (hasCode(error, 'RATE_LIMITED'))
        context.logger.warn(about, 'an account accepts no more tries with a password from unknown addresses');
    }
    throw error;
  }
}

/**
 * Returns the quota of failures in a row (NIST SP 800-63B-4, 3.2.2). Beyond it, every attempt is
 * refused until the owner logs in from a known address, or the oldest failure is forgotten.
 */
const failuresInARow = ({ config }: AppContext, account: string): Quota => ({
  name: `in a row ${account}`,
  limit: config.loginFailuresMax,
  seconds: FAILURES_KEPT_SECONDS,
  refusal: 'Too many tries failed in a row. Log in from where you have logged in before, or wait.',
});

/**
 * Waits until few tries are in progress and admits a try, or refuses it. Each try is recorded
 * before it counts the others, so the last one sees all of them. So the number of tries that are
 * admitted at once never exceeds the number of free ones.
 */
async function admit(context: RequestContext, subjects: readonly Subject[], now: Date): Promise<Try> {
  const mine = { at: now, try_id: context.randomId(), failed: false };
  const look = async () => {
    const waits = await Promise.all(subjects.map((subject) => waitOf(context, subject, mine)));
    const seconds = Math.max(...waits.map((wait) => (wait === 'BUSY' ? 0 : wait)));
    if (seconds > 0) throw tooManyFailed(seconds);
    return waits.includes('BUSY');
  };
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    if (!(await look())) {
      await Promise.all(subjects.map(({ name }) => recordTry(context, name, mine)));
      const isBusy = await look().catch(async (error: unknown) => {
        await Promise.all(subjects.map(({ name }) => forget(context, name, mine)));
        throw error;
      });
      if (!isBusy) return mine;
      await Promise.all(subjects.map(({ name }) => forget(context, name, mine)));
    }
    // Other tries are in progress. Most of them will succeed and make room.
    await context.cassandra.backOff(LOOK_AGAIN_WITHIN_MS);
  }
  throw tooManyFailed(1);
}

const recordTry = (
  { cassandra }: AppContext,
  subject: string,
  { at, try_id, failed }: Try,
  ttl_seconds = HOUR_SECONDS,
) => write(cassandra, insertTry, { subject, at, try_id, failed, ttl_seconds });

const forget = ({ cassandra }: AppContext, subject: string, { at, try_id }: Try) =>
  write(cassandra, deleteTry, { subject, at, try_id });

/**
 * Runs an attempt to use an email, or refuses it if too many emails that were tried from the
 * caller's address were taken. This keeps callers from finding out which emails have accounts.
 * @param attempt throws `EMAIL_TAKEN` when the email is taken
 * @throws {UserError} `RATE_LIMITED`, or the error of the attempt
 */
export async function tryEmail<Result>(
  context: RequestContext,
  email: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const { triesFree, now } = settingsOf(context);
  if (triesFree === 0) return attempt();
  const subject = addressSubject(context);
  // A repeated email reveals nothing new, and is counted once.
  const mine = { at: now, try_id: uuidOf(email), failed: true };
  const refuseTooEarly = async () => {
    const wait = await waitOf(context, subject, mine);
    if (wait !== 0) throw tooManyFailed(wait === 'BUSY' ? 1 : wait);
  };
  await refuseTooEarly();
  try {
    return await attempt();
  } catch (error) {
    if (hasCode(error, 'EMAIL_TAKEN')) {
      await recordTry(context, subject.name, mine);
      await refuseTooEarly();
    }
    throw error;
  }
}

const tooManyFailed = (retryAfterSeconds: number) => new RateLimitedError('Too many tries failed.', retryAfterSeconds);

const hasCode = (error: unknown, code: UserErrorCode) => error instanceof UserError && error.code === code;

/** A limit on how often something may be done. */
export interface Quota {
  /**
   * The name of the counter: the action, and the person, address or email that it is limited for.
   */
  readonly name: string;
  /** The maximum number of times; 0 for no limit. */
  readonly limit: number;
  /** The period in seconds. */
  readonly seconds: number;
  /** The message when the limit is exceeded, a sentence. */
  readonly refusal: string;
}

/**
 * Admits an action within a quota, or refuses it.
 * @param times the number by which the action is counted
 * @returns the record of the action and the number of actions before it; `undefined` if there is no
 *   limit
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitWithin(
  context: RequestContext,
  { name, limit, seconds, refusal }: Quota,
  times = 1,
): Promise<(Try & { readonly before: number }) | undefined> {
  if (limit === 0) return undefined;
  const now = context.clock();
  const tryNow = () => ({ at: now, try_id: context.randomId(), failed: false });
  const mine = tryNow();
  const all = [mine, ...Array.from({ length: times - 1 }, tryNow)];
  const refuseAbove = async (most: number) => {
    const found = await rows(context.cassandra, selectTries, { subject: name, rows_max: limit + times });
    const done = found.filter(({ at }) => at.getTime() > now.getTime() - seconds * 1_000);
    if (done.length <= most) return done.length;
    // All actions fit once this one has expired.
    const oldest = done.at(limit - times)?.at ?? now;
    const wait = Math.ceil((oldest.getTime() - now.getTime()) / 1_000) + seconds;
    throw new RateLimitedError(refusal, Math.max(1, wait));
  };

  const before = await refuseAbove(limit - times);
  // The action is recorded before the second count, so the limit also holds for concurrent actions.
  await Promise.all(all.map((each) => recordTry(context, name, each, seconds)));
  await refuseAbove(limit).catch(async (error: unknown) => {
    await Promise.all(all.map((each) => forget(context, name, each)));
    throw error;
  });
  return { ...mine, before };
}

/**
 * Admits a registration, or refuses it over the limit per address and hour.
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitRegistration(context: RequestContext): Promise<void> {
  await admitWithin(context, {
    name: `registrations ${hashedAddress(context.config, context.address)}`,
    limit: context.config.registrationsPerHour,
    seconds: HOUR_SECONDS,
    refusal: 'Too many accounts were made from here within an hour.',
  });
}

/**
 * Admits a report, or refuses it over the limit per reader and hour.
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitReport(context: RequestContext, userId: string): Promise<void> {
  await admitWithin(context, {
    name: `reports ${userId}`,
    limit: context.config.reportsPerHour,
    seconds: HOUR_SECONDS,
    refusal: 'You reported too much within an hour.',
  });
}

/**
 * Admits a message to another reader, or refuses it over the limit per sender and day.
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitMessage(context: RequestContext, userId: string): Promise<void> {
  await admitWithin(context, {
    name: `messages ${userId}`,
    limit: context.config.messagesPerDay,
    seconds: DAY_SECONDS,
    refusal: 'You wrote too many messages within a day.',
  });
}

/** Returns whether {@link recordDone} has recorded something that is not to be done again. */
export const isDone = async ({ cassandra }: AppContext, name: string): Promise<boolean> =>
  (await rows(cassandra, selectTries, { subject: name, rows_max: 1 })).length > 0;

/** Records for some time that something is not to be done again. */
export const recordDone = (context: RequestContext, name: string, seconds: number): Promise<void> =>
  recordTry(context, name, { at: context.clock(), try_id: context.randomId(), failed: false }, seconds);

/**
 * Admits a request for mails to an email that the caller gives, or refuses it over the limit per
 * address and hour.
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitMailRequest(context: RequestContext): Promise<void> {
  await admitWithin(context, {
    name: `mails from ${hashedAddress(context.config, context.address)}`,
    limit: context.config.mail.perAddress * ADDRESS_TRIES_PER_ACCOUNT_TRY,
    seconds: HOUR_SECONDS,
    refusal: 'Too many mails were asked for from here within an hour.',
  });
}

/** A mail that a person other than its recipient may have caused. */
export interface MailRequest {
  readonly kind: string;
  readonly email: string;
  /**
   * The account that the mail is about, or the stand-in of one that does not exist; both are
   * treated in the same way.
   */
  readonly userId: string;
  /** The period over which mails are counted, in seconds. */
  readonly seconds: number;
}

/**
 * Admits a mail, or refuses it over a limit on recent mails of its kind. One limit is for this
 * account and email, the other for all accounts that have or had the email. The first mail of an
 * account is sent regardless of the second limit. Therefore a reader cannot use up the mails of an
 * email, release the email, and leave its owner without mail. Each further account needs another
 * registration, and registrations are limited too.
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitMail(context: RequestContext, { kind, email, userId, seconds }: MailRequest): Promise<void> {
  const { perAddress } = context.config.mail;
  const quota = (whose: string, limit: number): Quota => ({
    name: `mails ${kind} ${hashedEmail(context.config, whose)}`,
    limit,
    seconds,
    // The message does not claim that earlier mails are valid: they may belong to another account
    // or to a former password.
    refusal: 'Too many mails to this email were asked for. Look for the last one, also in the spam folder, or wait.',
  });
  const own = quota(`${email} of ${userId}`, perAddress);
  const recorded = await admitWithin(context, own);
  // The rows of the email's quota do not show which mail is an account's first.
  await admitWithin(context, quota(email, perAddress * EMAIL_MAILS_PER_ACCOUNT_MAIL)).catch(async (error: unknown) => {
    if (recorded?.before === 0 && hasCode(error, 'RATE_LIMITED')) return;
    if (recorded) await forget(context, own.name, recorded);
    throw error;
  });
}

/**
 * Makes the caller's address a known one of the account, after they registered, received a mail, or
 * used a passkey there.
 */
export async function rememberAddress(context: RequestContext, userId: string): Promise<void> {
  const address = hashedAddress(context.config, context.address);
  await write(context.cassandra, insertKnownAddress, { user_id: userId, address });
}

const settingsOf = ({ config, clock }: AppContext) => ({ triesFree: config.loginAttemptsFree, now: clock() });

const addressSubject = (context: RequestContext): Subject => ({
  name: `address ${hashedAddress(context.config, context.address)}`,
  triesFree: context.config.loginAttemptsFree * ADDRESS_TRIES_PER_ACCOUNT_TRY,
});

async function waitOf({ cassandra }: AppContext, { name, triesFree }: Subject, mine: Try): Promise<number | 'BUSY'> {
  return waitFor(await rows(cassandra, selectTries, { subject: name, rows_max: TRIES_READ }), triesFree, mine);
}

/**
 * Returns the time that a try has to wait. It is 0 while the other tries, including those in
 * progress, are few. After too many failures it is 1, 2, 4 … 60 seconds from the last one.
 * Otherwise it is `BUSY`: the try waits for those in progress.
 * @param tries in any order, with or without `mine`
 * @returns seconds, rounded up
 */
export function waitFor(tries: readonly Try[], triesFree: number, mine: Try): number | 'BUSY' {
  const others = tries.filter(({ try_id }) => try_id !== mine.try_id);
  const isOver = ({ at, failed }: Try) => failed || mine.at.getTime() - at.getTime() > UNDER_WAY_MS;
  const failed = others.filter(isOver);
  const count = new Set(failed.map(({ try_id }) => try_id)).size;
  if (count < triesFree) return new Set(others.map(({ try_id }) => try_id)).size < triesFree ? 0 : 'BUSY';
  const last = Math.max(...failed.map(({ at }) => at.getTime()));
  const delay = Math.min(DELAY_SECONDS_MAX, 2 ** (count - triesFree));
  const passed = Math.max(0, (mine.at.getTime() - last) / 1_000);
  if (passed < delay) return Math.ceil(delay - passed);
  return failed.length < others.length ? 'BUSY' : 0;
}
