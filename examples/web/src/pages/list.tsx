import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { LikeButton } from '../components/like-button.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { readerPath } from '../components/person.tsx';
import { Report } from '../components/report.tsx';
import { ListDocument } from '../documents.generated.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { Entries } from './list-entries.tsx';
import { ListSettings } from './list-settings.tsx';

/** A list of books. Its owner orders it, gives it another name, or deletes it. */
export function List({ id }: { readonly id: string }) {
  const me = useSession()?.readerId;
  const { data, loading, error, fetchMore } = useQuery(ListDocument, {
    variables: { id },
    fetchPolicy: 'cache-and-network',
  });
  const list = data?.node?.__typename === 'BookList' ? data.node : undefined;
  const load = (after: string) => fetchMore({ variables: { after } });
  const isOwn = list?.owner != null && list.owner.id === me;
  return (
    <Page title={list?.title ?? 'List'}>
      <Answer isLoading={loading && !data} error={error}>
        {!list && !error && <p>There is no such list.</p>}
        {list && (
          <>
            <p>
              {list.owner && (
                <>
                  by <Link to={readerPath(list.owner.id)}>{list.owner.fullName}</Link>{' '}
                </>
              )}
              <LikeButton likeable={list} />
            </p>
            {list.takenDownReason != null && (
              <p className="note">An administrator took it down: {list.takenDownReason}</p>
            )}
            {list.description && <p className="text">{list.description}</p>}
            {list.entries.edges.length === 0 && <p>The list is empty. {isOwn && 'Add books on their pages.'}</p>}
            <Entries list={list} isOwn={isOwn} load={load} />
            <More label="Show more books" page={list.entries.pageInfo} load={load} />
            {isOwn && <ListSettings key={list.id} list={list} />}
            {!isOwn && me !== undefined && <Report id={id} label="Report the list" />}
          </>
        )}
      </Answer>
    </Page>
  );
}
