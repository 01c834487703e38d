import { useMutation, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { Choices } from '../components/choices.tsx';
import { Check, TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import { readerPath } from '../components/person.tsx';
import { Review } from '../components/review.tsx';
import { Section } from '../components/section.tsx';
import {
  DeleteReviewDocument,
  ReviewsDocument,
  WriteReviewDocument,
  type MyReviewFragment,
  type ReviewOrder,
} from '../documents.generated.ts';
import { draftOf, forgetDraft, keepDraft, type Draft } from '../drafts.ts';
import { notify, notifyUnless } from '../notices.ts';
import { Link, pathToLogin } from '../router.tsx';

const CHARACTERS_MAX = 10_000;
const ORDERS = [
  ['MOST_LIKED', 'Most liked'],
  ['NEWEST', 'Newest'],
] as const satisfies readonly (readonly [ReviewOrder, string])[];

interface Props {
  readonly book: MyReviewFragment;
  readonly isReader: boolean;
}

/**
 * The reviews of a book, and a form for the reader's own. The most liked ones came with the book,
 * so that the cache answers for them.
 */
export function Reviews({ book, isReader }: Props) {
  const [orderBy, setOrder] = useState<ReviewOrder>('MOST_LIKED');
  const { data, previousData, error, fetchMore } = useQuery(ReviewsDocument, { variables: { id: book.id, orderBy } });
  const node = (data ?? previousData)?.node;
  const { edges, pageInfo } = (node?.__typename === 'Book' ? node.reviews : undefined) ?? {};
  return (
    <Section title="Reviews">
      <Answer isLoading={!edges && !error} error={error}>
        {edges?.length === 0 && <p>Nobody has reviewed the book yet.</p>}
        {edges && edges.length > 1 && (
          <Choices label="Order of the reviews" options={ORDERS} chosen={orderBy} choose={setOrder} />
        )}
        <ul className="reviews" aria-label="Reviews">
          {edges?.map(
            ({ node: review }) =>
              review && (
                <Review key={review.id} review={review} name={`the review by ${review.author?.fullName ?? 'somebody'}`}>
                  {review.author && <Link to={readerPath(review.author.id)}>{review.author.fullName}</Link>}
                </Review>
              ),
          )}
        </ul>
        {pageInfo && (
          <More label="Show more reviews" page={pageInfo} load={(after) => fetchMore({ variables: { after } })} />
        )}
      </Answer>
      {isReader ? (
        <OwnReview key={book.id} book={book} />
      ) : (
        <p>
          <Link to={pathToLogin()}>Log in</Link> to rate and review the book.
        </p>
      )}
    </Section>
  );
}

const writtenIn = (values: FormData): Draft => ({
  text: values.get('text') as string,
  hasSpoilers: values.has('hasSpoilers'),
});

function OwnReview({ book: { id: bookId, viewerReview } }: { readonly book: MyReviewFragment }) {
  const [write] = useMutation(WriteReviewDocument);
  const [remove] = useMutation(DeleteReviewDocument);
  const [deletions, setDeletions] = useState(0);
  const [draft, setDraft] = useState(() => draftOf(bookId));
  const keep = (values: FormData) => keepDraft(bookId, writtenIn(values));
  const send = async (values: FormData) => {
    const { text, hasSpoilers } = writtenIn(values);
    // The page has no field for the language, so a changed text keeps it.
    const language = viewerReview?.language ?? null;
    const showsRating = values.has('showsRating');
    const { data } = await write({ variables: { input: { bookId, text, hasSpoilers, language, showsRating } } });
    const problems = notifyUnless(data?.writeReview.userErrors, 'Your review is there for everybody to read.');
    if (problems.length === 0) forget();
    return problems;
  };
  const forget = () => {
    forgetDraft(bookId);
    setDraft(undefined);
  };
  const takeBack = async () => {
    const { data } = await remove({ variables: { bookId } });
    const problems = data?.deleteReview.userErrors ?? [];
    if (problems.length > 0) return problems;
    forget();
    // The form begins anew, without the deleted text.
    setDeletions(deletions + 1);
    notify('Your review is deleted.');
    return [];
  };
  return (
    <>
      <Form
        key={deletions}
        label="My review"
        button={viewerReview ? 'Change my review' : 'Publish my review'}
        send={send}
        onType={keep}
      >
        {draft && <p className="note">This is your draft. Nobody else sees it yet.</p>}
        <TextArea
          name="text"
          label="What I think of the book"
          rows={5}
          defaultValue={draft?.text ?? viewerReview?.text ?? ''}
          hint={`At most ${CHARACTERS_MAX.toLocaleString('en')} characters.`}
        />
        <Check
          name="hasSpoilers"
          label="Contains spoilers"
          defaultChecked={(draft ?? viewerReview)?.hasSpoilers ?? false}
        />
        <Check
          name="showsRating"
          label="Everybody who reads it sees my stars"
          defaultChecked={viewerReview?.showsRating ?? true}
        />
      </Form>
      {viewerReview && (
        <details>
          <summary>Delete my review</summary>
          <Form label="No review" button="Delete it with its former texts" send={takeBack} />
        </details>
      )}
    </>
  );
}
