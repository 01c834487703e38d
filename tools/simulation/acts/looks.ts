import { bookEvenRemoved } from '../../../src/catalogue/operations.ts';
import { feedOf } from '../../../src/feed/operations.ts';
import { accountById } from '../../../src/identity/operations.ts';
import { knownLikersOf } from '../../../src/likes/known-likers.ts';
import { notificationsOf } from '../../../src/notifications/operations.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

const PAGE = { first: 100 };

/** Reads what readers whom a reader follows did, as pages of the reader show it. */
export interface Looks {
  readonly feed: Awaited<ReturnType<typeof feedOf>>;
  readonly notifications: Awaited<ReturnType<typeof notificationsOf>>;
  /** By the ids of books; without those that do not exist. */
  readonly known: ReadonlyMap<string, Awaited<ReturnType<typeof knownLikersOf>>>;
}

/**
 * Reads the feed, the notifications and the known likers of all books for a reader; `undefined` if
 * their account is deleted.
 */
export async function looksOf(scene: Scene, userId: string): Promise<Looks | undefined> {
  const context = contextOf(scene, userId);
  if (!(await accountById(context, userId))) return undefined;
  const [feed, notifications] = [await feedOf(context, PAGE), await notificationsOf(context, userId, PAGE)];
  const known = new Map<string, Awaited<ReturnType<typeof knownLikersOf>>>();
  for (const bookId of scene.library.books) {
    const book = await bookEvenRemoved(context, bookId);
    if (book) known.set(bookId, await knownLikersOf(context, book, PAGE));
  }
  return { feed, notifications, known };
}

/** A reader looks at what others did. The server keeps what it has read for it. */
export async function callLooks(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  return (await attempt(scene, () => looksOf(scene, world.pick(library.readers)))).outcome;
}
