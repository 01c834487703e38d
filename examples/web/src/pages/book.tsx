import { Answer } from '../components/answer.tsx';
import { authorPath, BookCard, seriesPath } from '../components/book-card.tsx';
import { Cover } from '../components/cover.tsx';
import { Folded, part } from '../components/folded.tsx';
import { LikeButton } from '../components/like-button.tsx';
import { Page } from '../components/page.tsx';
import { Section } from '../components/section.tsx';
import { StatusButton } from '../components/status-button.tsx';
import { MoreCopiesDocument, MoreLikersDocument, type BookPageFragment } from '../documents.generated.ts';
import { languageOf } from '../format.ts';
import { Link, pathTo, pathToLogin } from '../router.tsx';
import { useSession } from '../session.ts';
import { Copies } from './book-copies.tsx';
import { Likers } from './book-likers.tsx';
import { Ratings } from './book-rating.tsx';
import { ReadingForm } from './book-reading.tsx';
import { Reviews } from './book-reviews.tsx';
import { useBook } from './use-book.ts';

const AddToList = part(async () => (await import('./book-lists.tsx')).AddToList);

/** A book: its likes and likers, the reader's own reading, and copies for sale. */
export function Book({ id }: { readonly id: string }) {
  const { book, error, isLoading, fetchMore } = useBook(id);
  const isReader = useSession() !== undefined;
  const pathToSale = pathTo('/sell', { book: id });
  return (
    <Page title={book?.title ?? 'Book'}>
      <Answer isLoading={isLoading} error={error}>
        {!book && !error && <p>There is no such book.</p>}
        {book && (
          <>
            <div className="book">
              <Cover title={book.title} authors={book.authors} url={book.coverUrl} />
              <div>
                <p className="authors">
                  by{' '}
                  {book.authors.map((author, place) => (
                    <span key={author}>
                      {place > 0 && ', '}
                      <Link to={authorPath(author)}>{author}</Link>
                    </span>
                  ))}
                </p>
                {book.series.map(({ series: { name }, position }) => (
                  <p key={name} className="note">
                    {position === null ? 'Part' : `Book ${position}`} of <Link to={seriesPath(name)}>{name}</Link>
                  </p>
                ))}
                <LikeButton likeable={book} /> <StatusButton book={book} />
                {isReader && (
                  <Folded key={`list ${book.id}`} label="Add to a list">
                    <AddToList bookId={book.id} />
                  </Folded>
                )}
                <Facts book={book} />
                <p className="tags">
                  {book.genres.map((genre) => (
                    <Link key={genre} to={pathTo('/search', { genre })}>
                      {genre}
                    </Link>
                  ))}
                </p>
              </div>
            </div>
            {book.description !== null && <p className="text">{book.description}</p>}
            <Ratings book={book} isReader={isReader} />
            <Reviews book={book} isReader={isReader} />
            {isReader && <ReadingForm key={book.id} book={book} />}
            <Likers
              book={book}
              load={(likersAfter) => fetchMore({ query: MoreLikersDocument, variables: { id, likersAfter } })}
            />
            <OtherEditions book={book} />
            <AlsoLiked book={book} />
            <Section title="Copies for sale">
              <Copies
                book={book}
                load={(copiesAfter) => fetchMore({ query: MoreCopiesDocument, variables: { id, copiesAfter } })}
              />
              <p>
                <Link to={isReader ? pathToSale : pathToLogin('sell', pathToSale)}>Sell a copy</Link>
              </p>
            </Section>
          </>
        )}
      </Answer>
    </Page>
  );
}

/** The most popular editions of the same work. */
function OtherEditions({ book }: { readonly book: BookPageFragment }) {
  const others = book.work.editions.nodes.filter(({ id }) => id !== book.id);
  if (others.length === 0) return null;
  return (
    <Section title="Other editions">
      <ul className="cards">
        {others.map((edition) => (
          <BookCard key={edition.id} book={edition} />
        ))}
      </ul>
    </Section>
  );
}

/** The books that readers of this one like, too. */
function AlsoLiked({ book }: { readonly book: BookPageFragment }) {
  const { edges } = book.alsoLiked;
  if (edges.length === 0) return null;
  return (
    <Section title="Readers who liked this also liked">
      <ul className="cards">
        {edges.map(({ node, sharedReaders }) => (
          <BookCard key={node.id} book={node} note={`${sharedReaders.toLocaleString('en')} readers like both`} />
        ))}
      </ul>
    </Section>
  );
}

function Facts({ book }: { readonly book: BookPageFragment }) {
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['First published', book.publishedYear],
    ['Original title', book.originalTitle === book.title ? null : book.originalTitle],
    ['Publisher', book.publisher],
    ['Pages', book.pages],
    ['Language', book.languageCode && languageOf(book.languageCode)],
    ['ISBN', book.isbn],
    ['Rating elsewhere', book.averageRating && `${book.averageRating} of 5`],
  ];
  return (
    <dl>
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
