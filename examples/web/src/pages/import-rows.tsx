import { useMutation, useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { bookPath } from '../components/book-card.tsx';
import { More } from '../components/more.tsx';
import { ImportRowsDocument, ResolveImportRowDocument, type ImportFate } from '../documents.generated.ts';
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

  const choose = (line: number, bookId: string) =>
    notifyOf(resolve({ variables: { importId, line, bookId } }), 'The book is on your shelves.');
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
              {candidates.map((candidate) => (
                <p key={candidate.id}>
                  <button onClick={() => void choose(line, candidate.id)}>
                    It is {candidate.title} by {candidate.authors.join(', ')}
                  </button>
                </p>
              ))}
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
