import type { RequestContext } from '../context/context.ts';
import { UserError, invalidInput } from '../graphql/errors.ts';
import { readInput } from '../graphql/inputs.ts';
import { accountSuspended, requireViewer } from '../identity/operations.ts';
import { rememberAddress } from '../throttling/operations.ts';
import { afterDecision } from '../transactions/operations.ts';
import { accountKey, accounts, hasSamePassword, requireExisting, requireSamePassword } from './aggregate.ts';
import { changedViewer } from './changes.ts';
import { passkeyNameInput } from './inputs.ts';
import { noticePasskey } from './mails.ts';
import {
  confirmChange,
  credentialsOf,
  openLogin,
  visitInput,
  type Confirmation,
  type DeviceInput,
  type LoggedIn,
} from './operations.ts';
import { decidedByCode, passSecondFactor, withCodeUsed } from './second-factor.ts';
import type { AccountState, Passkey } from './tables.ts';
import {
  claimOf,
  creationOptions,
  invalidPasskey,
  passkeysMark,
  passkeySites,
  readCreation,
  readUse,
  requestOptions,
} from './webauthn.ts';

/** Passkeys: readers add them, log in by them instead of email and password, and remove them. */

const PASSKEYS_MAX = 20;

/** Returns the viewer's passkeys, oldest first. */
export async function passkeysOf(context: RequestContext, userId: string) {
  const { passkeys = [] } = (await credentialsOf(context, userId)) ?? {};
  return passkeys.map(({ credential_id, name, created_at, used_at }) => ({
    credentialId: credential_id,
    name,
    createdAt: created_at,
    lastUsedAt: used_at,
  }));
}

/**
 * Begins to add a passkey for the viewer.
 * @returns the options for their browser
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`; `INVALID_CREDENTIALS`, `TWO_FACTOR_REQUIRED`,
 *   `RATE_LIMITED`; `INVALID_INPUT` when there are too many
 */
export async function startPasskey(context: RequestContext, input: Confirmation) {
  const { id: userId } = await requireViewer(context);
  passkeySites(context.config);
  const known = await confirmChange(context, userId, input);
  requireRoomForPasskey(known);
  await passSecondFactor(context, userId, known, input.code);

  return { options: await creationOptions(context, userId, known) };
}

/**
 * Adds a passkey that the viewer's authenticator has made. Each `startPasskey` can add only one.
 * Repeating it changes nothing.
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`; `INVALID_INPUT` (name), or when there are too many;
 *   `INVALID_PASSKEY` about `response`
 */
export async function addPasskey(context: RequestContext, input: { name: string; response: object }) {
  const { id: userId } = await requireViewer(context);
  passkeySites(context.config);
  const name = passkeyNameInput(input.name);

  const key = accountKey(userId, 'PASSKEY');
  const expected = await accounts.read(context, key);
  requireExisting(expected);
  const made = await readCreation(context, userId, expected, input.response);

  const { before, state } = await accounts.change(context, key, expected, (current, at) => {
    requireExisting(current);
    if (current.passkeys.some(({ credential_id }) => credential_id === made.id)) return undefined;
    requireRoomForPasskey(current);
    // Another person may have started this with the former password. A challenge is valid for one
    // passkey only.
    if (!hasSamePassword(current, expected) || passkeysMark(current) !== made.passkeysBefore) throw invalidPasskey();
    const passkey = {
      credential_id: made.id,
      public_key: made.publicKey,
      counter: BigInt(made.counter),
      name,
      created_at: at,
      used_at: null,
      challenged_at: null,
    };
    return { ...current, passkeys: [...current.passkeys, passkey] };
  });
  if (before && state && before.passkeys.length < state.passkeys.length)
    noticePasskey(context, userId, state.email, 'ADDED');
  return changedViewer(context, userId);
}

/**
 * Removes one of the viewer's passkeys.
 * @throws {UserError} `NOT_FOUND` about `credentialId`; `INVALID_CREDENTIALS`,
 *   `TWO_FACTOR_REQUIRED`, `RATE_LIMITED`
 */
export async function removePasskey(context: RequestContext, input: Confirmation & { credentialId: string }) {
  const { id: userId } = await requireViewer(context);
  const known = await confirmChange(context, userId, input);

  const change = () =>
    accounts.change(context, accountKey(userId, 'PASSKEY'), known, (current, at) => {
      requireSamePassword(known, current);
      const passkeys = current.passkeys.filter(({ credential_id }) => credential_id !== input.credentialId);
      if (passkeys.length === current.passkeys.length) {
        const message = 'You have no such passkey.';
        throw new UserError('NOT_FOUND', message, ['input', 'credentialId']);
      }
      return { ...withCodeUsed(context, userId, current, input.code, at), passkeys, passkey_removed_at: at };
    });
  const { state } = await decidedByCode(context, userId, change);
  requireExisting(state);
  noticePasskey(context, userId, state.email, 'REMOVED');
  return changedViewer(context, userId);
}

/**
 * Begins a login by a passkey.
 * @returns the options for the browser, the same kind for every reader
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`
 */
export const startPasskeyLogin = async (context: RequestContext) => ({ options: await requestOptions(context) });

/**
 * Logs in by a passkey, without password and code.
 * @throws {UserError} `PASSKEYS_NOT_SET_UP`; `INVALID_PASSKEY` about `response`, the same for
 * unknown readers and passkeys, wrong signatures, and responses that were used before;
 * `ACCOUNT_SUSPENDED`; `INVALID_INPUT` (device, sessionId)
 */
export async function loginWithPasskey(
  context: RequestContext,
  { response, ...device }: { response: object } & DeviceInput,
): Promise<LoggedIn> {
  passkeySites(context.config);
  const { claim, visit } = readInput({ claim: () => claimOf(response), visit: () => visitInput(device) });
  const { userId, credentialId } = claim;

  const known = await credentialsOf(context, userId);
  const passkey = passkeyIn(known, credentialId);
  if (!known || !passkey) throw invalidPasskey();
  const { counter, challengedAt } = await readUse(context, passkey, response);
  // Only the holder of the passkey learns of the suspension.
  if (known.suspended) throw accountSuspended(['input']);

  const { state } = await accounts.change(context, accountKey(userId, 'PASSKEY'), known, (current, at) => {
    const now = passkeyIn(current, credentialId);
    if (!current || !now?.public_key.equals(passkey.public_key)) throw invalidPasskey();
    // A passkey accepts each challenge once, and no challenge older than the latest one.
    if (now.challenged_at && challengedAt <= now.challenged_at) throw invalidPasskey();
    if (isCopied(now, counter)) {
      context.logger.warn({ userId }, 'the counter of a passkey went backwards: somebody may have a copy of it');
      throw invalidPasskey();
    }
    const next = { ...now, counter: BigInt(counter), challenged_at: challengedAt, used_at: at };
    return { ...current, passkeys: current.passkeys.map((each) => (each === now ? next : each)) };
  });
  requireExisting(state);
  await rememberAddress(context, userId);
  return afterDecision(() => openLogin(context, userId, state, visit));
}

const passkeyIn = (state: AccountState | undefined, credentialId: string): Passkey | undefined =>
  state?.passkeys.find(({ credential_id }) => credential_id === credentialId);

/**
 * True if the passkey seems to be copied: the counter of an authenticator that counts has not
 * increased (WebAuthn, 7.2, step 22).
 */
const isCopied = ({ counter }: Passkey, now: number) => (counter > 0n || now > 0) && BigInt(now) <= counter;

function requireRoomForPasskey({ passkeys }: AccountState): void {
  if (passkeys.length < PASSKEYS_MAX) return;
  const message = `Your account has ${PASSKEYS_MAX} passkeys, which is the most. Remove one that you do not use.`;
  throw invalidInput([], message);
}
