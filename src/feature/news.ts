import type { AppContext } from '../context/context.ts';
import type { NotificationKind } from '../graphql/generated/schema-types.ts';

declare module '../context/context.ts' {
  interface AppContext {
    /** The functions of features that are told of news, once its notice is written. */
    readonly newsListeners: readonly NewsListener[];
  }
}

/** A thing of a reader that has news. */
export interface News {
  /** The reader whom the news is for. */
  readonly userId: string;
  readonly kind: NotificationKind;
  /** The thing, as `Type:key`. */
  readonly subject: string;
  readonly at: Date;
}

/** A function that is told of news. Nobody waits for what it does, and it never throws. */
export type NewsListener = (app: AppContext, news: News) => void;
