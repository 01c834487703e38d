import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { Answer } from '../components/answer.tsx';
import { bookPath } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { HistoryDocument, type ActionKind, type HistoryQuery } from '../documents.generated.ts';
import { dayOf, momentOf, wordsOf } from '../format.ts';
import { Link, pathTo, useAddress } from '../router.tsx';
import { useSession } from '../session.ts';
import { listPath } from './lists.tsx';

const FILTERS: Readonly<Record<string, readonly ActionKind[]>> = {
  likes: ['LIKED', 'UNLIKED'],
  reading: ['READ', 'READING_CORRECTED', 'UNMARKED_READ', 'STATUS_CHANGED'],
  views: ['VIEWED', 'CLICKED'],
  sales: ['LISTED', 'PRICE_CHANGED', 'WITHDRAWN', 'SOLD'],
  logins: ['REGISTERED', 'LOGGED_IN'],
};

const WORDS: Readonly<Partial<Record<ActionKind, string>>> = {
  READING_CORRECTED: 'Corrected the days of',
  UNMARKED_READ: 'Took back that I read',
  PRICE_CHANGED: 'Changed the price of',
};

/** Returns what the reader did, as the beginning of a sentence that names the book. */
function actOf({ kind, status }: Pick<Action, 'kind' | 'status'>): string {
  if (kind !== 'STATUS_CHANGED') return WORDS[kind] ?? wordsOf(kind);
  return status === null ? 'Took off the shelf:' : `Put on the shelf “${wordsOf(status)}”:`;
}

/** All that the reader did, newest first. */
export function ActionLog() {
  const isReader = useSession() !== undefined;
  const only = useAddress().searchParams.get('only') ?? '';
  const variables = { kinds: FILTERS[only] };
  const { data, loading, error, fetchMore } = useQuery(HistoryDocument, {
    variables,
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const actions = data?.viewer?.actions;
  if (!isReader) return <NeedsLogin title="All that I did" />;
  return (
    <Page title="All that I did">
      <p>
        <Link to="/history">My diary</Link>
      </p>
      <nav aria-label="Kinds of actions" className="tags">
        {['', ...Object.keys(FILTERS)].map((name) => (
          <Link key={name} to={pathTo('/history/log', { only: name })} aria-current={name === only}>
            {name ? wordsOf(name) : 'All'}
          </Link>
        ))}
      </nav>
      <Answer isLoading={loading && !actions} error={error}>
        {actions?.edges.length === 0 && <p>There is nothing yet.</p>}
        <ul className="rows results" aria-label="Actions">
          {actions?.edges.map(({ cursor, node }) => (
            <li key={cursor}>
              <span>
                {actOf(node)} {linkTo(node) ?? node.element}
              </span>
              <Time {...node} />
            </li>
          ))}
        </ul>
        {actions && (
          <More
            isLast
            label="Show more actions"
            page={actions.pageInfo}
            load={(after) => fetchMore({ variables: { ...variables, after } })}
          />
        )}
      </Answer>
    </Page>
  );
}

type Action = NonNullable<NonNullable<NonNullable<HistoryQuery['viewer']>['actions']>['edges'][number]>['node'];

/** The time of an action. A book that was read on a day has the noon of it, in UTC, for a time. */
function Time({ kind, at }: Pick<Action, 'kind' | 'at'>) {
  const [day = '', time] = at.split('T');
  const isDay = kind === 'READ' && time === '12:00:00.000Z';
  return <time dateTime={isDay ? day : at}>{isDay ? dayOf(day) : momentOf(at)}</time>;
}

/** Returns a link to what an action is about: a book, also that of a copy or a review, or a list. */
function linkTo({ book, likeable }: Pick<Action, 'book' | 'likeable'>): ReactNode {
  if (likeable?.__typename === 'BookList') return <Link to={listPath(likeable.id)}>{likeable.title}</Link>;
  if (!book) return null;
  const title = likeable?.title ?? book.title;
  return <Link to={bookPath(book.id)}>{likeable?.__typename === 'Review' ? `a review of ${title}` : title}</Link>;
}
