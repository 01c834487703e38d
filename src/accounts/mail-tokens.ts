import { createHash, randomBytes } from 'node:crypto';
import { first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { bytesOfUuid, uuidOfBytes } from '../graphql/ids.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { hasSameEmail } from './aggregate.ts';
import { insertMailToken, selectMailToken, type AccountState } from './tables.ts';

/**
 * Tokens sent by mail. A token contains the id of an account and 256 random bits. A person who
 * sends one back has read the mail. The table is keyed by the token's hash, so a guess costs one
 * read, and no comparison leaks timing. A token for a change of email ends with the new email,
 * which is not stored anywhere else until then.
 *
 * The account's state names the latest token of each purpose, and only that token is valid. No
 * state names a token that is mailed when the account gets a new email; the state then names no
 * earlier token either.
 */

const USER_ID_BYTES = 16;
const SECRET_BYTES = 32;

/** The purposes of a token. */
type MailTokenPurpose = 'RESET_PASSWORD' | 'VERIFY_EMAIL';

/** The fields of an account's state that name a token. */
export type TokenName = 'reset_token' | 'verification_token' | 'new_email_token';

/** The part of an account's state that a token is bound to. */
export type TokenState = Pick<AccountState, 'email_reservation_id' | 'password_changed_at'>;

/**
 * The state that an account must still have when a token is sent back, and the moment at which the
 * token expires.
 */
export interface MailToken {
  readonly user_id: string;
  readonly token_hash: string;
  readonly email_reservation_id: string;
  readonly password_changed_at: Date | null;
  readonly expires_at: Date;
}

/** A token to be mailed, and its hash, which the account's state contains. */
export interface NewMailToken {
  readonly text: string;
  readonly hash: string;
}

const hashOf = (token: Buffer) => createHash('sha256').update(token).digest('base64url');

/**
 * Makes a token, and stores its hash.
 * @param state the account's state; if unset, the token is for a stand-in: it takes equally long to
 *   make and is never valid
 * @param newEmail the new email of the account, if the token changes it
 */
export async function makeMailToken(
  { cassandra, config, clock }: AppContext,
  purpose: MailTokenPurpose,
  user_id: string,
  state: TokenState | undefined,
  newEmail = '',
): Promise<NewMailToken> {
  const { seconds } = purpose === 'RESET_PASSWORD' ? config.mail.passwordReset : config.mail.emailVerification;
  const isBoundToPassword = purpose === 'RESET_PASSWORD' || newEmail !== '';
  const token = Buffer.concat([bytesOfUuid(user_id), randomBytes(SECRET_BYTES), Buffer.from(newEmail)]);
  const hash = hashOf(token);

  await write(cassandra, insertMailToken, {
    user_id,
    purpose,
    token_hash: hash,
    email_reservation_id: state?.email_reservation_id ?? LOWEST_UUID,
    // A token that verifies the current email remains valid after a change of the password.
    password_changed_at: isBoundToPassword ? (state?.password_changed_at ?? null) : null,
    expires_at: new Date(clock().getTime() + seconds * 1_000),
    ttl_seconds: seconds,
  });
  return { text: token.toString('base64url'), hash };
}

/**
 * Reads a token that was sent back.
 * @throws {UserError} `INVALID_TOKEN` about `token` when the text does not have the shape of one
 */
export function mailTokenInput(text: string): Buffer {
  const token = Buffer.from(text, 'base64url');
  if (token.length < USER_ID_BYTES + SECRET_BYTES || token.toString('base64url') !== text) throw invalidMailToken();
  return token;
}

/** Returns the new email in a token; `undefined` if the token does not change the email. */
export const newEmailIn = (token: Buffer): string | undefined =>
  token.subarray(USER_ID_BYTES + SECRET_BYTES).toString() || undefined;

/**
 * Finds a stored token.
 * @throws {UserError} `INVALID_TOKEN` about `token` when no token of this purpose is stored
 */
export async function findMailToken(
  { cassandra }: AppContext,
  purpose: MailTokenPurpose,
  token: Buffer,
): Promise<MailToken> {
  const user_id = uuidOfBytes(token.subarray(0, USER_ID_BYTES));
  const found = await first(cassandra, selectMailToken, { user_id, purpose, token_hash: hashOf(token) });
  if (!found) throw invalidMailToken();
  return found;
}

/**
 * Checks that an account still has the email of a token, that no later token was requested, and
 * that the token has not expired.
 * @param name the field that names the token
 * @throws {UserError} `INVALID_TOKEN` about `token`
 */
export function requireValidToken(
  token: MailToken,
  name: TokenName,
  state: AccountState | undefined,
  at: Date,
): asserts state is AccountState {
  const isOfAccount = state?.erased_at === null && hasSameEmail(state, token);
  const isLast = isOfAccount && (state[name] ?? token.token_hash) === token.token_hash;
  if (!isLast || at >= token.expires_at) throw invalidMailToken();
}

/** The error for an invalid token, the same for all reasons. */
export const invalidMailToken = () =>
  new UserError('INVALID_TOKEN', 'This token is invalid or has expired. Ask for another mail.', ['input', 'token']);
