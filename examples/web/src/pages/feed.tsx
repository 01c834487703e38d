import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { Answer } from '../components/answer.tsx';
import { BookCard } from '../components/book-card.tsx';
import { FollowButton } from '../components/follow-button.tsx';
import { LikeButton } from '../components/like-button.tsx';
import { More } from '../components/more.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { Person, readerPath } from '../components/person.tsx';
import { Section } from '../components/section.tsx';
import { Rating } from '../components/stars.tsx';
import { FeedDocument, WhomToFollowDocument, type FeedQuery } from '../documents.generated.ts';
import { dayOf } from '../format.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { useNewEntries } from './feed-changes.ts';
import { listPath } from './lists.tsx';

type Entry = NonNullable<FeedQuery['feed']>['edges'][number]['node'];

/** What the readers whom the viewer follows liked, read, rated and reviewed, newest first. */
export function Feed() {
  const isReader = useSession() !== undefined;
  const { data, loading, error, fetchMore, refetch } = useQuery(FeedDocument, {
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const feed = data?.feed;
  const hasNews = useNewEntries(feed);
  const showNews = () => {
    scrollTo({ top: 0 });
    // The page shows the error.
    refetch().catch(() => undefined);
  };
  if (!isReader) return <NeedsLogin title="Feed" />;
  return (
    <Page title="Feed">
      <Answer isLoading={loading && !feed} error={error}>
        <p role="status" className="news">
          {hasNews && <button onClick={showNews}>New in your feed</button>}
        </p>
        {feed?.edges.length === 0 && <WhomToFollow />}
        <ul className="cards" aria-label="Feed">
          {feed?.edges.map(({ cursor, node }) => (
            <Card key={cursor} entry={node} />
          ))}
        </ul>
        {feed && (
          <More isLast label="Load more" page={feed.pageInfo} load={(after) => fetchMore({ variables: { after } })} />
        )}
      </Answer>
    </Page>
  );
}

function Card({ entry }: { readonly entry: Entry }) {
  const { book, likeable, reader, at } = entry;
  const note = (
    <>
      <Link to={readerPath(reader.id)}>{reader.fullName}</Link> {actOf(entry)}, <time dateTime={at}>{dayOf(at)}</time>
    </>
  );
  if (book) return <BookCard book={book} note={note} />;
  return (
    likeable && (
      <li className="card">
        <Link to={listPath(likeable.id)}>
          <span className="title">{likeable.title}</span>
        </Link>
        <span className="note">{note}</span>
        <LikeButton likeable={likeable} />
      </li>
    )
  );
}

/** In code points. */
const BEGIN_OF_TEXT = 140;

/** Returns what the reader did, as the end of a sentence about them. */
function actOf({ kind, likeable, rating, review }: Entry): ReactNode {
  if (kind === 'LIKED') return `liked ${LIKED[likeable?.__typename ?? 'Book']}`;
  if (kind === 'READ') return 'read it';
  if (kind === 'RATED') return <>rated it {rating !== null && <Rating value={rating} />}</>;
  if (!review || review.hasSpoilers) return 'reviewed it';
  const text = Array.from(review.text);
  return `reviewed it: “${text.slice(0, BEGIN_OF_TEXT).join('')}${text.length > BEGIN_OF_TEXT ? ' …' : ''}”`;
}

const LIKED: Readonly<Record<NonNullable<Entry['likeable']>['__typename'], string>> = {
  Book: 'it',
  BookList: 'the list',
  Item: 'a copy of it',
  Review: 'a review of it',
};

/** Readers who like popular books, for a reader whose feed is empty. */
function WhomToFollow() {
  const me = useSession()?.readerId;
  const { data } = useQuery(WhomToFollowDocument, { fetchPolicy: 'cache-and-network' });
  const found = data?.books?.edges.flatMap(({ node: { title, likers } }) =>
    likers.edges.flatMap(({ node }) => (node && node.id !== me ? [{ reader: node, title }] : [])),
  );
  const readers = new Map(found?.map((each) => [each.reader.id, each]));
  return (
    <>
      <p>
        Here you see what the readers whom you follow like, read, rate and review. To find some, open a book that you
        like, and look who likes it too.
      </p>
      {readers.size > 0 && (
        <Section title="Whom to follow">
          <ul className="rows" aria-label="Whom to follow">
            {[...readers.values()].map(({ reader, title }) => (
              <li key={reader.id}>
                <span>
                  <Person reader={reader} />
                  <span className="note">likes {title}</span>
                </span>
                <FollowButton reader={reader} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
