import { andThen, type MaybePromise } from '../cassandra/maybe-promise.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import { overloaded, UserError, invalidInput } from '../graphql/errors.ts';
import { idInput, parseSubject, storedSubject, subjectOf, type NodeId, type NodeType } from '../graphql/ids.ts';
import type { Models } from '../graphql/models.ts';
import type { LikeableKind } from '../graphql/generated/schema-types.ts';
import type { News } from '../feature/news.ts';
import type { LikeableDeclaration, LikeableType, NodeTypeDeclaration } from '../feature/node-types.ts';
import { hiddenReaders } from '../identity/privacy.ts';
import { isEarlierReleaseAlive } from '../transactions/operations.ts';

/** The things that readers can like: objects of the types that features declare as likeable. */

export type Likeable = Models[LikeableType];

type LikeableNodeType = NodeTypeDeclaration<Likeable> & { readonly likeable: LikeableDeclaration<Likeable> };

/** Returns the declaration of a likeable type; `undefined` for a type that cannot be liked. */
function declarationOf({ nodeTypes }: AppContext, type: NodeType): LikeableNodeType | undefined {
  const declaration = nodeTypes[type];
  return declaration.likeable && (declaration as LikeableNodeType);
}

/** @throws Error for a type that cannot be liked */
function likeableDeclaration(app: AppContext, type: NodeType): LikeableNodeType {
  const declaration = declarationOf(app, type);
  if (!declaration) throw new Error(`A ${type} cannot be liked`);
  return declaration;
}

/** Returns whether readers can like objects of a type. */
export const canBeLiked = (app: AppContext, type: NodeType): boolean => declarationOf(app, type) !== undefined;

/** Returns whether likes of a type are of a kind. */
export const isOfKind = (app: AppContext, type: NodeType, kind: LikeableKind): boolean =>
  declarationOf(app, type)?.likeable.kind === kind;

/** Finds a likeable by its id; null if there is none, or if the caller may not see it. */
export async function findLikeable(context: RequestContext, { type, key }: NodeId): Promise<Likeable | null> {
  return declarationOf(context, type)?.find(context, key) ?? null;
}

/**
 * Reads a likeable that exists because a like of it was just read; null if the caller may not see
 * it, or for a deleted list.
 */
export function likedLikeable(context: RequestContext, { type, key }: NodeId): MaybePromise<Likeable | null> {
  const { find, likeable } = likeableDeclaration(context, type);
  return (likeable.readLiked ?? find)(context, key);
}

/**
 * Returns the title of a liked thing; null for one that the caller may not see.
 * @param title the title in the row of the like; `undefined` if the thing must be read for it
 */
export const titleOfLiked = (
  context: RequestContext,
  node: NodeId,
  title: string | undefined,
): MaybePromise<string | null> => title ?? andThen(likedLikeable(context, node), (likeable) => likeable?.title ?? null);

/** Returns whether the caller may see a likeable. */
export async function isLikeableShown(context: RequestContext, likeable: Likeable): Promise<boolean> {
  const { isShown } = likeableDeclaration(context, likeable.type).likeable;
  return !isShown || isShown(context, likeable);
}

/**
 * Finds out who sees an object of a likeable type.
 * @returns true for everybody, false for nobody; otherwise the likeable, about which {@link
 *   isLikeableShown} decides for each caller
 */
export async function whoSees(context: RequestContext, { type, key }: NodeId): Promise<Likeable | boolean> {
  const { find, likeable } = likeableDeclaration(context, type);
  if (!likeable.isShown) return (await find(context, key)) !== null;
  return (await likeable.findAny(context, key)) ?? false;
}

/** Returns the reader whom a likeable belongs to; null if there is none. */
export const readerOfLikeable = (app: AppContext, likeable: Likeable): string | null =>
  likeableDeclaration(app, likeable.type).likeable.readerOf?.(likeable) ?? null;

/** The likeable_id of a likeable: `Type:key`. */
export const likeableIdOf = ({ type, id }: Likeable) => subjectOf({ type, key: id });

/**
 * Reads the book that an action was about, or whose copy or review it was about; null if it was
 * deleted.
 */
export function bookOfSubject(context: RequestContext, subject: string): MaybePromise<Models['Book'] | null> {
  const id = parseSubject(subject);
  const bookOf = id && declarationOf(context, id.type)?.likeable.bookOf;
  return bookOf ? bookOf(context, id.key) : null;
}

/**
 * Reads the likeable that an input's id names, even one that can no longer be liked.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 */
export async function likeableInput(context: RequestContext, id: string): Promise<Likeable> {
  const { type, key } = idInput('id', id);
  const declaration = declarationOf(context, type);
  if (!declaration) {
    const message = `This is the id of a ${type}, which cannot be liked; ${pluralsOf(context)} can.`;
    throw invalidInput(['id'], message);
  }

  const { isShown, findAny } = declaration.likeable;
  // The readers hidden from the viewer are read together with the likeable; they decide if it is
  // shown.
  if (isShown) hiddenReaders(context);
  const likeable = await findAny(context, key);
  if (!likeable) throw nothingHasThisId();
  return likeable;
}

/** Lists the things that can be liked, for a message. */
export function pluralsOf({ nodeTypes }: AppContext): string {
  const plurals = Object.values(nodeTypes).flatMap(({ likeable }) => likeable?.plural ?? []);
  return new Intl.ListFormat('en-GB').format(plurals.toSorted());
}

/**
 * Reads the likeable that an input's id names, and that the viewer can like.
 * @throws {UserError} `INVALID_INPUT` or `NOT_FOUND`, about `id`
 * @throws `OVERLOADED` while a server runs that does not know this kind of likes
 */
export async function likeableToLike(context: RequestContext, id: string): Promise<Likeable> {
  const likeable = await likeableInput(context, id);
  await requireShown(context, likeable);

  const { likedSince, whyGone } = likeableDeclaration(context, likeable.type).likeable;
  if (likedSince !== undefined && isEarlierReleaseAlive(context, likedSince))
    throw overloaded('A server of an earlier release still runs, and cannot show this like.', UPGRADED_AFTER_SECONDS);

  const gone = whyGone?.(likeable);
  if (gone !== undefined) throw new UserError('NOT_FOUND', gone, ['input', 'id']);
  return likeable;
}

/** The time after which a caller may ask whether all servers are upgraded. */
const UPGRADED_AFTER_SECONDS = 60;

/**
 * Checks that the caller may see a likeable, so that the caller does not learn whether a hidden one
 * exists.
 * @throws {UserError} `NOT_FOUND` about `id`
 */
export async function requireShown(context: RequestContext, likeable: Likeable): Promise<void> {
  if (!(await isLikeableShown(context, likeable))) throw nothingHasThisId();
}

const nothingHasThisId = () => new UserError('NOT_FOUND', 'This does not exist, or not any more.', ['input', 'id']);

/** The fields of a likeable that the rows of its likes store. Only books have authors. */
export interface ShownFields {
  readonly title: string;
  readonly authors: string[];
}

/** Reads the current fields of a likeable that the rows of its likes store. */
export async function shownFieldsNow(app: AppContext, likeableId: string): Promise<ShownFields> {
  const { type, key } = storedSubject(likeableId);
  const { fieldsInRow } = likeableDeclaration(app, type).likeable;
  return fieldsInRow ? fieldsInRow(app, key) : { title: '', authors: [] };
}

/**
 * Returns the work that follows a new count of a thing's likes; `undefined` for most things. It may
 * be repeated at any time.
 */
export function afterCounting(app: AppContext, likeableId: string): (() => Promise<void>) | undefined {
  const { type, key } = storedSubject(likeableId);
  const { afterCounting: begin } = likeableDeclaration(app, type).likeable;
  return begin && (() => begin(app, key));
}

/**
 * Returns the news of a like for the owner of the liked thing; `undefined` if nobody is notified:
 * of a thing that has no owner any more, or of one's own like.
 */
export async function newsOfLike(
  app: AppContext,
  { userId, likeableId }: { readonly userId: string; readonly likeableId: string },
  at: Date,
): Promise<News | undefined> {
  const { type, key } = storedSubject(likeableId);
  const { notified } = likeableDeclaration(app, type).likeable;
  if (!notified) return undefined;
  const ownerId = await notified.ownerNow(app, key);
  if (ownerId === null || ownerId === userId) return undefined;
  return { userId: ownerId, kind: notified.kind, subject: likeableId, at };
}
