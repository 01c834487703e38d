import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Changed } from '../aggregates/decide.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError, invalidInput } from '../graphql/errors.ts';
import { accountKey, accounts } from './aggregate.ts';
import { recordFailedTry } from './failed-tries.ts';
import { noticeRecoveryCode } from './mails.ts';
import { isOfCurrentKey, openSecret, sealSecret } from './sealed-secrets.ts';
import type { AccountState } from './tables.ts';

/**
 * A reader's second factor: the codes of an app (TOTP, RFC 6238), and recovery codes for a reader
 * who has lost the app. Each code is valid once: the conditional write of the confirmed change also
 * records the use of the code.
 */

const ISSUER = 'Library';
/** The length of a secret (RFC 4226, 4, R6). */
const SECRET_BYTES = 20;
/**
 * The number of steps before and after the current one whose codes are accepted, for slow clocks
 * and people (RFC 6238, 5.2).
 */
const STEPS_AROUND = 1;
const APP_CODE = /^\d{6}$/;
const RECOVERY_CODES = 10;
/**
 * The length of a recovery code, 120 bits. It cannot be found by guessing, nor from its hash. OWASP
 * ASVS 5.0.0, 6.5.2 requires 112 bits for unsalted hashes.
 */
const RECOVERY_CODE_BYTES = 15;
const RECOVERY_CODE = /^[A-Z2-7]{24}$/;
/** A longer text is not a code, even with spaces and hyphens in it. */
const CODE_LENGTH_MAX = 200;

const totpOf = (secret: Secret, email = '') => new TOTP({ issuer: ISSUER, label: email, secret });

/** Makes a secret, as base32 and as the URI that apps read. */
export function newSecret(email: string): { secret: string; uri: string } {
  const secret = new Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, uri: totpOf(secret, email).toString() };
}

/** Makes recovery codes, each in six groups of four. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: RECOVERY_CODE_BYTES }).base32.replace(/.{4}(?!$)/g, '$&-'),
  );

/** Returns the stored hash of a recovery code. */
export const recoveryHashOf = (code: string): string => createHash('sha256').update(plain(code)).digest('base64url');

/** Returns a code in upper case, without spaces and hyphens. */
const plain = (code: string | null | undefined): string => {
  const given = code ?? '';
  return given.length > CODE_LENGTH_MAX ? given : given.replace(/[\s-]/g, '').toUpperCase();
};

/**
 * Checks that a text has the shape of a code.
 * @param kinds `APP` accepts only codes of an app, `ANY` recovery codes as well
 * @throws {UserError} `INVALID_INPUT` about `code`
 */
export function checkCode(code: string, kinds: 'APP' | 'ANY'): void {
  const given = plain(code);
  if (APP_CODE.test(given) || (kinds === 'ANY' && RECOVERY_CODE.test(given))) return;
  const recovery = kinds === 'ANY' ? ', and a recovery code has 24 letters and digits' : '';
  const message = `This is not a code: the app shows six digits${recovery}.`;
  throw invalidInput(['code'], message);
}

export const hasSecondFactor = ({ two_factor_secret }: AccountState): boolean => two_factor_secret !== null;

/**
 * Checks that a code was given.
 * @throws {UserError} `TWO_FACTOR_REQUIRED`
 */
export function requireCode(code: string | null | undefined): void {
  if (plain(code) !== '') return;
  const message = 'This account has a second factor. Send the code that the app shows, or a recovery code.';
  throw new UserError('TWO_FACTOR_REQUIRED', message, ['input', 'code']);
}

const wrongCode = () =>
  new UserError('INVALID_CREDENTIALS', 'This code is wrong, or was used already. Wait for the next one.', [
    'input',
    'code',
  ]);

/**
 * Returns the time step of an app's code (RFC 6238): the number of a period of 30 seconds.
 * @param sealed the sealed secret
 * @param after the step of the last used code
 * @throws {UserError} `INVALID_CREDENTIALS` about `code` when the code is not valid now;
 *   `TWO_FACTOR_NOT_SET_UP`
 */
export function stepOfCode({ config, clock }: AppContext, userId: string, sealed: string, code: string, after = 0) {
  const totp = totpOf(Secret.fromBase32(openSecret(config, userId, sealed)));
  const timestamp = clock().getTime();
  // The library compares in constant time.
  const delta = totp.validate({ token: plain(code), timestamp, window: STEPS_AROUND });
  const step = totp.counter({ timestamp }) + (delta ?? 0);
  if (delta === null || step <= after) throw wrongCode();
  return step;
}

/**
 * Returns an account after the use of a code; unchanged if it has no second factor. The change that
 * the code confirms must write this result.
 * @throws {UserError} `TWO_FACTOR_REQUIRED` or `INVALID_CREDENTIALS`, both about `code`;
 *   `TWO_FACTOR_NOT_SET_UP`
 */
export function withCodeUsed(
  app: AppContext,
  userId: string,
  state: AccountState,
  code: string | null | undefined,
  at: Date,
): AccountState {
  const { two_factor_secret: sealed, two_factor_step, recovery_codes } = state;
  if (sealed === null) return state;

  requireCode(code);
  const given = plain(code);
  if (APP_CODE.test(given)) {
    const step = stepOfCode(app, userId, sealed, given, two_factor_step ?? undefined);
    const { config } = app;
    // The secret is sealed again with the current key. A former key is no longer needed once all
    // readers have logged in.
    const again = isOfCurrentKey(config, sealed)
      ? sealed
      : sealSecret(config, userId, openSecret(config, userId, sealed));
    return { ...state, two_factor_step: step, two_factor_secret: again };
  }
  const used = recoveryHashOf(given);
  const left = recovery_codes.filter((hash) => hash !== used);
  if (left.length === recovery_codes.length) throw wrongCode();
  return { ...state, recovery_codes: left, recovery_code_used_at: at };
}

/** The fields of an account without a second factor. */
const NONE = {
  two_factor_secret: null,
  two_factor_pending: null,
  two_factor_since: null,
  two_factor_step: null,
  recovery_codes: [],
};

/** Returns an account without its second factor, in force or pending. */
export const withoutSecondFactor = (state: AccountState, at: Date): AccountState => ({
  ...state,
  ...NONE,
  ...(hasSecondFactor(state) && { two_factor_ended_at: at }),
});

/**
 * Runs an attempt with a code, and records a wrong code as a failed try.
 * @throws {UserError} the error of the attempt
 */
export async function tryCode<Result>(
  context: RequestContext,
  userId: string,
  attempt: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    const code = error instanceof UserError ? error.code : undefined;
    if (code === 'INVALID_CREDENTIALS') await recordFailedTry(context, userId);
    if (code === 'TWO_FACTOR_NOT_SET_UP')
      context.logger.error({ userId }, 'a secret cannot be decrypted: its key is not among TWO_FACTOR_KEYS');
    throw error;
  }
}

/**
 * Changes an account by a code. It records a wrong code as a failed try, and notifies the reader if
 * a recovery code was used.
 * @throws {UserError} the error of the change
 */
export async function decidedByCode(
  context: RequestContext,
  userId: string,
  change: () => Promise<Changed<AccountState>>,
): Promise<Changed<AccountState>> {
  const decided = await tryCode(context, userId, change);
  const { before, state } = decided;
  // The notice is sent to the former email: if the change replaced it, only that one is certainly
  // the reader's.
  if (before && state && state.recovery_code_used_at?.getTime() !== before.recovery_code_used_at?.getTime())
    noticeRecoveryCode(context, userId, before.email, state.recovery_codes.length);
  return decided;
}

/**
 * Checks the second factor of a reader who has proved their password, if they have one, and uses
 * the code.
 * @throws {UserError} `TWO_FACTOR_REQUIRED` or `INVALID_CREDENTIALS`, both about `code`;
 *   `TWO_FACTOR_NOT_SET_UP`
 */
export async function passSecondFactor(
  context: RequestContext,
  userId: string,
  known: AccountState,
  code: string | null | undefined,
): Promise<void> {
  if (!hasSecondFactor(known)) return;
  requireCode(code);

  const key = accountKey(userId, 'TWO_FACTOR');
  await decidedByCode(context, userId, () =>
    accounts.change(context, key, known, (state, at) =>
      // The caller that opens the session notices other changes.
      state && hasSecondFactor(state) ? withCodeUsed(context, userId, state, code, at) : undefined,
    ),
  );
}
