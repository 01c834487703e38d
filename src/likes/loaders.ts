import { rowLoader } from '../cassandra/row-loader.ts';
import { rows } from '../cassandra/statement.ts';
import { perRequest, type AppContext } from '../context/context.ts';
import { selectCounts, selectLikesOfViewer } from './tables.ts';

/** A loader of counts for whoever asks; what a request asks for comes by {@link likeCountLoader}. */
export const likeCounts = ({ cassandra }: AppContext) =>
  rowLoader(
    (likeable_ids) => rows(cassandra, selectCounts, { likeable_ids }),
    (row) => row.likeable_id,
  );

export const likeCountLoader = perRequest(likeCounts);

/** The viewer's likes by likeable_id; none where nobody is signed in. */
export const viewerLikeLoader = perRequest((context) =>
  rowLoader(
    async (likeable_ids) => {
      const { viewerId: user_id } = context;
      return user_id === null ? [] : rows(context.cassandra, selectLikesOfViewer, { user_id, likeable_ids });
    },
    (row) => row.likeable_id,
  ),
);
