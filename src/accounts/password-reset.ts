import type { RequestContext } from '../context/context.ts';
import { readInput } from '../graphql/inputs.ts';
import { accountSuspended } from '../identity/operations.ts';
import { requireMail } from '../mail/mailer.ts';
import { requireUnbreached } from '../passwords/breaches.ts';
import { admitMail, admitMailRequest, rememberAddress, tryFactors } from '../throttling/operations.ts';
import { accountKey, accounts, hasSameEmail, hasSamePassword, requireExisting } from './aggregate.ts';
import { emailInput, newPasswordInput } from './inputs.ts';
import {
  findMailToken,
  invalidMailToken,
  mailTokenInput,
  makeMailToken,
  requireValidToken,
  type MailToken,
} from './mail-tokens.ts';
import { noticePasswordChange, noticeTwoFactor, sendPasswordReset } from './mails.ts';
import { accountOfEmail, openLogin, visitInput, type DeviceInput, type LoggedIn } from './operations.ts';
import { decidedByCode, hasSecondFactor, requireCode, withCodeUsed, withoutSecondFactor } from './second-factor.ts';
import type { AccountState } from './tables.ts';
import { afterDecision } from '../transactions/operations.ts';

/** The reset of a lost password. */

/**
 * Sends a token to an email if it belongs to an account. Callers do not learn whether it does: both
 * cases do the same reads and writes, and the mail is sent after the answer.
 * @throws {UserError} `INVALID_EMAIL`, `MAIL_NOT_SET_UP`, `RATE_LIMITED`
 */
export async function requestPasswordReset(context: RequestContext, input: { email: string }) {
  const email = emailInput(input.email);
  requireMail(context);
  await admitMailRequest(context);
  const { userId, state } = await accountOfEmail(context, email);
  // Strangers cannot lock a reader out by using up the limit. The reader has the earlier mails,
  // whose tokens are valid until the password changes.
  const { seconds } = context.config.mail.passwordReset;
  await admitMail(context, { kind: 'PASSWORD_RESET', email, userId, seconds });

  const { text, hash } = await makeMailToken(context, 'RESET_PASSWORD', userId, state);
  if (state && !state.suspended)
    sendPasswordReset(context, email, text, () => nameResetToken(context, userId, state, hash));
  return {};
}

/**
 * Makes a token the only one that can reset a reader's password.
 * @returns false if the account has got another password or email since the request
 */
async function nameResetToken(
  context: RequestContext,
  userId: string,
  known: AccountState,
  hash: string,
): Promise<boolean> {
  const { state } = await accounts.change(context, accountKey(userId, 'PASSWORD'), known, (current) =>
    current && hasSameEmail(current, known) && hasSamePassword(current, known)
      ? { ...current, reset_token: hash }
      : undefined,
  );
  return state?.reset_token === hash;
}

/**
 * Sets another password by a token from a mail, ends all sessions of the account, removes its
 * passkeys, and logs in. If the email was never verified, the mail is the first proof of the
 * account's owner. Then the second factor is removed as well, because another person may have set
 * it up.
 * @throws {UserError} `INVALID_TOKEN` about `token`, `INVALID_PASSWORD` about `password`,
 *   `INVALID_INPUT` (device, sessionId), `ACCOUNT_SUSPENDED`; `TWO_FACTOR_REQUIRED` or
 *   `INVALID_CREDENTIALS` about `code`, `RATE_LIMITED`; `INVALID_CREDENTIALS` when the password was
 *   changed again meanwhile
 */
export async function resetPassword(
  context: RequestContext,
  input: { token: string; password: string; code?: string | null } & DeviceInput,
): Promise<LoggedIn> {
  const { lengthMin } = context.config.passwords;
  const { secret, visit } = readInput({
    secret: () => mailTokenInput(input.token),
    password: () => newPasswordInput('password', input.password, lengthMin, {}),
    visit: () => visitInput(input),
  });
  const token = await findMailToken(context, 'RESET_PASSWORD', secret);
  const { user_id: userId } = token;
  const key = accountKey(userId, 'PASSWORD');

  const expected = await accounts.read(context, key);
  requireValidResetToken(token, expected, context.clock());
  // The password is checked again, now that its owner is known.
  const owner = { fullName: expected.full_name, email: expected.email };
  const password = newPasswordInput('password', input.password, lengthMin, owner);
  const takesCode = hasSecondFactor(expected) && isVerified(expected);
  if (takesCode) requireCode(input.code);
  await requireUnbreached(context, password, 'password');
  const passwordHash = await context.passwords.hash(password);

  const change = () =>
    accounts.change(context, key, expected, (current, at) => {
      requireValidResetToken(token, current, at);
      const used = isVerified(current)
        ? withCodeUsed(context, userId, current, input.code, at)
        : withoutSecondFactor(current, at);
      const changed = { password_changed_at: at, kept_session_id: null, password_hash: passwordHash };
      // An intruder may have added a passkey.
      const without = current.passkeys.length > 0 && { passkeys: [], passkey_removed_at: at };
      // The token proves that its sender has read the mail.
      return {
        ...used,
        ...changed,
        ...without,
        email_verified_at: current.email_verified_at ?? at,
        verified_once: true,
      };
    });
  const decide = () => decidedByCode(context, userId, change);
  const { before, state } = takesCode
    ? await tryFactors(context, userId, { proves: 'ALL', by: 'MAIL' }, decide)
    : await decide();
  requireExisting(state);

  noticePasswordChange(context, userId, state.email);
  if (before && hasSecondFactor(before) && !hasSecondFactor(state))
    noticeTwoFactor(context, userId, state.email, 'OFF');
  await rememberAddress(context, userId);
  return afterDecision(() => openLogin(context, userId, state, visit));
}

/** True once a person has proved that they receive mail at the email. */
const isVerified = ({ email_verified_at }: AccountState) => email_verified_at !== null;

/**
 * Checks that a token may reset the password. A token is no longer valid once the password has
 * changed, perhaps by this same token.
 * @throws {UserError} `INVALID_TOKEN` about `token`, `ACCOUNT_SUSPENDED`
 */
function requireValidResetToken(
  token: MailToken,
  state: AccountState | undefined,
  at: Date,
): asserts state is AccountState {
  requireValidToken(token, 'reset_token', state, at);
  if (!hasSamePassword(state, token)) throw invalidMailToken();
  if (state.suspended) throw accountSuspended(['input', 'token']);
}
