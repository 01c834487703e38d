import { BookCard, bookPath } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { Review } from '../components/review.tsx';
import { Section } from '../components/section.tsx';
import { SeenBy } from '../components/seen-by.tsx';
import type { Audience, ReaderRatingsFragment, ReaderReviewsFragment } from '../documents.generated.ts';
import { counted } from '../format.ts';
import { Link } from '../router.tsx';

interface RatingsProps {
  readonly audience: Audience | undefined;
  readonly ratings: NonNullable<ReaderRatingsFragment['ratings']>;
  readonly load: ((after: string) => Promise<unknown>) | undefined;
}

/** The books that a reader has rated, last rated first. */
export function ReaderRatings({ audience, ratings: { edges, pageInfo }, load }: RatingsProps) {
  if (edges.length === 0) return null;
  return (
    <Section title="Ratings">
      <SeenBy audience={audience} />
      <ul className="cards" aria-label="Rated books">
        {edges.map(({ node, rating }) => (
          <BookCard key={node.id} book={node} note={counted(rating, 'star')} />
        ))}
      </ul>
      <More label="Show more ratings" page={pageInfo} load={load} />
    </Section>
  );
}

interface ReviewsProps {
  readonly reviews: NonNullable<ReaderReviewsFragment['reviews']>;
  readonly load: ((after: string) => Promise<unknown>) | undefined;
}

/** The reviews that a reader has written, newest first. */
export function ReaderReviews({ reviews: { edges, pageInfo }, load }: ReviewsProps) {
  if (edges.length === 0) return null;
  return (
    <Section title="Reviews">
      <ul className="reviews" aria-label="Reviews of the reader">
        {edges.map(
          ({ node: review }) =>
            review && (
              <Review key={review.id} review={review} name={`the review of ${review.title}`}>
                <Link to={bookPath(review.book.id)}>{review.title}</Link>
              </Review>
            ),
        )}
      </ul>
      <More label="Show more reviews" page={pageInfo} load={load} />
    </Section>
  );
}
