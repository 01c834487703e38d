import { useQuery } from '@apollo/client/react';
import { Fragment } from 'react';
import { Answer } from '../components/answer.tsx';
import { BookCard } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { SearchDocument } from '../documents.generated.ts';
import { Link, pathTo, useAddress } from '../router.tsx';

/** The books of a search, narrowed by an author or a genre; the most popular ones without any. */
export function Search() {
  const { searchParams } = useAddress();
  const [q, author, genre] = ['q', 'author', 'genre'].map((name) => searchParams.get(name) ?? undefined);
  const variables = { query: q, author, genre };
  const { data, previousData, loading, error, fetchMore } = useQuery(SearchDocument, { variables });
  const { books } = data ?? {};
  const genres = (data ?? previousData)?.genres?.edges ?? [];
  const filters = [q && `“${q}”`, author && `by ${author}`, genre && `in ${genre}`].filter(Boolean);
  return (
    <Page title={filters.length > 0 ? `Books ${filters.join(', ')}` : 'Books'}>
      <a className="skip" href="#results">
        Skip to the results
      </a>
      <nav aria-label="Genres" className="tags">
        {(genre ?? author) && <Link to={pathTo('/search', { q })}>All</Link>}
        {genres.map(({ node: { name, bookCount } }) => (
          <Link
            key={name}
            to={pathTo('/search', { q, author, genre: name })}
            aria-current={name === genre}
            title={`${bookCount.toLocaleString('en')} books`}
          >
            {name}
          </Link>
        ))}
      </nav>
      <Answer isLoading={loading && !books} error={error}>
        {books && books.edges.length > 0 && <p className="note results">{countOf(books.count)}</p>}
        {books?.edges.length === 0 && (
          <p>
            No book is like that. Try fewer words, or the beginnings of words, or look at{' '}
            <Link to="/search">all books</Link>.
            {books.similarGenres.map(({ name }) => (
              <Fragment key={name}>
                {' '}
                <Link to={pathTo('/search', { q, author, genre: name })}>{name}</Link>
              </Fragment>
            ))}
          </p>
        )}
        <ul id="results" tabIndex={-1} className="cards" aria-label="Books">
          {books?.edges.map(({ node }) => (
            <BookCard key={node.id} book={node} />
          ))}
        </ul>
        {books && (
          <More
            isLast
            label="Show more books"
            page={books.pageInfo}
            load={(after) => fetchMore({ variables: { ...variables, after } })}
          />
        )}
      </Answer>
    </Page>
  );
}

/** Returns the number of books as text: exact up to a thousand. */
function countOf({ value, isExact }: { readonly value: number; readonly isExact: boolean }): string {
  const books = value === 1 ? 'book' : 'books';
  return `${isExact ? '' : 'More than '}${value.toLocaleString('en')} ${books}`;
}
