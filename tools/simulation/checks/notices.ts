import type { BookListState } from '../../../src/lists/tables.ts';
import type { LibraryImportState } from '../../../src/libraryimports/tables.ts';
import { idOf } from '../../../src/reviews/aggregate.ts';
import type { ReviewState } from '../../../src/reviews/tables.ts';
import { dayAt } from '../../../src/time/days.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show } from '../cluster/values.ts';

const KINDS: Readonly<Record<string, string>> = { Review: 'REVIEW_LIKED', BookList: 'LIST_LIKED', User: 'FOLLOWED' };

/**
 * Checks that the owner of each liked review and list, each followed reader, and the reader of each
 * ended import have notices.
 */
export function* missingNotices(cluster: Cluster): Generator<string> {
  const notices = new Set(
    cluster
      .scan('notices_by_user')
      .map((row) => [row['user_id'], row['day'], row['kind'], row['subject_id']].map(show).join(' ')),
  );
  const owners = ownersIn(cluster);
  for (const row of cluster.scan('user_by_item')) {
    const subject = show(row['likeable_id']);
    const [type = '', key] = subject.split(':');
    const owner = type === 'User' ? key : owners.get(subject);
    if (row['liked'] !== true || owner === undefined || owner === show(row['user_id'])) continue;
    const notice = `${owner} ${dayAt(row['liked_at'] as Date)} ${KINDS[type] ?? ''} ${subject}`;
    if (!notices.has(notice)) yield `notices_by_user lacks: ${notice}`;
  }

  for (const row of cluster.scan('library_imports')) {
    const { user_id, status, changed_at } = row['state'] as LibraryImportState;
    if (user_id === null || status !== 'DONE') continue;
    const notice = `${show(user_id)} ${dayAt(changed_at)} IMPORT_ENDED LibraryImport:${show(row['import_id'])}`;
    if (!notices.has(notice)) yield `notices_by_user lacks: ${notice}`;
  }
}

/** Returns the owner of each review and list that is not deleted. */
function ownersIn(cluster: Cluster): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const row of cluster.scan('reviews')) {
    const state = row['state'] as ReviewState;
    if (state.author_id !== null) owners.set(`Review:${idOf(show(row['review_id']), state)}`, show(state.author_id));
  }
  for (const row of cluster.scan('book_lists')) {
    const state = row['state'] as BookListState | null;
    if (state?.owner_id) owners.set(`BookList:${show(row['list_id'])}`, show(state.owner_id));
  }
  return owners;
}
