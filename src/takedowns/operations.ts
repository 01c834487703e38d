import { takeNameDown } from '../accounts/suspension.ts';
import { reasonInput } from '../administration/inputs.ts';
import type { RequestContext } from '../context/context.ts';
import { UserError, invalidInput } from '../graphql/errors.ts';
import { idInput } from '../graphql/ids.ts';
import { readInput } from '../graphql/inputs.ts';
import { requireAdministrator, type User } from '../identity/operations.ts';
import { listIncludingDeleted, takeListDown, type BookList } from '../lists/operations.ts';
import { itemById, takeTitleDown, type Item } from '../market/operations.ts';
import { reviewById, takeReviewDown, type Review } from '../reviews/operations.ts';

/**
 * Takes down the name of a reader, the title of a copy, a list, or a review, for administrators.
 * @returns `changed`: false if it was taken down already
 * @throws {UserError} `FORBIDDEN` for other readers; `INVALID_INPUT` about fields that cannot be
 *   used; `NOT_FOUND` about `id`
 */
export async function takeDown(
  context: RequestContext,
  input: { id: string; reason: string },
): Promise<{ node: User | Item | BookList | Review | null; changed: boolean }> {
  const administrator = await requireAdministrator(context);
  const { named, reason } = readInput({
    named: () => namedInput(input.id),
    reason: () => reasonInput('reason', input.reason),
  });
  const decision = { by: administrator.id, reason };

  if (named.type === 'User') {
    const { user, changed } = await takeNameDown(context, named.key, decision);
    return { node: user, changed };
  }
  if (named.type === 'BookList') {
    const found = await listIncludingDeleted(context, named.key);
    if (!found || found.ownerId === null) throw new UserError('NOT_FOUND', 'There is no such list.', ['input', 'id']);
    const { list, changed } = await takeListDown(context, { ...found, ownerId: found.ownerId }, decision);
    return { node: list, changed };
  }
  if (named.type === 'Review') {
    const review = await reviewById(context, named.key);
    const authorId = review?.authorId;
    if (!review || authorId == null) throw new UserError('NOT_FOUND', 'There is no such review.', ['input', 'id']);
    const taken = await takeReviewDown(context, { ...review, authorId }, decision);
    return { node: taken.review, changed: taken.changed };
  }
  const item = await itemById(context, named.key);
  if (!item) throw new UserError('NOT_FOUND', 'There is no such copy.', ['input', 'id']);
  const { sellerId } = item;
  // A copy of a deleted account keeps its title, and so do likes of it.
  if (sellerId === null) return { node: item, changed: false };
  const taken = await takeTitleDown(context, { ...item, sellerId }, decision);
  return { node: taken.item, changed: taken.changed };
}

/** Reads the id of a subject whose name, title or text comes from a reader. */
function namedInput(id: string): { type: 'User' | 'Item' | 'BookList' | 'Review'; key: string } {
  const { type, key } = idInput('id', id);
  if (type === 'User' || type === 'Item' || type === 'BookList' || type === 'Review') return { type, key };
  throw invalidInput(
    ['id'],
    `This is the id of a ${type}; only names of readers, titles of copies, lists and reviews can be taken down.`,
  );
}
