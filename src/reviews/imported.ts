import { changeOrFence, isSaidLater, type Importing, type Removing } from '../aggregates/importing.ts';
import type { AppContext } from '../context/context.ts';
import { readShownText } from '../text/text.ts';
import { isMade, isWritten, keyOf, NO_TEXT, reviews, withText } from './aggregate.ts';
import { TEXT_LENGTH_MAX } from './inputs.ts';
import type { ReviewState } from './tables.ts';

/**
 * Reviews that a reader imports from elsewhere. An import replaces what an earlier one brought, and
 * takes back what it brought itself. Whatever the reader has written here stays.
 */

/** True if the reader said the last word about the book here, not an import. */
const isOwnWord = (state: ReviewState | undefined): boolean =>
  state !== undefined && isMade(state) && (state.import_id === null || state.taken_down_at !== null);

/**
 * Adds a review that an import brings. Repeating it changes nothing.
 * @returns the reason why it was not added, as a sentence; `undefined` if it was
 */
export async function addImportedReview(
  app: AppContext,
  importing: Importing,
  bookId: string,
  review: { readonly text: string; readonly hasSpoilers: boolean },
): Promise<string | undefined> {
  const { text, problem } = readShownText(review.text, TEXT_LENGTH_MAX, 'KEPT');
  if (problem !== undefined) return `The review ${problem}, and was not published.`;

  const { userId, importId, condition } = importing;
  const key = keyOf(userId, bookId);
  const given = { text, has_spoilers: review.hasSpoilers, language: null, import_id: importId };
  const next = (before: ReviewState | undefined, at: Date) =>
    isOwnWord(before) || (isWritten(before) && isSaidLater(importing, before.import_id))
      ? undefined
      : withText(key, bookId, before, given, at);
  const { state } = await reviews.change(app, key, undefined, next, condition);
  return isWritten(state) && state.text === text ? undefined : OTHER_REVIEW;
}

const OTHER_REVIEW = 'Your review of this book, from here or from a later file, stays as it is.';

/**
 * Takes back the review that an import brought. Repeating it changes nothing that anybody sees.
 */
export async function removeImportedReview(
  app: AppContext,
  { userId, importId, condition }: Removing,
  bookId: string,
): Promise<void> {
  // The import stays in the state: a review that it has brought may be brought again.
  const next = (state: ReviewState | undefined) =>
    isWritten(state) && state.import_id === importId ? { ...state, ...NO_TEXT, import_id: importId } : undefined;
  await changeOrFence(app, reviews, keyOf(userId, bookId), next, condition);
}
