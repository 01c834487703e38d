import { useMutation } from '@apollo/client/react';
import { TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { LikeButton } from '../components/like-button.tsx';
import { More } from '../components/more.tsx';
import { Report } from '../components/report.tsx';
import { Section } from '../components/section.tsx';
import { Stars } from '../components/stars.tsx';
import {
  DeleteReviewDocument,
  WriteReviewDocument,
  type BookReviewsFragment,
  type ReviewCardFragment,
} from '../documents.generated.ts';
import { dayOf } from '../format.ts';
import { notify } from '../notices.ts';
import { Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { readerPath } from './book-likers.tsx';

const CHARACTERS_MAX = 10_000;
/** A longer review is folded, so that what follows is not far away. In UTF-16 units. */
const LONG_TEXT = 1_500;
const BEGIN_OF_TEXT = 300;

interface Props {
  readonly book: BookReviewsFragment;
  readonly isReader: boolean;
  readonly load: (after: string) => Promise<unknown>;
}

/** The reviews of a book, most liked first, and a form for the reader's own. */
export function Reviews({ book, isReader, load }: Props) {
  const { edges, pageInfo } = book.reviews;
  return (
    <Section title="Reviews">
      {edges.length === 0 && <p>Nobody has reviewed the book yet.</p>}
      <ul className="reviews" aria-label="Reviews">
        {edges.map(({ node }) => node && <Review key={node.id} review={node} isReader={isReader} />)}
      </ul>
      <More label="Show more reviews" page={pageInfo} load={load} />
      {isReader && <OwnReview key={book.viewerReview?.id ?? book.id} book={book} />}
    </Section>
  );
}

interface ReviewProps {
  readonly review: ReviewCardFragment;
  readonly isReader: boolean;
}

function Review({ review, isReader }: ReviewProps) {
  const { id, author, hasSpoilers, rating, text, writtenAt } = review;
  const me = useSession()?.readerId;
  const shown = <p className="text">{text}</p>;
  const by = author?.fullName ?? 'somebody';
  return (
    <li>
      <p>
        {author && <Link to={readerPath(author.id)}>{author.fullName}</Link>}{' '}
        {rating != null && (
          <>
            <Stars value={rating} /> <span className="hidden">{rating} of 5</span>
          </>
        )}{' '}
        <time className="note" dateTime={writtenAt}>
          {dayOf(writtenAt)}
        </time>
      </p>
      {hasSpoilers || text.length > LONG_TEXT ? (
        <details>
          <summary>
            {hasSpoilers ? 'It tells how the book goes on' : `${text.slice(0, BEGIN_OF_TEXT)} … (read on)`}
          </summary>
          {shown}
        </details>
      ) : (
        shown
      )}
      <LikeButton likeable={{ ...review, title: `the review by ${by}` }} />
      {isReader && author?.id !== me && <Report id={id} label={`Report the review by ${by}`} />}
    </li>
  );
}

function OwnReview({ book: { id: bookId, viewerReview } }: { readonly book: BookReviewsFragment }) {
  const [write] = useMutation(WriteReviewDocument);
  const [remove] = useMutation(DeleteReviewDocument);
  const send = async (values: FormData) => {
    const text = values.get('text') as string;
    // The page has no field for the language, so a changed text keeps it.
    const language = viewerReview?.language ?? null;
    const { data } = await write({ variables: { bookId, text, hasSpoilers: values.has('hasSpoilers'), language } });
    const problems = data?.writeReview.userErrors ?? [];
    if (problems.length === 0) notify('Your review is there for everybody to read.');
    return problems;
  };
  const takeBack = async () => {
    const { data } = await remove({ variables: { bookId } });
    const problems = data?.deleteReview.userErrors ?? [];
    if (problems.length === 0) notify('Your review is deleted.');
    return problems;
  };
  return (
    <>
      <Form label="My review" button={viewerReview ? 'Change my review' : 'Publish my review'} send={send}>
        <TextArea
          name="text"
          label="What I think of the book"
          rows={5}
          defaultValue={viewerReview?.text ?? ''}
          hint={`At most ${CHARACTERS_MAX.toLocaleString('en')} characters.`}
        />
        <label className="check">
          <input type="checkbox" name="hasSpoilers" defaultChecked={viewerReview?.hasSpoilers ?? false} /> It tells how
          the book goes on
        </label>
      </Form>
      {viewerReview && <Form label="No review" button="Delete my review" send={takeBack} />}
    </>
  );
}
