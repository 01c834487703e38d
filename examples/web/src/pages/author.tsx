import { useQuery } from '@apollo/client/react';
import { NamedBooks } from '../components/named-books.tsx';
import { AuthorDocument } from '../documents.generated.ts';

/** The books of an author, most popular first. */
export function Author({ name }: { readonly name: string }) {
  const { data, error, fetchMore } = useQuery(AuthorDocument, { variables: { name } });
  return (
    <NamedBooks
      name={name}
      label="Books of the author"
      none="The catalogue has no book by this author."
      found={data?.author}
      error={error}
      load={(after) => fetchMore({ variables: { after } })}
    />
  );
}
