import type { RequestContext } from '../context/context.ts';
import { invalidInput } from '../graphql/errors.ts';
import { requireViewer } from '../identity/operations.ts';
import { tryFactors } from '../throttling/operations.ts';
import { accountKey, accounts, requireExisting, requireSamePassword } from './aggregate.ts';
import { changedViewer } from './changes.ts';
import { noticeTwoFactor } from './mails.ts';
import { confirmPassword } from './operations.ts';
import { requireTwoFactorKeys, sealSecret } from './sealed-secrets.ts';
import {
  checkCode,
  decidedByCode,
  hasSecondFactor,
  newRecoveryCodes,
  newSecret,
  recoveryHashOf,
  stepOfCode,
  withCodeUsed,
  withoutSecondFactor,
} from './second-factor.ts';
import type { AccountState } from './tables.ts';

/** Starting and stopping a second factor. */

/**
 * Makes a secret for the viewer's app. It is not active yet, and replaces any pending secret.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP`, `INVALID_CREDENTIALS` about `password`,
 *   `RATE_LIMITED`; `INVALID_INPUT` when a second factor is in force
 */
export async function startTwoFactor(context: RequestContext, input: { password: string }) {
  const { id: userId, email } = await requireViewer(context);
  requireTwoFactorKeys(context.config);
  const known = await confirmPassword(context, userId, input.password, requireTwoFactorOff);
  const { secret, uri } = newSecret(email);
  const sealed = sealSecret(context.config, userId, secret);

  await accounts.change(context, accountKey(userId, 'TWO_FACTOR'), known, (state) => {
    requireSamePassword(known, state);
    requireTwoFactorOff(state);
    return { ...state, two_factor_pending: sealed };
  });

  return { secret, uri, ...(await changedViewer(context, userId)) };
}

/**
 * Activates the viewer's pending secret after a correct code from their app.
 * @returns the recovery codes, which cannot be read again later
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP`; `INVALID_INPUT` (code), or when there is no pending
 *   secret; `INVALID_CREDENTIALS` about `code`, `RATE_LIMITED`
 */
export async function confirmTwoFactor(context: RequestContext, input: { code: string }) {
  const { id: userId } = await requireViewer(context);
  requireTwoFactorKeys(context.config);
  checkCode(input.code, 'APP');
  const key = accountKey(userId, 'TWO_FACTOR');

  const expected = await accounts.read(context, key);
  pendingOf(expected);
  const recoveryCodes = newRecoveryCodes();
  const confirm = () =>
    accounts.change(context, key, expected, (state, at) => {
      const pending = pendingOf(state);
      requireExisting(state);
      const step = stepOfCode(context, userId, pending, input.code);
      return {
        ...state,
        two_factor_secret: pending,
        two_factor_pending: null,
        two_factor_since: at,
        two_factor_step: step,
        recovery_codes: recoveryCodes.map(recoveryHashOf),
      };
    });
  const { state } = await tryFactors(context, userId, { proves: 'SOME' }, () =>
    decidedByCode(context, userId, confirm),
  );
  requireExisting(state);
  noticeTwoFactor(context, userId, state.email, 'ON');

  return { recoveryCodes, ...(await changedViewer(context, userId)) };
}

/**
 * Removes the viewer's second factor.
 * @throws {UserError} `TWO_FACTOR_NOT_SET_UP`; `INVALID_INPUT` (code), or when none is in force;
 *   `INVALID_CREDENTIALS` about `password` or `code`, `RATE_LIMITED`
 */
export async function stopTwoFactor(context: RequestContext, input: { password: string; code: string }) {
  const { id: userId, email } = await requireViewer(context);
  requireTwoFactorKeys(context.config);
  checkCode(input.code, 'ANY');

  await confirmPassword(context, userId, input.password, (known) =>
    decidedByCode(context, userId, () =>
      accounts.change(context, accountKey(userId, 'TWO_FACTOR'), known, (state, at) => {
        requireSamePassword(known, state);
        if (!hasSecondFactor(state)) throw invalid('Your account has no second factor.');
        return withoutSecondFactor(withCodeUsed(context, userId, state, input.code, at), at);
      }),
    ),
  );
  noticeTwoFactor(context, userId, email, 'OFF');

  return changedViewer(context, userId);
}

function pendingOf(state: AccountState | undefined): string {
  requireExisting(state);
  requireTwoFactorOff(state);
  if (state.two_factor_pending !== null) return state.two_factor_pending;
  throw invalid('There is no secret to confirm any more. Ask for a new one.');
}

function requireTwoFactorOff(state: AccountState): void {
  if (hasSecondFactor(state)) throw invalid('Your account has a second factor already. Stop it first.');
}

const invalid = (message: string) => invalidInput([], message);
