import { andThen, type Soon } from '../cassandra/soon.ts';
import type { Book, ListedBook } from '../catalogue/book.ts';
import { bookById, bookEvenRemoved, bookNow, existingBook, shownBook } from '../catalogue/operations.ts';
import { isListShown, listEvenGone, shownList, type BookList } from '../lists/operations.ts';
import { beginRanking } from '../reviews/aggregate.ts';
import { isReviewShown, reviewById, shownReview, type Review } from '../reviews/operations.ts';
import { isItemShown, itemById, itemTitleNow, shownItem, type Item } from '../market/operations.ts';
import { idInput, parseSubject, storedSubject, subjectOf, type NodeId } from '../graphql/ids.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { overloaded, UserError, invalidInput } from '../graphql/errors.ts';
import { hiddenReaders } from '../identity/privacy.ts';
import { isEarlierReleaseAlive } from '../transactions/operations.ts';

/** The things that readers can like: books, copies, lists of books, and reviews. */
export type Likeable = ListedBook | Item | BookList | Review;

/**
 * Finds a likeable by its id; null if there is none, and for one that the caller may not see.
 */
export async function findLikeable(context: RequestContext, { type, key }: NodeId): Promise<Likeable | null> {
  if (type === 'Book') return bookById(context, key);
  if (type === 'BookList') return shownList(context, key);
  if (type === 'Review') return shownReview(context, key);
  return type === 'Item' ? shownItem(context, key) : null;
}

/**
 * Reads a likeable that exists, because a like of it was just read; null for one that the caller
 * may not see, and for a list that is gone.
 */
export function likedLikeable(context: RequestContext, { type, key }: NodeId): Soon<Likeable | null> {
  if (type === 'BookList') return shownList(context, key);
  if (type === 'Review') return shownReview(context, key);
  return type === 'Item' ? shownItem(context, key) : existingBook(context, key);
}

/**
 * Returns the title of a liked thing; null for one that the caller may not see.
 * @param title the title in the row of the like; `undefined` if the thing must be read for it
 */
export const titleOfLiked = (context: RequestContext, node: NodeId, title: string | undefined): Soon<string | null> =>
  title ?? andThen(likedLikeable(context, node), (likeable) => likeable?.title ?? null);

/** Returns whether the caller may see a likeable. Every book is shown. */
export async function isLikeableShown(context: RequestContext, likeable: Likeable): Promise<boolean> {
  if (likeable.type === 'BookList') return isListShown(context, likeable);
  if (likeable.type === 'Review') return isReviewShown(context, likeable);
  return likeable.type === 'Book' || isItemShown(context, likeable);
}

/** The likeable_id of a likeable: `Type:key`. */
export const likeableIdOf = ({ type, id }: Likeable) => subjectOf({ type, key: id });

/**
 * Reads the book that an action was about, or whose copy or review it was about; null if it is
 * gone.
 */
export function bookOfSubject(context: RequestContext, subject: string): Soon<Book | null> {
  const id = parseSubject(subject);
  if (id?.type === 'Book') return shownBook(context, id.key);
  if (id?.type === 'Review')
    return shownReview(context, id.key).then((review) => review && shownBook(context, review.bookId));
  if (id?.type !== 'Item') return null;
  return itemById(context, id.key).then((item) => item && shownBook(context, item.bookId));
}

/**
 * Reads the likeable that an input's id names, even one that can no longer be liked.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function likeableInput(context: RequestContext, id: string): Promise<Book | Item | BookList | Review> {
  const { type, key } = idInput('id', id);
  if (type !== 'Book' && type !== 'Item' && type !== 'BookList' && type !== 'Review') {
    const message = `This is the id of a ${type}, which cannot be liked; books, copies, lists and reviews can.`;
    throw invalidInput(['id'], message);
  }

  // The readers hidden from the viewer are read together with the likeable; they decide if it is
  // shown.
  if (type !== 'Book') hiddenReaders(context);
  const find = { Book: bookEvenRemoved, Item: itemById, BookList: listEvenGone, Review: reviewById }[type];
  const likeable = await find(context, key);
  if (!likeable) throw nothingHasThisId();
  return likeable;
}

/**
 * Reads the likeable that an input's id names, and that the viewer can like.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 * @throws `OVERLOADED` while a server runs that does not know this kind of likes
 */
export async function likeableToLike(context: RequestContext, id: string): Promise<Likeable> {
  const likeable = await likeableInput(context, id);
  await mustBeShown(context, likeable);

  const since = LIKED_SINCE[likeable.type];
  if (since !== undefined && isEarlierReleaseAlive(context, since))
    throw overloaded('A server of an earlier release still runs, and cannot show this like.', UPGRADED_AFTER_SECONDS);

  const gone = whyGone(likeable);
  if (gone !== undefined) throw new UserError('NOT_FOUND', gone, ['input', 'id']);
  return likeable;
}

/**
 * The releases since which further things can be liked. Earlier ones fail on pages with such a
 * like.
 */
const LIKED_SINCE: Partial<Record<Likeable['type'], string>> = {
  BookList: '1.1.0',
  Review: '1.1.0',
};
/** The time after which a caller may ask whether all servers are upgraded. */
const UPGRADED_AFTER_SECONDS = 60;

/** Returns why a likeable can no longer be liked. An earlier like stays, and can be taken back. */
function whyGone(likeable: Book | Item | BookList | Review): string | undefined {
  // A list or review that is gone is shown to nobody.
  if (likeable.type === 'BookList' || likeable.type === 'Review') return undefined;
  if (likeable.type === 'Item') {
    return likeable.status === 'FOR_SALE' ? undefined : 'This copy is not for sale any more and cannot be liked.';
  }
  return likeable.isRemoved ? 'This book was removed from the catalogue and cannot be liked any more.' : undefined;
}

/**
 * Checks that the caller may see a likeable, so that nobody learns of another one that it exists.
 * @throws {UserError} `NOT_FOUND` about `id`
 */
export async function mustBeShown(context: RequestContext, likeable: Likeable): Promise<void> {
  if (!(await isLikeableShown(context, likeable))) throw nothingHasThisId();
}

const nothingHasThisId = () => new UserError('NOT_FOUND', 'Nothing has this id.', ['input', 'id']);

/**
 * Reads the current fields of a likeable that its likes have in their rows. Authors are for books.
 * A like has no name of a list, which goes with the account of its owner.
 */
export async function shownFieldsNow(app: AppContext, likeableId: string): Promise<Pick<Book, 'title' | 'authors'>> {
  const { type, key } = storedSubject(likeableId);
  // A review has the title of its book, which is read with it.
  if (type === 'BookList' || type === 'Review') return { title: '', authors: [] };
  if (type === 'Item') return { title: await itemTitleNow(app, key), authors: [] };

  const { title, authors } = await bookNow(app, key);
  return { title, authors };
}

/**
 * Returns the work that follows when the likes of a thing are counted anew; `undefined` for most
 * things. It may be repeated at any time.
 */
export function afterCounting(app: AppContext, likeableId: string): (() => Promise<void>) | undefined {
  const { type, key } = storedSubject(likeableId);
  return type === 'Review' ? () => beginRanking(app, key) : undefined;
}
