import { useMutation } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { Bars } from '../components/bars.tsx';
import { Section } from '../components/section.tsx';
import { Stars } from '../components/stars.tsx';
import { RateBookDocument, UnrateBookDocument, type BookRatingFragment } from '../documents.generated.ts';
import { messageOf } from '../errors.ts';
import { notify } from '../notices.ts';

const STARS = [5, 4, 3, 2, 1] as const;
const QUARTERS = 4;

const numberOf = (count: number) => (count === 1 ? 'one rating' : `${count} ratings`);

/** The ratings of all readers, and a slider for the reader's own. */
export function Ratings({ book, isReader }: { readonly book: BookRatingFragment; readonly isReader: boolean }) {
  const { average, count, histogram } = book.ratingTally;
  return (
    <Section title="Ratings">
      {average == null ? (
        <p>{count === 0 ? 'Nobody has rated the book yet.' : `${numberOf(count)} so far: too few to tell the mean.`}</p>
      ) : (
        <>
          <p>
            <Stars value={average} /> {average.toFixed(2)} of 5, {numberOf(count)}
          </p>
          <details>
            <summary>All ratings</summary>
            <Bars
              label="Ratings by stars"
              bars={STARS.map((stars) => {
                const ofStars = histogram.slice((stars - 1) * QUARTERS, stars * QUARTERS);
                const rated = ofStars.reduce((sum, each) => sum + each, 0);
                return {
                  name: stars === 1 ? 'up to 1 star' : `up to ${stars} stars`,
                  value: rated,
                  text: String(rated),
                };
              })}
            />
          </details>
        </>
      )}
      {isReader && <OwnRating key={book.id} book={book} />}
    </Section>
  );
}

/**
 * The reader's own rating. It is sent when the slider is let go, or a key is. A screen reader moves
 * the slider without either, so it is sent at the latest when the slider is left.
 */
function OwnRating({ book: { id: bookId, viewerRating } }: { readonly book: BookRatingFragment }) {
  const [rate] = useMutation(RateBookDocument);
  const [unrate] = useMutation(UnrateBookDocument);
  const [moved, setMoved] = useState<number>();
  const sent = useRef(Promise.resolve());
  const rating = moved ?? viewerRating ?? 0;

  const send = async (stars: number) => {
    try {
      const { data } = await (stars === 0
        ? unrate({ variables: { bookId } })
        : rate({ variables: { bookId, rating: stars } }));
      const [problem] = data?.change.userErrors ?? [];
      notify(problem?.message ?? (stars === 0 ? 'Your rating is taken back.' : `You rate the book ${starsOf(stars)}.`));
    } catch (error) {
      notify(messageOf(error));
    }
    setMoved((latest) => (latest === stars ? undefined : latest));
  };
  const letGo = () => {
    // One rating follows the other, so that the last one stays.
    if (moved !== undefined) sent.current = sent.current.then(() => send(moved));
  };
  return (
    <p>
      <label className="rate">
        My rating
        <span>
          <Stars value={rating} />
          <input
            type="range"
            min={0}
            max={5}
            step={1 / QUARTERS}
            value={rating}
            aria-valuetext={rating === 0 ? 'not rated' : starsOf(rating)}
            onChange={({ target }) => setMoved(Number(target.value))}
            onPointerUp={letGo}
            onKeyUp={letGo}
            onBlur={letGo}
          />
        </span>
      </label>{' '}
      {viewerRating != null && (
        <button type="button" onClick={() => (sent.current = sent.current.then(() => send(0)))}>
          Take my rating back
        </button>
      )}
    </p>
  );
}

const starsOf = (stars: number) => (stars === 1 ? '1 star' : `${stars} stars`);
