import { changeOrFence, isFromLaterImport, type ImportContext, type RevertContext } from '../aggregates/importing.ts';
import type { AppContext } from '../context/context.ts';
import { readShownText } from '../text/text.ts';
import { isMade, isWritten, reviewKeyOf, NO_TEXT, reviews, withText } from './aggregate.ts';
import { TEXT_LENGTH_MAX } from './inputs.ts';
import type { ReviewState } from './tables.ts';

/**
 * Reviews from a reader's imports. An import replaces the review of an earlier import, and an undo
 * removes it. A review that the reader has written on this server is kept.
 */

/**
 * True if the reader has written the review on this server, or an administrator has taken it down.
 */
const isUserEdit = (state: ReviewState | undefined): boolean =>
  state !== undefined && isMade(state) && (state.import_id === null || state.taken_down_at !== null);

/**
 * Adds the review of an import. Repeating it changes nothing.
 * @returns the reason why it was not added, as a sentence; `undefined` if it was
 */
export async function addImportedReview(
  app: AppContext,
  importing: ImportContext,
  bookId: string,
  review: { readonly text: string; readonly hasSpoilers: boolean },
): Promise<string | undefined> {
  const { text, problem } = readShownText(review.text, TEXT_LENGTH_MAX, 'KEPT');
  if (problem !== undefined) return `The review ${problem}, and was not published.`;

  const { userId, importId, condition } = importing;
  const key = reviewKeyOf(userId, bookId);
  const given = { text, has_spoilers: review.hasSpoilers, language: null, import_id: importId, shows_rating: true };
  const next = (before: ReviewState | undefined, at: Date) =>
    isUserEdit(before) || (isWritten(before) && isFromLaterImport(importing, before.import_id))
      ? undefined
      : withText(key, bookId, before, given, at);
  const { state } = await reviews.change(app, key, undefined, next, condition);
  return isWritten(state) && state.text === text ? undefined : EXISTING_REVIEW;
}

const EXISTING_REVIEW = 'Your existing review was kept.';

/** Removes the review of an import. Repeating it has no visible effect. */
export async function removeImportedReview(
  app: AppContext,
  { userId, importId, condition }: RevertContext,
  bookId: string,
): Promise<void> {
  // The state keeps the id of the import, which may add its review again.
  const next = (state: ReviewState | undefined) =>
    isWritten(state) && state.import_id === importId ? { ...state, ...NO_TEXT, import_id: importId } : undefined;
  await changeOrFence(app, reviews, reviewKeyOf(userId, bookId), next, condition);
}
