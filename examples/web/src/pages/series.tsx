import { useQuery } from '@apollo/client/react';
import { NamedBooks } from '../components/named-books.tsx';
import { SeriesDocument } from '../documents.generated.ts';

/** The books of a series, in its order. */
export function Series({ name }: { readonly name: string }) {
  const { data, error, fetchMore } = useQuery(SeriesDocument, { variables: { name } });
  return (
    <NamedBooks
      name={name}
      label="Books of the series"
      none="The catalogue has no book of this series."
      found={data?.series}
      error={error}
      load={(after) => fetchMore({ variables: { after } })}
    />
  );
}
