import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { BookCard, bookPath } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import {
  MoreReaderLikesDocument,
  MoreReaderRatingsDocument,
  MoreReaderReviewsDocument,
  ReaderDocument,
} from '../documents.generated.ts';
import { dayOf, priceOf, wordsOf } from '../format.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { ListRows } from './lists.tsx';
import { ReaderActions } from './reader-actions.tsx';
import { ReaderRatings, ReaderReviews } from './reader-opinions.tsx';

/** A reader, as far as they show themselves to the one who looks. */
export function Reader({ id }: { readonly id: string }) {
  const me = useSession()?.readerId;
  const { data, loading, error, fetchMore } = useQuery(ReaderDocument, {
    variables: { id },
    fetchPolicy: 'cache-and-network',
  });
  const reader = data?.node?.__typename === 'User' ? data.node : undefined;
  return (
    <Page title={reader?.fullName ?? 'Reader'}>
      <Answer isLoading={loading && !data} error={error}>
        {!reader && !error && <p>There is no such reader.</p>}
        {reader && (
          <>
            <p className="note">Reader since {dayOf(reader.registeredAt)}</p>
            <Section title="Likes">
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
                  load={(after) => fetchMore({ query: MoreReaderLikesDocument, variables: { id, after } })}
                />
              )}
            </Section>
            <Section title="Last read">
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
                ratings={reader.ratings}
                load={(ratingsAfter) =>
                  fetchMore({ query: MoreReaderRatingsDocument, variables: { id, ratingsAfter } })
                }
              />
            )}
            {reader.reviews && (
              <ReaderReviews
                reviews={reader.reviews}
                load={(reviewsAfter) =>
                  fetchMore({ query: MoreReaderReviewsDocument, variables: { id, reviewsAfter } })
                }
              />
            )}
            {reader.lists.edges.length > 0 && (
              <Section title="Lists">
                <ListRows label="Lists of the reader" lists={reader.lists.edges} />
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
                      </span>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            {me !== undefined && me !== id && <ReaderActions id={id} name={reader.fullName} />}
          </>
        )}
      </Answer>
    </Page>
  );
}
