import type { ApolloCache, StoreObject } from '@apollo/client';
import { useApolloClient, useLazyQuery, useMutation, useQuery } from '@apollo/client/react';
import { useState, type ReactNode } from 'react';
import { Answer } from '../components/answer.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import { OwnBook } from '../components/own-book.tsx';
import {
  BooksToChooseDocument,
  ImportRowsDocument,
  OwnBookDocument,
  ResolveImportRowDocument,
  type BookToChooseFragment,
  type ImportDetailsFragment,
  type ImportFate,
  type ImportRowsQuery,
  type MyReadingFragment,
} from '../documents.generated.ts';
import { problemsOf } from '../errors.ts';
import { text } from '../form-values.ts';
import { counted, dayOf, wordsOf } from '../format.ts';
import { notifyOf } from '../notices.ts';
import { linesWith } from './import-fates.ts';

interface Props {
  readonly of: ImportDetailsFragment;
  readonly fate: ImportFate;
}

/** The lines of an import with one fate. The reader can say of each which book it is about, or none. */
export function ImportRows({ of: found, fate }: Props) {
  const { id: importId } = found;
  const variables = { id: importId, status: fate };
  const { data, loading, error, fetchMore } = useQuery(ImportRowsDocument, { variables, fetchPolicy: 'network-only' });
  const client = useApolloClient();
  const [resolve] = useMutation(ResolveImportRowDocument);
  const rows = data?.node?.__typename === 'LibraryImport' ? data.node.rows : undefined;

  const change = async (line: number, bookId: string | null) => {
    const answer = await resolve({ variables: { importId, line, bookId } });
    const { libraryImport, userErrors } = answer.data?.change ?? {};
    if (userErrors?.length !== 0) return answer;
    // A line that gets another book may keep its fate, which the numbers tell.
    const isLeft = bookId === null || !libraryImport || linesWith(fate, libraryImport) < linesWith(fate, found);
    // The book is on another shelf now, which the row shows.
    if (!isLeft) await client.query({ query: OwnBookDocument, variables: { id: bookId }, fetchPolicy: 'network-only' });
    changeRow(client.cache, importId, line, isLeft ? null : bookId);
    return answer;
  };
  const choose = (line: number, bookId: string | null) => {
    const done =
      bookId === null ? 'It is now among the books that the catalogue does not have.' : 'The book is on your shelves.';
    return notifyOf(change(line, bookId), done);
  };
  return (
    <Answer isLoading={loading && !rows} error={error}>
      {rows?.edges.length === 0 && <p>There are no such lines.</p>}
      <ul className="rows results" aria-label="Lines">
        {rows?.edges.map(({ cursor, node }) => (
          <li key={cursor}>
            <Row row={node} fate={fate} choose={(bookId) => choose(node.line, bookId)} />
          </li>
        ))}
      </ul>
      {rows && (
        <More
          label="Show more lines"
          page={rows.pageInfo}
          load={(after) => fetchMore({ variables: { ...variables, after } })}
        />
      )}
    </Answer>
  );
}

interface Rows {
  readonly edges: readonly { readonly node: StoreObject }[];
}

/**
 * Changes a line among the cached ones without a request, so that the others stay where they are.
 * @param bookId its new book; null if the line goes away
 */
function changeRow(cache: ApolloCache, importId: string, line: number, bookId: string | null): void {
  const id = cache.identify({ __typename: 'LibraryImport', id: importId });
  if (id === undefined) return;
  cache.modify<{ rows: Rows }>({
    id,
    fields: {
      rows: (rows, { readField, toReference }) => {
        if (!('edges' in rows)) return rows;
        const edges = rows.edges.flatMap((edge) => {
          if (readField('line', edge.node) !== line) return [edge];
          if (bookId === null) return [];
          const book = toReference({ __typename: 'Book', id: bookId });
          return [{ ...edge, node: { ...edge.node, book, reason: null } }];
        });
        return { ...rows, edges };
      },
    },
  });
}

type Line = Extract<ImportRowsQuery['node'], { __typename: 'LibraryImport' }>['rows']['edges'][number]['node'];

interface RowProps {
  readonly row: Line;
  readonly fate: ImportFate;
  readonly choose: (bookId: string | null) => Promise<void>;
}

function Row({ row: { line, title, authors, reason, book, candidates }, fate, choose }: RowProps) {
  return (
    <div>
      {book ? (
        <OwnBook book={book}>
          {book.viewerReading && <span className="note">{shelfOf(book.viewerReading)}</span>}
          {title !== book.title && <span className="note">In the file: {title}</span>}
        </OwnBook>
      ) : (
        <>
          {title || `Line ${line} below the header`}
          {authors.length > 0 && <span className="authors"> by {authors.join(', ')}</span>}
        </>
      )}
      {reason && <p className="note">{reason}</p>}
      {fate === 'AMBIGUOUS' && (
        <>
          <Candidates books={candidates} choose={choose} />
          <None label="None of these" title={title} choose={choose} />
        </>
      )}
      {(fate === 'AMBIGUOUS' || fate === 'UNLISTED') && (
        <OtherBook summary={`Find the book of “${title}” myself`} title={title} choose={choose} />
      )}
      {(fate === 'MATCHED' || fate === 'NOT_KEPT') && (
        <OtherBook
          summary={
            <>
              Not this book? <span className="hidden">{title}</span>
            </>
          }
          title={title}
          choose={choose}
        >
          {book && (
            <p>
              Here it is <Named book={book} />
            </p>
          )}
          <Candidates books={candidates.filter(({ id }) => id !== book?.id)} choose={choose} />
          <None label="None of the catalogue" title={title} choose={choose} />
        </OtherBook>
      )}
    </div>
  );
}

/** Returns where a book stands, with its day or its progress. */
function shelfOf({ status, progress, readings: [last] }: MyReadingFragment): string {
  if (status === 'READ') return last?.finishedOn ? `Read on ${dayOf(last.finishedOn)}` : 'Read on an unknown day';
  if (status === 'READING') return `Reading, ${progress} %`;
  return status === null ? '' : wordsOf(status);
}

interface CandidatesProps {
  readonly books: readonly BookToChooseFragment[];
  readonly choose: (bookId: string) => Promise<void>;
}

function Candidates({ books, choose }: CandidatesProps) {
  return books.map((book) => (
    <p key={book.id}>
      <button onClick={() => void choose(book.id)}>
        It is <Named book={book} />
      </button>
    </p>
  ));
}

/** A book in words, with a line that tells it from others of the same name. */
function Named({ book }: { readonly book: BookToChooseFragment }) {
  const { title, authors, publishedYear, publisher, publishedOn, pages, isbn } = book;
  const facts = [
    publishedYear === null ? null : `First published ${publishedYear}`,
    publisher,
    publishedOn,
    pages === null ? null : counted(pages, 'page'),
    isbn === null ? null : `ISBN ${isbn}`,
  ];
  return (
    <>
      {title} by {authors.join(', ')}
      <span className="note">{facts.filter((fact) => fact !== null).join(' · ')}</span>
    </>
  );
}

interface NoneProps {
  readonly label: string;
  readonly title: string;
  readonly choose: (bookId: null) => Promise<void>;
}

function None({ label, title, choose }: NoneProps) {
  return (
    <p>
      <button onClick={() => void choose(null)}>
        {label} <span className="hidden">is “{title}”</span>
      </button>
    </p>
  );
}

interface OtherBookProps {
  readonly summary: ReactNode;
  readonly title: string;
  readonly choose: (bookId: string) => Promise<void>;
  /** The part above the search. */
  readonly children?: ReactNode;
}

/** A search for the book of a line, for readers who know better than the file. */
function OtherBook({ summary, title, choose, children }: OtherBookProps) {
  const [isOpen, setOpen] = useState(false);
  const [search, { data }] = useLazyQuery(BooksToChooseDocument);
  const books = data?.books?.edges.map(({ node }) => node);
  const find = async (values: FormData) => {
    const { error } = await search({ variables: { query: text(values, 'query') } });
    return error ? problemsOf(error) : [];
  };
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && (
        <>
          {children}
          <Form label={`Book of ${title}`} button="Find" send={find}>
            <Field name="query" label="Title, author or ISBN" defaultValue={title} />
          </Form>
        </>
      )}
      <p role="status" className="note">
        {books &&
          (books.length === 0 ? 'No book is found. Try fewer words.' : `${counted(books.length, 'book')} found`)}
      </p>
      <Candidates books={books ?? []} choose={choose} />
    </details>
  );
}
