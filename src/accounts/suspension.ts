import { reasonInput } from '../administration/inputs.ts';
import type { RequestContext } from '../context/context.ts';
import { untilShown } from '../context/shown.ts';
import { UserError } from '../graphql/errors.ts';
import { keyInput } from '../graphql/ids.ts';
import { readInput } from '../graphql/inputs.ts';
import { accountAfterChange, noSuchReader, requireAdministrator, type Account } from '../identity/operations.ts';
import { doJobsOf } from '../jobs/operations.ts';
import { accountKey, accounts } from './aggregate.ts';
import type { AccountState } from './tables.ts';

/**
 * Decisions of administrators about readers: suspending and reinstating them, and taking a name
 * down.
 */

interface SuspensionInput {
  readonly id: string;
  readonly reason: string;
}

interface DecisionAnswer {
  readonly user: Account | null;
  readonly changed: boolean;
}

/**
 * Suspends a reader: their sessions end, they cannot log in, and others no longer see anything of
 * theirs.
 * @returns `changed`: false if they were suspended already
 * @throws {UserError} `FORBIDDEN` for callers who are not administrators, and about `id` for an
 *   administrator; `INVALID_INPUT` about a field that cannot be used; `NOT_FOUND` about `id`
 */
export const suspendAccount = (context: RequestContext, input: SuspensionInput) =>
  changeSuspension(context, input, true);

/**
 * Reinstates a reader who was suspended.
 * @returns `changed`: false if they were not suspended
 * @throws {UserError} `FORBIDDEN` for callers who are not administrators; `INVALID_INPUT` about a
 *   field that cannot be used; `NOT_FOUND` about `id`
 */
export const reinstateAccount = (context: RequestContext, input: SuspensionInput) =>
  changeSuspension(context, input, false);

async function changeSuspension(
  context: RequestContext,
  input: SuspensionInput,
  suspended: boolean,
): Promise<DecisionAnswer> {
  const administrator = await requireAdministrator(context);
  const { userId, reason } = readInput({
    userId: () => readerInput(input.id),
    reason: () => reasonInput('reason', input.reason),
  });

  return decideAbout(context, userId, 'SUSPENSION', (state, at) => {
    if (state.suspended === suspended) return undefined;
    if (suspended && state.role !== null)
      throw new UserError('FORBIDDEN', 'Administrators cannot be suspended.', ['input', 'id']);
    const decided = { suspension_at: at, suspension_by: administrator.id, suspension_reason: reason };
    return { ...state, suspended, ...decided };
  });
}

/** The name that replaces a taken-down name. */
const NEUTRAL_NAME = 'Reader';
/** The maximum number of taken-down names that are remembered per reader. */
const TAKEN_DOWN_NAMES_MAX = 20;

/**
 * Takes a reader's name down everywhere, with their picture and what they say about themselves. The
 * reader can set another name, except those that were taken down.
 * @returns `changed`: false if they have the neutral name and nothing else already
 * @throws {UserError} `NOT_FOUND` about `id`
 */
export function takeNameDown(
  context: RequestContext,
  userId: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<DecisionAnswer> {
  return decideAbout(context, userId, 'NAME', (state, at) => {
    const isNeutral = state.full_name === NEUTRAL_NAME;
    if (isNeutral && state.bio === null && state.avatar_url === null) return undefined;
    const decided = { name_taken_down_at: at, name_taken_down_by: by, name_taken_down_reason: reason };
    const bare = { ...state, ...decided, bio: null, avatar_url: null };
    if (isNeutral) return bare;
    const taken_down_names = [...state.taken_down_names, state.full_name].slice(-TAKEN_DOWN_NAMES_MAX);
    return { ...bare, full_name: NEUTRAL_NAME, name_version: state.version + 1, taken_down_names };
  });
}

/**
 * Changes the account of a reader by a decision of an administrator.
 * @throws {UserError} `NOT_FOUND` about `id`
 */
async function decideAbout(
  context: RequestContext,
  userId: string,
  what: 'SUSPENSION' | 'NAME',
  next: (state: AccountState, at: Date) => AccountState | undefined,
): Promise<DecisionAnswer> {
  const key = accountKey(userId, what);

  const expected = await accounts.read(context, key);
  const { changed } = await accounts.change(context, key, expected, (state, at) => {
    if (!state || state.erased_at) throw noSuchReader();
    return next(state, at);
  });
  await doJobsOf(context, { type: 'User', key: userId });
  await untilShown(context);

  return { user: await accountAfterChange(context, userId), changed };
}

/**
 * Reads the id of the reader that an administrator decides about.
 * @throws {UserError} `INVALID_INPUT` about `id`
 */
const readerInput = (id: string): string => keyInput('id', id, 'User', 'a reader');
