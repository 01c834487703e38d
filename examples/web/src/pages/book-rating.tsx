import { useApolloClient } from '@apollo/client/react';
import { useState, type PointerEvent } from 'react';
import { change, IN_TURN, useWish, type Changeable } from '../changes.ts';
import { Bars } from '../components/bars.tsx';
import { Section } from '../components/section.tsx';
import { Stars } from '../components/stars.tsx';
import { RateBookDocument, UnrateBookDocument, type BookRatingFragment } from '../documents.generated.ts';
import { counted } from '../format.ts';
import { notify } from '../notices.ts';

const STARS = [5, 4, 3, 2, 1] as const;
const QUARTERS = 4;

/** The ratings of all readers, and a slider for the reader's own. */
export function Ratings({ book, isReader }: { readonly book: BookRatingFragment; readonly isReader: boolean }) {
  const { average, count, histogram } = book.ratingTally;
  return (
    <Section title="Ratings">
      {average == null ? (
        <p>
          {count === 0
            ? 'Nobody has rated the book yet.'
            : `${counted(count, 'rating')} so far: too few to tell the mean.`}
        </p>
      ) : (
        <>
          <p>
            <Stars value={average} /> {average.toFixed(2)} of 5, {counted(count, 'rating')}
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
 * The reader's own rating, chosen on the stars or by keys. It is sent when the pointer or the key is
 * let go. A screen reader moves the slider without either, so it is sent at the latest when the
 * slider is left.
 */
function OwnRating({ book: { id: bookId, viewerRating } }: { readonly book: BookRatingFragment }) {
  const client = useApolloClient();
  const thing: Changeable = { kind: 'rating', id: bookId };
  const wish = useWish<number>(thing);
  const [chosen, setChosen] = useState<number>();
  const [pointed, setPointed] = useState<number>();
  const rating = chosen ?? wish ?? viewerRating ?? 0;

  const send = async (stars: number) => {
    const { data } = await (stars === 0
      ? client.mutate({ mutation: UnrateBookDocument, variables: { bookId }, context: IN_TURN })
      : client.mutate({ mutation: RateBookDocument, variables: { bookId, rating: stars }, context: IN_TURN }));
    const problem = data?.change.userErrors[0]?.message;
    const undo = viewerRating === null ? undefined : () => change(client, thing, viewerRating, send);
    if (problem === undefined && stars === 0) notify('Your rating is taken back.', undo);
    else if (problem === undefined) notify(`You rate the book ${starsOf(stars)}.`);
    return problem;
  };
  const rate = (stars: number | undefined) => {
    setChosen(undefined);
    if (stars !== undefined) change(client, thing, stars, send);
  };
  return (
    <p>
      <label className="rate">
        My rating
        <span
          onPointerMove={(event) => setPointed(ratingAt(event))}
          onPointerLeave={() => setPointed(undefined)}
          onPointerCancel={() => setPointed(undefined)}
          onPointerUp={(event) => rate(ratingAt(event))}
        >
          <Stars value={pointed ?? rating} />
          <input
            type="range"
            min={0}
            max={5}
            step={1 / QUARTERS}
            value={rating}
            aria-valuetext={rating === 0 ? 'not rated' : starsOf(rating)}
            onChange={({ target }) => setChosen(Number(target.value))}
            onKeyUp={() => rate(chosen)}
            onBlur={() => rate(chosen)}
          />
        </span>
      </label>{' '}
      {rating > 0 && (
        <>
          {starsOf(pointed ?? rating)}{' '}
          <button type="button" onClick={() => rate(0)}>
            Take my rating back
          </button>
        </>
      )}
    </p>
  );
}

/** Returns the rating, in quarters of a star, that is nearest to a pointer on the five stars. */
function ratingAt({ clientX, currentTarget }: PointerEvent<HTMLElement>): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  const quarters = Math.round(((clientX - left) / width) * 5 * QUARTERS);
  return Math.min(Math.max(quarters, 1), 5 * QUARTERS) / QUARTERS;
}

const starsOf = (stars: number) => (stars === 1 ? '1 star' : `${stars} stars`);
