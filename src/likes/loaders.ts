import { rows, type Cassandra } from '../cassandra/statement.ts';
import { rowLoader } from '../loaders.ts';
import { selectCounts, selectLikesOfViewer } from './tables.ts';

export const likeLoaders = (cassandra: Cassandra, viewerIdNow: () => string | null) => ({
  likeCounts: rowLoader(
    (likeable_ids) => rows(cassandra, selectCounts, { likeable_ids }),
    (row) => row.likeable_id,
  ),
  likesOfViewer: rowLoader(
    async (likeable_ids) => {
      const user_id = viewerIdNow();
      return user_id === null ? [] : rows(cassandra, selectLikesOfViewer, { user_id, likeable_ids });
    },
    (row) => row.likeable_id,
  ),
});
