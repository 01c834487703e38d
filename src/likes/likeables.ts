import { andThen, type Soon } from '../cassandra/soon.ts';
import type { Book } from '../catalogue/book.ts';
import { bookById, bookEvenRemoved, bookNow, existingBook, shownBook } from '../catalogue/operations.ts';
import { isItemShown, itemById, itemTitleNow, shownItem, type Item } from '../market/operations.ts';
import { type NodeId, subjectOf, parseSubject, idInput } from '../graphql/ids.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { hiddenReaders } from '../identity/privacy.ts';

/** What readers can like: books and copies. */
export type Likeable = Book | Item;

/** A likeable by its id as the caller sees it; null when there is none, and for a copy that is not shown to them. */
export async function findLikeable(context: RequestContext, { type, key }: NodeId): Promise<Likeable | null> {
  if (type === 'Book') return bookById(context, key);
  return type === 'Item' ? shownItem(context, key) : null;
}

/** A likeable that is known to exist, because a like of it was just read; null for a copy that is not shown to the caller. */
export const likedLikeable = (context: RequestContext, { type, key }: NodeId): Soon<Likeable | null> =>
  type === 'Item' ? shownItem(context, key) : existingBook(context, key);

/** The title in the row of a like; null for a copy that is not shown to the caller. Every book is shown, and needs no read. */
export const titleOfLiked = (context: RequestContext, node: NodeId, title: string): Soon<string | null> =>
  node.type === 'Book' ? title : andThen(likedLikeable(context, node), (likeable) => likeable && title);

/** Whether a likeable is shown to the caller: every book is. */
export const isLikeableShown = async (context: RequestContext, likeable: Likeable): Promise<boolean> =>
  likeable.type === 'Book' || isItemShown(context, likeable);

/** What tables call a likeable: `Type:key`. */
export const likeableIdOf = ({ type, id }: Likeable) => subjectOf({ type, key: id });

/** The id of what a likeable_id names. */
export function likeableIdFrom(likeableId: string): NodeId {
  const id = parseSubject(likeableId);
  if (!id) throw new Error(`A like is of ${likeableId}, which is no id of this server's types`);
  return id;
}

/** The book that an action was about, also by way of a copy of it; null where there is none, or none any more. */
export function bookOfSubject(context: RequestContext, subject: string): Soon<Book | null> {
  const id = parseSubject(subject);
  if (id?.type === 'Book') return shownBook(context, id.key);
  if (id?.type !== 'Item') return null;
  return itemById(context, id.key).then((item) => item && shownBook(context, item.bookId));
}

/**
 * What can be liked, or could be, by an input's id.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function likeableInput(context: RequestContext, id: string): Promise<Likeable> {
  const { type, key } = idInput('id', id);
  if (type !== 'Book' && type !== 'Item') {
    const message = `This is the id of a ${type}, which cannot be liked; books and copies can.`;
    throw new UserError('INVALID_INPUT', message, ['input', 'id']);
  }

  // Read at once: whether a copy is shown is asked next.
  if (type === 'Item') hiddenReaders(context);
  const likeable = await (type === 'Book' ? bookEvenRemoved : itemById)(context, key);
  if (!likeable) throw nothingHasThisId();
  return likeable;
}

export const nothingHasThisId = () => new UserError('NOT_FOUND', 'Nothing has this id.', ['input', 'id']);

/** The title of a likeable that is known to exist, as it is now. */
export async function titleNow(app: AppContext, likeableId: string): Promise<string> {
  const { type, key } = likeableIdFrom(likeableId);
  return type === 'Item' ? itemTitleNow(app, key) : (await bookNow(app, key)).title;
}
