import { bookById, bookEvenRemoved, bookNow, existingBook, type Book } from '../catalogue/operations.ts';
import { existingItem, itemById, itemTitleNow, type Item } from '../market/operations.ts';
import { type NodeId, subjectOf, parseSubject, idInput } from '../graphql/ids.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';

/** What readers can like: books and copies. */
export type Likeable = Book | Item;

/** A likeable by its id; null when there is none. */
export async function findLikeable(context: RequestContext, { type, key }: NodeId): Promise<Likeable | null> {
  if (type === 'Book') return bookById(context, key);
  return type === 'Item' ? itemById(context, key) : null;
}

/** A likeable that is known to exist, because a like of it was just read. */
export const existingLikeable = (context: RequestContext, { type, key }: NodeId): Promise<Likeable> =>
  type === 'Item' ? existingItem(context, key) : existingBook(context, key);

/** What tables call a likeable: `Type:key`. */
export const likeableIdOf = ({ type, id }: Likeable) => subjectOf({ type, key: id });

/** The id of what a likeable_id names. */
export function likeableIdFrom(likeableId: string): NodeId {
  const id = parseSubject(likeableId);
  if (!id) throw new Error(`A like is of ${likeableId}, which is no id of this server's types`);
  return id;
}

/** The book that an action was about, also by way of a copy of it; null where there is none, or none any more. */
export async function bookOfSubject(context: RequestContext, subject: string): Promise<Book | null> {
  const id = parseSubject(subject);
  const bookId = id?.type === 'Item' ? (await itemById(context, id.key))?.bookId : id?.key;
  return bookId !== undefined && (id?.type === 'Book' || id?.type === 'Item') ? bookById(context, bookId) : null;
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

  const likeable = await (type === 'Book' ? bookEvenRemoved : itemById)(context, key);
  if (!likeable) throw new UserError('NOT_FOUND', 'Nothing has this id.', ['input', 'id']);
  return likeable;
}

/** The title of a likeable that is known to exist, as it is now. */
export async function titleNow(app: AppContext, likeableId: string): Promise<string> {
  const { type, key } = likeableIdFrom(likeableId);
  return type === 'Item' ? itemTitleNow(app, key) : (await bookNow(app, key)).title;
}
