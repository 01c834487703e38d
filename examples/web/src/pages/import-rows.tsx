import type { ApolloCache, Reference } from '@apollo/client';
import { useLazyQuery, useMutation, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { bookPath } from '../components/book-card.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { More } from '../components/more.tsx';
import {
  BooksToChooseDocument,
  ImportRowsDocument,
  ResolveImportRowDocument,
  type ImportFate,
} from '../documents.generated.ts';
import { problemOf } from '../errors.ts';
import { text } from '../form-values.ts';
import { counted } from '../format.ts';
import { notifyOf } from '../notices.ts';
import { Link } from '../router.tsx';

interface Props {
  readonly importId: string;
  readonly fate: ImportFate;
}

/** The lines of an import with one fate. Those that may be about several books are resolved here. */
export function ImportRows({ importId, fate }: Props) {
  const variables = { id: importId, status: fate };
  const { data, loading, error, fetchMore } = useQuery(ImportRowsDocument, { variables, fetchPolicy: 'network-only' });
  const [resolve] = useMutation(ResolveImportRowDocument);
  const rows = data?.node?.__typename === 'LibraryImport' ? data.node.rows : undefined;

  const choose = (line: number, bookId: string) => {
    const change = resolve({
      variables: { importId, line, bookId },
      update: (cache, { data: answer }) => {
        if (answer?.change.userErrors.length === 0) removeRow(cache, importId, line);
      },
    });
    return notifyOf(change, 'The book is on your shelves.');
  };
  return (
    <Answer isLoading={loading && !rows} error={error}>
      {rows?.edges.length === 0 && <p>There are no such lines.</p>}
      <ul className="rows results" aria-label="Lines">
        {rows?.edges.map(({ cursor, node: { line, title, authors, reason, book, candidates } }) => (
          <li key={cursor}>
            <div>
              {book ? <Link to={bookPath(book.id)}>{title}</Link> : title || `Line ${line}`}
              {authors.length > 0 && <span className="authors"> by {authors.join(', ')}</span>}
              {reason && <p className="note">{reason}</p>}
              <Candidates
                books={candidates.filter(({ id }) => id !== book?.id)}
                choose={(bookId) => choose(line, bookId)}
              />
              {(fate === 'AMBIGUOUS' || fate === 'UNLISTED') && (
                <OtherBook title={title} choose={(bookId) => choose(line, bookId)} />
              )}
            </div>
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
  readonly edges: readonly { readonly node: Reference }[];
}

/** Removes a line from the cached ones without a request, so that the others stay where they are. */
function removeRow(cache: ApolloCache, importId: string, line: number): void {
  const id = cache.identify({ __typename: 'LibraryImport', id: importId });
  if (id === undefined) return;
  cache.modify<{ rows: Rows }>({
    id,
    fields: {
      rows: (rows, { readField }) =>
        'edges' in rows ? { ...rows, edges: rows.edges.filter(({ node }) => readField('line', node) !== line) } : rows,
    },
  });
}

interface CandidatesProps {
  readonly books: readonly { readonly id: string; readonly title: string; readonly authors: readonly string[] }[];
  readonly choose: (bookId: string) => Promise<void>;
}

function Candidates({ books, choose }: CandidatesProps) {
  return books.map(({ id, title, authors }) => (
    <p key={id}>
      <button onClick={() => void choose(id)}>
        It is {title} by {authors.join(', ')}
      </button>
    </p>
  ));
}

interface OtherBookProps {
  readonly title: string;
  readonly choose: (bookId: string) => Promise<void>;
}

/** A search for the book of a line, for readers who know better than the file. */
function OtherBook({ title, choose }: OtherBookProps) {
  const [isOpen, setOpen] = useState(false);
  const [search, { data }] = useLazyQuery(BooksToChooseDocument);
  const books = data?.books?.edges.map(({ node }) => node);
  const find = async (values: FormData) => {
    const { error } = await search({ variables: { query: text(values, 'query') } });
    return error ? [problemOf(error)] : [];
  };
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Find the book of “{title}” myself</summary>
      {isOpen && (
        <Form label={`Book of ${title}`} button="Find" send={find}>
          <Field name="query" label="Title, author or ISBN" defaultValue={title} />
        </Form>
      )}
      <p role="status" className="note">
        {books &&
          (books.length === 0 ? 'No book is found. Try fewer words.' : `${counted(books.length, 'book')} found`)}
      </p>
      <Candidates books={books ?? []} choose={choose} />
    </details>
  );
}
