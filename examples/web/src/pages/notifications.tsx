import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, type ReactNode } from 'react';
import { Answer } from '../components/answer.tsx';
import { bookPath } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { Names } from '../components/names.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import {
  MarkNotificationsReadDocument,
  NotificationsDocument,
  type NotificationsQuery,
} from '../documents.generated.ts';
import { momentOf } from '../format.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { listPath } from './lists.tsx';

type Notification = NonNullable<NonNullable<NotificationsQuery['viewer']>['notifications']>['edges'][number]['node'];

/** The reader's news. They are read once they are shown, and marked as new until the page is opened again. */
export function Notifications() {
  const isReader = useSession() !== undefined;
  const client = useApolloClient();
  const { data, loading, error, fetchMore } = useQuery(NotificationsDocument, {
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const news = data?.viewer?.notifications;
  const newest = news?.edges[0]?.node;
  const unreadUntil = newest?.isRead === false ? newest.at : undefined;

  useEffect(() => {
    if (unreadUntil === undefined) return;
    const variables = { until: unreadUntil };
    // What is not marked now is marked when the page is opened again.
    client.mutate({ mutation: MarkNotificationsReadDocument, variables }).catch(() => undefined);
  }, [client, unreadUntil]);

  if (!isReader) return <NeedsLogin title="News" />;
  return (
    <Page title="News">
      <p>
        <Link to="/profile">What I am notified of</Link>
      </p>
      <Answer isLoading={loading && !news} error={error}>
        {news?.edges.length === 0 && <p>There is no news yet.</p>}
        <ul className="rows" aria-label="News">
          {news?.edges.map(({ cursor, node }) => (
            <li key={cursor}>
              <span>
                {!node.isRead && <span className="badge">New</span>} {sentenceOf(node)}
              </span>
              <time dateTime={node.at}>{momentOf(node.at)}</time>
            </li>
          ))}
        </ul>
        {news && (
          <More isLast label="Load more" page={news.pageInfo} load={(after) => fetchMore({ variables: { after } })} />
        )}
      </Answer>
    </Page>
  );
}

function sentenceOf({ kind, count, readers, subject }: Notification): ReactNode {
  if (kind === 'IMPORT_ENDED')
    return (
      <>
        The <Link to={`/import/${encodeURIComponent(subject.id)}`}>import of your library</Link> has ended.
      </>
    );
  const names = <Names readers={readers} count={count} />;
  if (subject.__typename === 'Review')
    return (
      <>
        {names} liked your review of <Link to={bookPath(subject.book.id)}>{subject.title}</Link>.
      </>
    );
  if (subject.__typename === 'BookList')
    return (
      <>
        {names} liked your list <Link to={listPath(subject.id)}>{subject.title}</Link>.
      </>
    );
  return <>{names} began to follow you.</>;
}
