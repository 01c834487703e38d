import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { audienceName } from '../components/audiences.ts';
import { BookCard, bookPath } from '../components/book-card.tsx';
import { Face } from '../components/face.tsx';
import { FollowButton } from '../components/follow-button.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { readerPath } from '../components/person.tsx';
import { Section } from '../components/section.tsx';
import { SeenBy } from '../components/seen-by.tsx';
import {
  MoreReaderLikesDocument,
  MoreReaderListingsDocument,
  MoreReaderListsDocument,
  MoreReaderRatingsDocument,
  MoreReaderReviewsDocument,
  ReaderDocument,
  type Audience,
} from '../documents.generated.ts';
import { counted, dayOf, priceOf, wordsOf } from '../format.ts';
import { Link, pathTo, useAddress } from '../router.tsx';
import { useSession } from '../session.ts';
import { ListRows } from './lists.tsx';
import { ReaderActions } from './reader-actions.tsx';
import { ReaderRatings, ReaderReviews } from './reader-opinions.tsx';

/** The others whose eyes a reader can look at the own page with. */
const OTHERS = ['EVERYONE', 'SIGNED_IN', 'FOLLOWERS'] as const satisfies readonly Audience[];

interface EyesProps {
  readonly id: string;
  readonly seenBy: Audience | undefined;
}

/** The choice of the eyes that the reader looks at the own page with. */
function Eyes({ id, seenBy }: EyesProps) {
  return (
    <nav aria-label="Who looks at this page" className="tags">
      {[undefined, ...OTHERS].map((audience) => (
        <Link key={audience ?? ''} to={pathTo(readerPath(id), { seenBy: audience })} aria-current={audience === seenBy}>
          {audience ? `As seen by: ${audienceName(audience)}` : 'As I see it'}
        </Link>
      ))}
    </nav>
  );
}

/** A reader, as far as they show themselves to the one who looks. */
export function Reader({ id }: { readonly id: string }) {
  const me = useSession()?.readerId;
  const asked = useAddress().searchParams.get('seenBy');
  const seenBy = id === me ? OTHERS.find((audience) => audience === asked) : undefined;
  const { data, loading, error, fetchMore } = useQuery(ReaderDocument, {
    variables: { id, seenBy },
    // What others see must not replace what the reader sees.
    fetchPolicy: seenBy ? 'no-cache' : 'cache-and-network',
  });
  const reader = data?.user;
  /** Others see the first page of each list here, and the reader all of it. */
  const more = (load: (after: string) => Promise<unknown>) => (seenBy ? undefined : load);
  return (
    <Page title={reader?.fullName ?? 'Reader'}>
      {id === me && <Eyes id={id} seenBy={seenBy} />}
      <Answer isLoading={loading && !data} error={error}>
        {!reader && !error && <p>There is no such reader.</p>}
        {reader && (
          <fieldset className="whole" disabled={seenBy !== undefined}>
            <div className="reader">
              <span aria-hidden="true">
                <Face name={reader.fullName} url={reader.avatarUrl} />
              </span>
              <div>
                {reader.bio !== null && <p className="text">{reader.bio}</p>}
                <p className="note">
                  Reader since {dayOf(reader.registeredAt)} ·{' '}
                  <Link to={`${readerPath(id)}/followers`}>{counted(reader.followerTally.count, 'follower')}</Link> ·{' '}
                  <Link to={`${readerPath(id)}/following`}>Following</Link>
                </p>
                {id !== me && <FollowButton reader={reader} />}
              </div>
            </div>
            <Section title="Likes">
              <SeenBy audience={reader.privacy?.likes} />
              {reader.likes === null && <p>{reader.fullName} does not show what they like.</p>}
              {reader.likes?.edges.length === 0 && <p>No likes yet.</p>}
              <ul className="cards" aria-label="Liked books">
                {reader.likes?.edges.map(
                  ({ node, likedAt }) =>
                    node?.__typename === 'Book' && <BookCard key={node.id} book={node} note={dayOf(likedAt)} />,
                )}
              </ul>
              {reader.likes && (
                <More
                  label="Show more likes"
                  page={reader.likes.pageInfo}
                  load={more((after) => fetchMore({ query: MoreReaderLikesDocument, variables: { id, after } }))}
                />
              )}
            </Section>
            <Section title="Last read">
              <SeenBy audience={reader.privacy?.readings} />
              {reader.readBooks === null && <p>{reader.fullName} does not show what they have read.</p>}
              {reader.readBooks?.edges.length === 0 && <p>No books yet.</p>}
              <ul className="cards" aria-label="Read books">
                {reader.readBooks?.edges.map(({ node }) => (
                  <BookCard key={node.id} book={node} />
                ))}
              </ul>
            </Section>
            {reader.ratings && (
              <ReaderRatings
                audience={reader.privacy?.readings}
                ratings={reader.ratings}
                load={more((ratingsAfter) =>
                  fetchMore({ query: MoreReaderRatingsDocument, variables: { id, ratingsAfter } }),
                )}
              />
            )}
            {reader.reviews && (
              <ReaderReviews
                reviews={reader.reviews}
                load={more((reviewsAfter) =>
                  fetchMore({ query: MoreReaderReviewsDocument, variables: { id, reviewsAfter } }),
                )}
              />
            )}
            {reader.lists.edges.length > 0 && (
              <Section title="Lists">
                <ListRows label="Lists of the reader" lists={reader.lists.edges} />
                <More
                  label="Show more lists"
                  page={reader.lists.pageInfo}
                  load={more((after) => fetchMore({ query: MoreReaderListsDocument, variables: { id, after } }))}
                />
              </Section>
            )}
            {reader.listings.edges.length > 0 && (
              <Section title="Sells">
                <ul className="rows">
                  {reader.listings.edges.map(({ node: copy }) => (
                    <li key={copy.id}>
                      <Link to={bookPath(copy.book.id)}>{copy.title}</Link>
                      <span>
                        {wordsOf(copy.condition)}, {priceOf(copy.price)}
                        {copy.place && `, ${copy.place}`}
                      </span>
                    </li>
                  ))}
                </ul>
                <More
                  label="Show more copies"
                  page={reader.listings.pageInfo}
                  load={more((after) => fetchMore({ query: MoreReaderListingsDocument, variables: { id, after } }))}
                />
              </Section>
            )}
            {me !== undefined && me !== id && <ReaderActions id={id} name={reader.fullName} />}
          </fieldset>
        )}
      </Answer>
    </Page>
  );
}
