import { first, rows, write } from '../cassandra/statement.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { RateLimitedError, UserError } from '../graphql/errors.ts';
import { uuidOf } from '../graphql/ids.ts';
import type { UserErrorCode } from '../graphql/schema.generated.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../time/units.ts';
import { hashedAddress, hashedEmail } from './addresses.ts';
import { deleteTries, deleteTry, insertKnownAddress, insertTry, selectKnownAddress, selectTries } from './tables.ts';

/**
 * Tries with a password are delayed, longer with each that fails, for the account and for the address they come from.
 * Never for longer than a minute, so that nobody can lock an account; and an address from which the account was logged in
 * to lately has a delay of its own, which no stranger can cause.
 */

/** An address may belong to many people. */
const ADDRESS_TRIES_PER_ACCOUNT_TRY = 10;
/** An email may be one account's after the other's. */
const EMAIL_MAILS_PER_ACCOUNT_MAIL = 4;
const DELAY_SECONDS_MAX = 60;
/** Failures in a row are counted for so long. */
const FAILURES_KEPT_SECONDS = 30 * DAY_SECONDS;
/** More than are ever needed to tell the delay. */
const TRIES_READ = 200;
/** A try that is noted for longer was left by a process that died, and counts as failed. */
const UNDER_WAY_MS = 10_000;
const LOOKS_MAX = 30;
const LOOK_AGAIN_WITHIN_MS = 200;

/** What tries are counted for, and how many are free. */
interface Subject {
  readonly name: string;
  readonly triesFree: number;
}

interface Try {
  readonly at: Date;
  readonly try_id: string;
  /** Or still under way. */
  readonly failed: boolean;
}

/** A try at what protects an account. */
export interface Attempt {
  /**
   * The factors that a successful try proves. `ALL` factors of the account: then the failures before it are forgotten, and its address is
   * known. `SOME` of them, as with a password where there is a second factor: it does not count as a failure, and forgets none, for
   * otherwise who has one factor could guess the other without end.
   */
  readonly proves: 'ALL' | 'SOME';
  /** Another proof: somebody who has read a mail to the account has a count that no stranger can raise. */
  readonly by?: 'MAIL';
}

/**
 * Lets somebody try a password, a code or both, or refuses because they, or others, failed too often just now.
 * @param userId the account, or the stand-in of one that does not exist: both are treated alike
 * @param attempt throws `INVALID_CREDENTIALS` when the password, or what goes with it, was wrong
 * @throws {UserError} `RATE_LIMITED`; or what the attempt throws
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
    if (isOf(error, 'RATE_LIMITED')) context.logger.info(about, 'a try with a password was refused: too many failed');
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
    if (isOf(error, 'INVALID_CREDENTIALS')) {
      context.logger.info(about, 'a password was wrong');
      await Promise.all(subjects.map(({ name }) => note(context, name, { ...mine, failed: true })));
    } else {
      await withdraw();
      if (counted) await forget(context, inARow.name, counted);
      else if (isOf(error, 'RATE_LIMITED'))
        context.logger.warn(about, 'an account takes no more tries with a password from strangers');
    }
    throw error;
  }
}

/**
 * How many tries may fail in a row, as NIST SP 800-63B-4 (3.2.2) has it: it is no delay but an end, until the owner logs in where
 * they did before, or the oldest of them is forgotten.
 */
const failuresInARow = ({ config }: AppContext, account: string): Quota => ({
  name: `in a row ${account}`,
  limit: config.loginFailuresMax,
  seconds: FAILURES_KEPT_SECONDS,
  refusal: 'Too many tries failed in a row. Log in from where you have logged in before, or wait.',
});

/**
 * Waits until a try is one of few, and notes it; or refuses it. It is noted before it looks, and what is noted last sees
 * all the others: so of many at once no more than the free ones are ever admitted together.
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
      await Promise.all(subjects.map(({ name }) => note(context, name, mine)));
      const isBusy = await look().catch(async (error: unknown) => {
        await Promise.all(subjects.map(({ name }) => forget(context, name, mine)));
        throw error;
      });
      if (!isBusy) return mine;
      await Promise.all(subjects.map(({ name }) => forget(context, name, mine)));
    }
    // Others are under way; most of them will be right, and make room.
    await context.cassandra.backOff(LOOK_AGAIN_WITHIN_MS);
  }
  throw tooManyFailed(1);
}

const note = ({ cassandra }: AppContext, subject: string, { at, try_id, failed }: Try, ttl_seconds = HOUR_SECONDS) =>
  write(cassandra, insertTry, { subject, at, try_id, failed, ttl_seconds });

const forget = ({ cassandra }: AppContext, subject: string, { at, try_id }: Try) =>
  write(cassandra, deleteTry, { subject, at, try_id });

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
  const mine = { at: now, try_id: uuidOf(email), failed: true };
  const refuseTooEarly = async () => {
    const wait = await waitOf(context, subject, mine);
    if (wait !== 0) throw tooManyFailed(wait === 'BUSY' ? 1 : wait);
  };
  await refuseTooEarly();
  try {
    return await attempt();
  } catch (error) {
    if (isOf(error, 'EMAIL_TAKEN')) {
      await note(context, subject.name, mine);
      await refuseTooEarly();
    }
    throw error;
  }
}

const tooManyFailed = (retryAfterSeconds: number) => new RateLimitedError('Too many tries failed.', retryAfterSeconds);

const isOf = (error: unknown, code: UserErrorCode) => error instanceof UserError && error.code === code;

/** How often something may be done. */
export interface Quota {
  /** Whose, and of what. */
  readonly name: string;
  /** At most so often; 0 is no limit. */
  readonly limit: number;
  /** Within so long. */
  readonly seconds: number;
  /** What is said of one time too many, as a sentence. */
  readonly refusal: string;
}

/**
 * Lets somebody do what may be done so often within some time, or refuses it.
 * @returns what was noted of it, and how often it was done before; `undefined` where nothing is limited
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitWithin(
  context: RequestContext,
  { name, limit, seconds, refusal }: Quota,
): Promise<(Try & { readonly before: number }) | undefined> {
  if (limit === 0) return undefined;
  const now = context.clock();
  const mine = { at: now, try_id: context.randomId(), failed: false };
  const refuseAbove = async (most: number) => {
    const found = await rows(context.cassandra, selectTries, { subject: name, rows_max: limit + 1 });
    const done = found.filter(({ at }) => at.getTime() > now.getTime() - seconds * 1_000);
    if (done.length <= most) return done.length;
    const oldest = done.slice(0, limit).at(-1)?.at ?? now;
    const wait = Math.ceil((oldest.getTime() - now.getTime()) / 1_000) + seconds;
    throw new RateLimitedError(refusal, Math.max(1, wait));
  };

  const before = await refuseAbove(limit - 1);
  // It is noted before it looks again: of many at once, no more than the limit find that they are few enough.
  await note(context, name, mine, seconds);
  await refuseAbove(limit).catch(async (error: unknown) => {
    await forget(context, name, mine);
    throw error;
  });
  return { ...mine, before };
}

/**
 * Lets somebody make an account, or refuses because as many as may be were made from their address within an hour.
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
 * Lets a reader report something, or refuses because they reported as much as may be within an hour.
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
 * Lets somebody who gives an email have mails sent, or refuses because as many as may be were asked for from their address within an
 * hour.
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

/** A mail that somebody else than its reader may have caused. */
export interface MailRequest {
  readonly kind: string;
  readonly email: string;
  /** The account that the mail is about, or the stand-in of one that does not exist: both are treated alike. */
  readonly userId: string;
  /** How far back notes are counted. */
  readonly seconds: number;
}

/**
 * Lets a mail be sent, or refuses because as many of its kind as may be were sent lately: for this account to this email, or for all
 * accounts that have or had the email. The first mail of an account is sent however many others have caused: nobody can use up the
 * mails of an email and leave it, so that its owner gets none. An account more for each such mail is a registration more.
 * @throws {UserError} `RATE_LIMITED`
 */
export async function admitMail(context: RequestContext, { kind, email, userId, seconds }: MailRequest): Promise<void> {
  const { perAddress } = context.config.mail;
  const quota = (whose: string, limit: number): Quota => ({
    name: `mails ${kind} ${hashedEmail(context.config, whose)}`,
    limit,
    seconds,
    // Earlier mails may be void: those of another account, or from before the password was changed.
    refusal: 'Too many mails were asked for to this email. Look for the last one, among unwanted mails too, or wait.',
  });
  const own = quota(`${email} of ${userId}`, perAddress);
  const noted = await admitWithin(context, own);
  // The rows do not tell which of them is the first.
  await admitWithin(context, quota(email, perAddress * EMAIL_MAILS_PER_ACCOUNT_MAIL)).catch(async (error: unknown) => {
    if (noted?.before === 0 && isOf(error, 'RATE_LIMITED')) return;
    if (noted) await forget(context, own.name, noted);
    throw error;
  });
}

/** An address from which somebody has just registered, got a mail, or used a passkey, is known. */
export async function knowAddress(context: RequestContext, userId: string): Promise<void> {
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
 * What a try has to wait for. For nothing while the others, those under way included, are few. For 1, 2, 4 … 60 seconds
 * after the last one that failed, once too many did. Else for those under way: `BUSY`.
 * @param tries in any order, `mine` among them or not
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
