import type { AppContext, RequestContext } from '../context/context.ts';
import { accountAfterChange, accountSuspended, requireViewer, type Account } from '../identity/operations.ts';
import { requireMail } from '../mail/mailer.ts';
import { admitMail, admitMailRequest } from '../throttling/operations.ts';
import { HOUR_SECONDS } from '../time/units.ts';
import {
  accountKey,
  accounts,
  hasSameEmail,
  hasSamePassword,
  isAwaitingVerification,
  requireExisting,
} from './aggregate.ts';
import { changedViewer, eraseAccount, moveEmail } from './changes.ts';
import {
  findMailToken,
  invalidMailToken,
  mailTokenInput,
  makeMailToken,
  requireValidToken,
  newEmailIn,
} from './mail-tokens.ts';
import { sendVerification } from './mails.ts';
import type { AccountState } from './tables.ts';

/** The verification of emails: a reader proves that they receive mail at an email. */

/**
 * Sends the viewer a token to verify their email, unless it is verified. The token replaces any
 * token sent before.
 * @throws {UserError} `MAIL_NOT_SET_UP`, `RATE_LIMITED`
 */
export async function requestEmailVerification(context: RequestContext): Promise<{ viewer: Account }> {
  const viewer = await requireViewer(context);
  requireMail(context);
  const key = accountKey(viewer.id, 'VERIFICATION');
  const expected = await accounts.read(context, key);
  requireExisting(expected);
  if (expected.email_verified_at) return { viewer };

  await admitMailRequest(context);
  const mail = { kind: 'EMAIL_VERIFICATION', email: expected.email, userId: viewer.id, seconds: HOUR_SECONDS };
  await admitMail(context, mail);
  const { text, hash } = await makeMailToken(context, 'VERIFY_EMAIL', viewer.id, expected);
  const { state } = await accounts.change(context, key, expected, (current) => {
    requireExisting(current);
    // The email may have been verified or replaced just now.
    return current.email_verified_at || !hasSameEmail(current, expected)
      ? undefined
      : { ...current, verification_token: hash };
  });
  if (state?.verification_token === hash) sendVerification(context, state, text);
  return changedViewer(context, viewer.id);
}

/**
 * Verifies an email by a token from a mail. The caller may be signed out, since a mail may be read
 * on another device. If the email is not the account's yet, the account gets it.
 * @throws {UserError} `INVALID_TOKEN` about `token`, also when the token belongs to another reader
 *   than the viewer; `EMAIL_TAKEN` about `token` when another account has got the email meanwhile;
 *   `ACCOUNT_SUSPENDED` or `RATE_LIMITED`
 */
export async function verifyEmail(context: RequestContext, input: { token: string }) {
  const secret = mailTokenInput(input.token);
  const token = await findMailToken(context, 'VERIFY_EMAIL', secret);
  const { user_id: userId } = token;
  if (context.viewerId !== null && context.viewerId !== userId) throw invalidMailToken();
  const key = accountKey(userId, 'VERIFICATION');

  const expected = await accounts.read(context, key);
  const newEmail = newEmailIn(secret);
  const name = newEmail === undefined ? 'verification_token' : 'new_email_token';
  const verified = (state: AccountState | undefined, at: Date) => {
    requireValidToken(token, name, state, at);
    if (newEmail === undefined && state.email_verified_at) throw invalidMailToken();
    // The reader may have changed the password to lock out a person who requested the new email.
    if (newEmail !== undefined && !hasSamePassword(state, token)) throw invalidMailToken();
    if (newEmail !== undefined && state.suspended) throw accountSuspended(['input', 'token']);
    return { ...state, email_verified_at: at, verified_once: true };
  };
  if (newEmail === undefined) {
    await accounts.change(context, key, expected, verified);
  } else {
    requireValidToken(token, name, expected, context.clock());
    await moveEmail(context, userId, expected, newEmail, 'token', verified);
  }

  return { viewer: context.viewerId === null ? null : await accountAfterChange(context, userId) };
}

/**
 * The job that deletes an account not verified in time. If the reader verifies it at the same
 * moment, either the verification or the deletion fails.
 */
export async function expireAccount(app: AppContext, userId: string): Promise<undefined> {
  // No account is deleted if verification is no longer required.
  if (!app.config.mail.emailVerification.isRequired) return;
  const known = await accounts.read(app, accountKey(userId, 'ERASURE'));
  if (!known || !isAwaitingVerification(known)) return;
  // The error makes the job run again.
  if (known.verify_by > app.clock()) throw new Error('An account would expire before its time: the clocks differ');

  await eraseAccount(app, userId, known, isAwaitingVerification);
  app.logger.info({ userId }, 'an account was deleted: its email was not verified in time');
}
