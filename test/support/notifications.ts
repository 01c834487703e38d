import type { TestServer } from './app.ts';
import { ownBooks } from './books.ts';
import type { Client } from './client.ts';

/** Notifications, and the things that they are about. */

/** Makes a review of a reader. */
export async function reviewOf({ app }: TestServer, reader: Client): Promise<string> {
  const [bookId] = await ownBooks(app, 1);
  const input = { bookId, text: 'Good', hasSpoilers: false };
  return (await reader.mutate('writeReview', input, 'review { id }')).review.id as string;
}

/** Makes a list of a reader. */
export const listOf = async (reader: Client): Promise<string> =>
  (await reader.mutate('createList', { name: 'Best', audience: 'EVERYONE' }, 'list { id }')).list.id as string;

/** The fields of a {@link Shown} notification. */
export const FIELDS = 'kind at isRead count readers { fullName } subject { id }';

/** A notification as tests compare it. */
export interface Shown {
  readonly kind: string;
  readonly at: string;
  readonly isRead: boolean;
  readonly count: number;
  readonly readers: readonly { readonly fullName: string }[];
  readonly subject: { readonly id: string };
}

/** Reads the notifications of a reader. */
export async function notificationsOf(reader: Client): Promise<Shown[]> {
  const { viewer } = await reader.data(`{ viewer { notifications(first: 100) { nodes { ${FIELDS} } } } }`);
  return viewer.notifications.nodes as Shown[];
}

export const unreadOf = async (reader: Client): Promise<number> =>
  (await reader.data('{ viewer { unreadNotificationCount } }')).viewer.unreadNotificationCount as number;

/** Marks the notifications of a reader up to a moment as read. */
export const markRead = (reader: Client, until: number | string) =>
  reader.mutate(
    'markNotificationsRead',
    { until: typeof until === 'string' ? until : new Date(until).toISOString() },
    'viewer { unreadNotificationCount }',
  );
