import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { bookPath } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { MoreListingsDocument, SellDocument } from '../documents.generated.ts';
import { priceOf, wordsOf } from '../format.ts';
import { Link, useAddress } from '../router.tsx';
import { useSession } from '../session.ts';
import { ListingForms } from './sell-copy.tsx';
import { SellForm } from './sell-form.tsx';

/** A copy to offer, and the copies that the reader sells. */
export function Sell() {
  const isReader = useSession() !== undefined;
  const bookId = useAddress().searchParams.get('book') ?? '';
  const { data, loading, error, fetchMore } = useQuery(SellDocument, {
    variables: { book: bookId, hasBook: bookId !== '' },
    skip: !isReader,
    fetchPolicy: 'cache-and-network',
  });
  const listings = data?.viewer?.listings;
  // All copies of a seller are sold in one currency.
  const own = data?.viewer?.currency;
  const currencies = own ? [own] : (data?.currencies ?? []).map(({ code }) => code);
  const book = data?.node?.__typename === 'Book' ? data.node : undefined;
  if (!isReader) return <NeedsLogin title="Sell a copy" />;
  return (
    <Page title="Sell a copy">
      <Answer isLoading={loading && !data} error={error}>
        {book ? (
          <SellForm key={book.id} bookId={book.id} bookTitle={book.title} currencies={currencies} />
        ) : (
          <p>
            Find the book first: <Link to="/search">search the books</Link>, and choose “Sell a copy” on its page.
          </p>
        )}
        <Section title="My copies">
          {listings?.edges.length === 0 && <p>You sell nothing yet.</p>}
          <ul className="rows" aria-label="My copies">
            {listings?.edges.map(({ node: copy }) => (
              <li key={copy.id}>
                <span>
                  <Link to={bookPath(copy.book.id)}>{copy.title}</Link>
                  <span className="note">
                    {wordsOf(copy.condition)}, {priceOf(copy.price)}
                    {copy.place && `, ${copy.place}`}, {wordsOf(copy.status).toLowerCase()}
                  </span>
                </span>
                {copy.status === 'FOR_SALE' && <ListingForms copy={copy} />}
              </li>
            ))}
          </ul>
          {listings && (
            <More
              label="Show more copies"
              page={listings.pageInfo}
              load={(after) => fetchMore({ query: MoreListingsDocument, variables: { after } })}
            />
          )}
        </Section>
      </Answer>
    </Page>
  );
}
