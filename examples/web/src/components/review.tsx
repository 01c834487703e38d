import type { ReactNode } from 'react';
import type { ReviewCardFragment } from '../documents.generated.ts';
import { dayOf } from '../format.ts';
import { useSession } from '../session.ts';
import { LikeButton } from './like-button.tsx';
import { Report } from './report.tsx';
import { Rating } from './stars.tsx';

/** A longer review is folded, so that what follows is not far away. In UTF-16 units. */
const LONG_TEXT = 1_500;
/** In code points. */
const BEGIN_OF_TEXT = 300;

interface Props {
  readonly review: ReviewCardFragment;
  /** The name of the review for screen readers: `the review by …`. */
  readonly name: string;
  /** The link that begins the review: its author, or its book. */
  readonly children: ReactNode;
}

/** A review in a list. */
export function Review({ review, name, children }: Props) {
  const { id, author, hasSpoilers, rating, takenDownReason, text, writtenAt } = review;
  const me = useSession()?.readerId;
  const shown = <p className="text">{text}</p>;
  // An emoji has two units, and half of it is shown as a question mark.
  const beginning = Array.from(text).slice(0, BEGIN_OF_TEXT).join('');
  return (
    <li>
      <p>
        {children} {rating !== null && <Rating value={rating} />}{' '}
        <time className="note" dateTime={writtenAt}>
          {dayOf(writtenAt)}
        </time>
      </p>
      {takenDownReason !== null && <p className="note">An administrator took it down: {takenDownReason}</p>}
      {hasSpoilers || text.length > LONG_TEXT ? (
        <details>
          <summary>{hasSpoilers ? 'Spoiler' : `${beginning} … (read on)`}</summary>
          {shown}
        </details>
      ) : (
        shown
      )}
      <LikeButton likeable={{ ...review, title: name }} />
      {me !== undefined && author?.id !== me && <Report id={id} label={`Report ${name}`} />}
    </li>
  );
}
