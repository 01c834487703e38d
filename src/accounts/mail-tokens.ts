import { createHash, randomBytes } from 'node:crypto';
import { first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { bytesOfUuid, uuidOfBytes } from '../graphql/ids.ts';
import { LOWEST_UUID } from '../cassandra/orders.ts';
import { insertMailToken, selectMailToken, type AccountState } from './tables.ts';

/**
 * Tokens that go by mail: whose account it is, and 256 random bits. Who sends one back has read the mail. What is stored is its hash,
 * by which it is looked up; so a guess costs one read, and no comparison takes longer the nearer it comes. One that is to bring an account
 * another email ends with that, which is stored nowhere else meanwhile.
 */

const USER_ID_BYTES = 16;
const SECRET_BYTES = 32;

/** What a token is for. */
type MailTokenPurpose = 'RESET_PASSWORD' | 'VERIFY_EMAIL';

/** What of an account's state a token is for. */
export type TokenState = Pick<AccountState, 'email_reservation_id' | 'password_changed_at'>;

/** What the account's state must still say when a token comes back, and until when it may. */
export interface MailToken {
  readonly user_id: string;
  readonly email_reservation_id: string;
  readonly password_changed_at: Date | null;
  readonly expires_at: Date;
}

const hashOf = (token: Buffer) => createHash('sha256').update(token).digest('base64url');

/**
 * Makes a token.
 * @param state of the account; where there is none, the token of a stand-in takes as long to make, and is good for nothing
 * @param newEmail which the account is to get by it
 */
export async function makeMailToken(
  { cassandra, config, clock }: AppContext,
  purpose: MailTokenPurpose,
  user_id: string,
  state: TokenState | undefined,
  newEmail = '',
): Promise<string> {
  const { seconds } = purpose === 'RESET_PASSWORD' ? config.mail.passwordReset : config.mail.emailVerification;
  const isBoundToPassword = purpose === 'RESET_PASSWORD' || newEmail !== '';
  const token = Buffer.concat([bytesOfUuid(user_id), randomBytes(SECRET_BYTES), Buffer.from(newEmail)]);

  await write(cassandra, insertMailToken, {
    user_id,
    purpose,
    token_hash: hashOf(token),
    email_reservation_id: state?.email_reservation_id ?? LOWEST_UUID,
    // A new password is no reason to doubt the email that an account has.
    password_changed_at: isBoundToPassword ? (state?.password_changed_at ?? null) : null,
    expires_at: new Date(clock().getTime() + seconds * 1_000),
    ttl_seconds: seconds,
  });
  return token.toString('base64url');
}

/**
 * A token as it was sent back.
 * @throws {UserError} `INVALID_TOKEN` about `token` when none is made so
 */
export function mailTokenInput(text: string): Buffer {
  const token = Buffer.from(text, 'base64url');
  if (token.length < USER_ID_BYTES + SECRET_BYTES || token.toString('base64url') !== text) throw invalidMailToken();
  return token;
}

/** The email that an account is to get by a token; `undefined` where it keeps its own. */
export const newEmailIn = (token: Buffer): string | undefined =>
  token.subarray(USER_ID_BYTES + SECRET_BYTES).toString() || undefined;

/**
 * Finds what a token was made for.
 * @throws {UserError} `INVALID_TOKEN` about `token` when it was never made for this, or has gone
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
 * Makes sure that an account still is as when a token was made, and the token not too old.
 * @throws {UserError} `INVALID_TOKEN` about `token`
 */
export function mustBeOfToken(
  token: MailToken,
  state: AccountState | undefined,
  at: Date,
): asserts state is AccountState {
  const isOf = state?.erased_at === null && state.email_reservation_id === token.email_reservation_id;
  if (!isOf || at >= token.expires_at) throw invalidMailToken();
}

/** A token that is not good, whatever the reason. */
export const invalidMailToken = () =>
  new UserError('INVALID_TOKEN', 'This token is not good, or not any more. Ask for another mail.', ['input', 'token']);
