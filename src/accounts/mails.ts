import { atMost } from '../cassandra/at-once.ts';
import { LINK_TOKEN } from '../config/settings.ts';
import { perProcess, type RequestContext } from '../context/context.ts';
import { RateLimitedError, UserError } from '../graphql/errors.ts';
import type { Mail, MailKind } from '../mail/mail.ts';
import { isMailSetUp, mailer } from '../mail/mailer.ts';
import { admitMail } from '../throttling/operations.ts';
import { HOUR_SECONDS, MINUTE_MS } from '../time/units.ts';
import { makeMailToken, type TokenState } from './mail-tokens.ts';
import type { AccountState } from './tables.ts';

/** What is written to readers about their accounts. */

/** An account that is to prove its email. */
type Unverified = TokenState & Pick<AccountState, 'email' | 'verified_once' | 'verify_by'>;

const NOTHING_HAPPENS = 'If it was not you, do nothing: then nothing happens.';

/** @throws {UserError} `MAIL_NOT_SET_UP` where what is asked for cannot be done without mails */
export function mustHaveMail({ config }: RequestContext): void {
  if (isMailSetUp(config)) return;
  const message = 'This library cannot send mails: that is not set up. Ask those who run it.';
  throw new UserError('MAIL_NOT_SET_UP', message, ['input']);
}

/** Sends a token to who has lost their password. */
export function sendPasswordReset(context: RequestContext, email: string, token: string): void {
  const { url, seconds } = context.config.mail.passwordReset;
  const minutes = (seconds * 1_000) / MINUTE_MS;
  const text = `Somebody asked for a new password for your account.

${wayIn(url, token)}

It is good once, for ${minutes} minutes. ${NOTHING_HAPPENS}
`;
  mailer(context).post('PASSWORD_RESET', () => Promise.resolve({ to: email, subject: 'A new password', text }));
}

/**
 * Sends a reader a token to prove with that they get what is sent to their email.
 * @param newEmail another one, which their account gets by that
 */
export function sendVerification(
  context: RequestContext,
  userId: string,
  account: Unverified,
  newEmail?: string,
): void {
  mailer(context).post('EMAIL_VERIFICATION', () => verification(context, userId, account, newEmail));
}

/** Sends it where new emails are asked for it, unless this one got as many lately as it may. */
export function askToVerify(context: RequestContext, userId: string, account: Unverified): void {
  if (!context.config.mail.emailVerification.isAsked) return;
  const about = { kind: 'EMAIL_VERIFICATION', email: account.email, userId } as const;
  postUnlessTooMany(context, about, () => verification(context, userId, account));
}

async function verification(
  context: RequestContext,
  userId: string,
  account: Unverified,
  newEmail?: string,
): Promise<Mail> {
  const { url, seconds } = context.config.mail.emailVerification;
  const token = await makeMailToken(context, 'VERIFY_EMAIL', userId, account, newEmail);
  const { verify_by: goesAt, verified_once: stays } = account;
  const deadline =
    goesAt === null || stays ? '' : `The account is deleted if nobody confirms it by ${goesAt.toUTCString()}. `;
  const relation = newEmail === undefined ? 'has' : 'is to have';
  const text = `An account of the library ${relation} this email. Please confirm that it is yours.

${wayIn(url, token)}

It is good once, for ${seconds / HOUR_SECONDS} hours. ${deadline}${NOTHING_HAPPENS}
`;
  return { to: newEmail ?? account.email, subject: 'Is this your email?', text };
}

/** A link where the operator has said to what, else the token itself. */
const wayIn = (url: string | undefined, token: string) =>
  url === undefined ? `Give the app this token:\n\n${token}` : `Open this link:\n\n${url.replace(LINK_TOKEN, token)}`;

/** Tells the former email of an account that it has another one. */
export function noticeEmailChange(context: RequestContext, userId: string, formerEmail: string): void {
  const text = `Your account has another email now, and is not found by this one any more.

If it was not you who changed it, tell those who run the library.
`;
  notice(context, userId, { to: formerEmail, subject: 'Your email was changed', text });
}

/** Tells the reader of an account that it has another password. */
export function noticePasswordChange(context: RequestContext, userId: string, email: string): void {
  const text = `Your account has another password now, and you are logged out elsewhere.

If it was not you who changed it, say in the app that you have lost your password, and choose another one.
`;
  notice(context, userId, { to: email, subject: 'Your password was changed', text });
}

/** Tells a reader that they have a second factor now, or none any more. */
export function noticeTwoFactor(context: RequestContext, userId: string, email: string, now: 'ON' | 'OFF'): void {
  const subject = now === 'ON' ? 'Your second factor is on' : 'Your second factor is off';
  const change =
    now === 'ON'
      ? 'Logging in to your account takes a code of your app now.'
      : 'Logging in to your account takes the password alone now.';
  const text = `${change}

If it was not you who changed it, choose another password, and tell those who run the library.
`;
  notice(context, userId, { to: email, subject, text });
}

/** Tells a reader that they have a passkey more, or one less. */
export function noticePasskey(context: RequestContext, userId: string, email: string, what: 'ADDED' | 'REMOVED'): void {
  const change =
    what === 'ADDED'
      ? 'Somebody can log in to your account by a new passkey now.'
      : 'One of your passkeys is not good for your account any more.';
  const text = `${change}

If it was not you who changed it, remove what is not yours in the app, choose another password, and tell those who run the library.
`;
  const subject = what === 'ADDED' ? 'Your account has a new passkey' : 'A passkey was removed';
  notice(context, userId, { to: email, subject, text });
}

/** Tells a reader that one of their recovery codes was used. @param left how many they still have */
export function noticeRecoveryCode(context: RequestContext, userId: string, email: string, left: number): void {
  const text = `Somebody who knows one of your recovery codes has used it. It is not good any more; ${left} are left.

If it was not you, choose another password, stop the second factor in the app, and start it anew.
`;
  notice(context, userId, { to: email, subject: 'A recovery code was used', text });
}

const notice = (context: RequestContext, userId: string, mail: Mail): void => {
  postUnlessTooMany(context, { kind: 'NOTICE', email: mail.to, userId }, () => Promise.resolve(mail));
};

/** One after the other: of many at once each would find the others, too many, and nobody would be told. */
const admitted = perProcess(() => atMost(1));

/** Sends what nobody asked for: who changes their own email again and again is not to fill the mailbox of somebody else. */
function postUnlessTooMany(
  context: RequestContext,
  about: { readonly kind: MailKind; readonly email: string; readonly userId: string },
  compose: () => Promise<Mail>,
): void {
  mailer(context).post(about.kind, async () => {
    try {
      await admitted(context)(() => admitMail(context, { ...about, seconds: HOUR_SECONDS }));
    } catch (error) {
      if (error instanceof RateLimitedError) return undefined;
      throw error;
    }
    return compose();
  });
}
