import type { MaybePromise } from '../cassandra/maybe-promise.ts';
import type { AppContext, RequestContext } from '../context/context.ts';
import type { NodeType } from '../graphql/ids.ts';
import type { Models } from '../graphql/models.ts';
import type { LikeableKind, LikePayload, NotificationKind } from '../graphql/generated/schema-types.ts';

declare module '../context/context.ts' {
  interface AppContext {
    /** The types of objects with an id, as their features declare them. */
    readonly nodeTypes: NodeTypes;
  }
}

/** The types of objects with an id, by name. */
export type NodeTypes = { readonly [Type in NodeType]: NodeTypeDeclaration<Models[Type]> };

/** A feature's declaration of a type of objects with an id. */
export interface NodeTypeDeclaration<Node> {
  /** Finds an object; null if there is none, or if the caller may not see it. */
  readonly find: (context: RequestContext, key: string) => Promise<Node | null>;
  /** Set if readers can like the objects. */
  readonly likeable?: LikeableDeclaration<Node>;
}

/** The names of the types that the schema declares as likeable. */
export type LikeableType = NonNullable<NonNullable<LikePayload['likeable']>['__typename']>;

/** The notifications of the owner of an object. */
export interface Notified {
  readonly kind: NotificationKind;
  /** Returns the current owner of an object; null if it was deleted. */
  readonly ownerNow: (app: AppContext, key: string) => Promise<string | null>;
}

/** A feature's declaration of a type of objects that readers can like. */
export interface LikeableDeclaration<Likeable> {
  readonly kind: LikeableKind;
  /** The plural noun for messages: `books`. */
  readonly plural: string;
  /**
   * The first release that can show such likes. Older servers fail on pages with one, so objects of
   * this type cannot be liked while an older server runs.
   */
  readonly likedSince?: string;
  /** Reads an object that exists because a like of it was just read. If unset, `find` is used. */
  readonly readLiked?: (context: RequestContext, key: string) => MaybePromise<Likeable>;
  /** Finds an object, even one that the caller may not see or that can no longer be liked. */
  readonly findAny: (context: RequestContext, key: string) => Promise<Likeable | null>;
  /** Returns whether the caller may see an object. Unset if everybody may. */
  readonly isShown?: (context: RequestContext, likeable: Likeable) => Promise<boolean>;
  /** Returns the id of the reader whom the object belongs to; null if there is none any more. */
  readonly readerOf?: (likeable: Likeable) => string | null;
  /**
   * Returns why an object can no longer be liked. An earlier like remains, and can be taken back.
   */
  readonly whyGone?: (likeable: Likeable) => string | undefined;
  /**
   * Reads the object's fields that are stored in the row of a like. The object must exist. Unset if
   * the row stores none, because pages read the object itself.
   */
  readonly fieldsInRow?: (app: AppContext, key: string) => Promise<{ title: string; authors: string[] }>;
  /** Finds the book that an object is or is about. Unset if there is none. */
  readonly bookOf?: (context: RequestContext, key: string) => MaybePromise<Models['Book'] | null>;
  /** Set if the owner of an object is notified of likes. */
  readonly notified?: Notified;
  /** Begins the work that follows a new count of an object's likes. It may be repeated. */
  readonly afterCounting?: (app: AppContext, key: string) => Promise<void>;
}
