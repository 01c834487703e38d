import { atMost } from '../cassandra/concurrency-limit.ts';
import { LINK_TOKEN } from '../config/settings.ts';
import { perProcess, type AppContext, type RequestContext } from '../context/context.ts';
import { RateLimitedError } from '../graphql/errors.ts';
import type { Mail, MailKind } from '../mail/mail.ts';
import { mailer } from '../mail/mailer.ts';
import { admitMail } from '../throttling/operations.ts';
import { HOUR_SECONDS, MINUTE_MS } from '../time/units.ts';
import { makeMailToken, type TokenState } from './mail-tokens.ts';
import type { AccountState } from './tables.ts';

/** The mails to readers about their accounts. */

/** An account with an email to verify. */
type Unverified = TokenState & Pick<AccountState, 'email' | 'verified_once' | 'verify_by'>;

const NOTHING_HAPPENS = 'If it was not you, ignore this mail, and nothing will happen.';

/**
 * Sends a token to a reader who has lost their password.
 * @param isGood activates the token, after the answer; no mail is sent if it returns false
 */
export function sendPasswordReset(
  context: RequestContext,
  email: string,
  token: string,
  isGood: () => Promise<boolean>,
): void {
  const { url, seconds } = context.config.mail.passwordReset;
  const minutes = (seconds * 1_000) / MINUTE_MS;
  const text = `Somebody asked for a new password for your account.

${linkOrToken(url, token)}

It works once, within ${minutes} minutes, unless another one is asked for. ${NOTHING_HAPPENS}
`;
  const mail = { to: email, subject: 'A new password', text };
  mailer(context).post('PASSWORD_RESET', email, async () => ((await isGood()) ? mail : undefined));
}

/**
 * Sends a reader a token to prove that they receive mail at their email.
 * @param newEmail the new email of the account, if the token changes it
 */
export function sendVerification(context: RequestContext, account: Unverified, token: string, newEmail?: string): void {
  const mail = verification(context, account, token, newEmail);
  mailer(context).post('EMAIL_VERIFICATION', mail.to, () => Promise.resolve(mail));
}

/**
 * Sends a verification if new emails must be verified, unless this address has recently got the
 * maximum number of mails.
 */
export function askToVerify(context: RequestContext, userId: string, account: Unverified): void {
  if (!context.config.mail.emailVerification.isAsked) return;
  const about = { kind: 'EMAIL_VERIFICATION', email: account.email, userId } as const;
  postUnlessTooMany(context, about, async () => {
    const { text } = await makeMailToken(context, 'VERIFY_EMAIL', userId, account);
    return verification(context, account, text);
  });
}

function verification({ config }: AppContext, account: Unverified, token: string, newEmail?: string): Mail {
  const { url, seconds } = config.mail.emailVerification;
  const { verify_by: goesAt, verified_once: stays } = account;
  const deadline =
    goesAt === null || stays ? '' : `The account will be deleted unless you confirm by ${goesAt.toUTCString()}. `;
  const relation = newEmail === undefined ? 'has' : 'is about to get';
  const text = `An account of the library ${relation} this email. Please confirm that it is yours.

${linkOrToken(url, token)}

It works once, within ${seconds / HOUR_SECONDS} hours, unless another one is asked for. ${deadline}${NOTHING_HAPPENS}
`;
  return { to: newEmail ?? account.email, subject: 'Is this your email?', text };
}

/** Returns a link if the operator has configured one, otherwise the token itself. */
const linkOrToken = (url: string | undefined, token: string) =>
  url === undefined ? `Give the app this token:\n\n${token}` : `Open this link:\n\n${url.replace(LINK_TOKEN, token)}`;

/** Notifies the former email of an account that it was replaced. */
export function noticeEmailChange(context: RequestContext, userId: string, formerEmail: string): void {
  const text = `The email of your account was changed. You can no longer log in with this one.

If it was not you who changed it, tell the people who run the library.
`;
  notice(context, userId, { to: formerEmail, subject: 'Your email was changed', text });
}

/** Notifies the reader of an account that its password was changed. */
export function noticePasswordChange(context: RequestContext, userId: string, email: string): void {
  const text = `The password of your account was changed, and your other sessions were ended.

If it was not you who changed it, ask for a new password in the app.
`;
  notice(context, userId, { to: email, subject: 'Your password was changed', text });
}

/** Notifies a reader that their second factor was turned on or off. */
export function noticeTwoFactor(context: RequestContext, userId: string, email: string, now: 'ON' | 'OFF'): void {
  const subject = now === 'ON' ? 'Your second factor is on' : 'Your second factor is off';
  const change =
    now === 'ON'
      ? 'Logging in to your account now takes a code from your app.'
      : 'Logging in to your account now takes only the password.';
  const text = `${change}

If it was not you who changed it, choose another password, and tell the people who run the library.
`;
  notice(context, userId, { to: email, subject, text });
}

/** Notifies a reader that a passkey was added or removed. */
export function noticePasskey(context: RequestContext, userId: string, email: string, what: 'ADDED' | 'REMOVED'): void {
  const change =
    what === 'ADDED'
      ? 'A new passkey can be used to log in to your account.'
      : 'One of your passkeys can no longer be used to log in to your account.';
  const text = `${change}

If it was not you who changed it, remove the passkeys that are not yours in the app, choose another password, and tell the people who run the library.
`;
  const subject = what === 'ADDED' ? 'Your account has a new passkey' : 'A passkey was removed';
  notice(context, userId, { to: email, subject, text });
}

/**
 * Notifies a reader that one of their recovery codes was used.
 * @param left the number of codes that they still have
 */
export function noticeRecoveryCode(context: RequestContext, userId: string, email: string, left: number): void {
  const text = `One of your recovery codes was used and does not work any more; ${left} are left.

If it was not you, choose another password, turn the second factor off in the app, and turn it on again.
`;
  notice(context, userId, { to: email, subject: 'A recovery code was used', text });
}

const notice = (context: RequestContext, userId: string, mail: Mail): void => {
  postUnlessTooMany(context, { kind: 'NOTICE', email: mail.to, userId }, () => Promise.resolve(mail));
};

/**
 * Mails are checked against the limit one at a time. If many were checked at once, each would count
 * the others, and none would be sent.
 */
const admitted = perProcess(() => atMost(1));

/**
 * Sends a mail that its receiver did not request. The limit prevents a reader who repeatedly
 * changes their own email from flooding another person's mailbox.
 */
function postUnlessTooMany(
  context: RequestContext,
  about: { readonly kind: MailKind; readonly email: string; readonly userId: string },
  compose: () => Promise<Mail>,
): void {
  mailer(context).post(about.kind, about.email, async () => {
    try {
      await admitted(context)(() => admitMail(context, { ...about, seconds: HOUR_SECONDS }));
    } catch (error) {
      if (error instanceof RateLimitedError) return undefined;
      throw error;
    }
    return compose();
  });
}
