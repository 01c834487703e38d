import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { Answer } from '../components/answer.tsx';
import { Page } from '../components/page.tsx';
import { LibrariesDocument } from '../documents.generated.ts';
import { navigate, pathTo, useAddress } from '../router.tsx';
import { FindMe, LibrariesNear, type Position } from './libraries-near.tsx';
import { PlaceForm } from './libraries-place.tsx';
import { LibraryList } from './library-list.tsx';

/**
 * The libraries of a city, or near the reader. Each step of choosing the place is one request, and
 * so is the list.
 */
export function Libraries() {
  const { searchParams } = useAddress();
  const [position, setPosition] = useState<Position>();
  const [country = '', state = '', city = ''] = ['country', 'state', 'city'].map(
    (name) => searchParams.get(name) ?? '',
  );
  const place = { country: country || 'United States', state, city };
  const variables = { ...place, hasState: state !== '', hasCity: state !== '' && city !== '' };
  const { data, previousData, loading, error, fetchMore } = useQuery(LibrariesDocument, { variables });
  const libraries = data?.libraries;
  const names = (places?: { readonly edges: readonly { readonly node: { readonly name: string } }[] } | null) =>
    places?.edges.map(({ node }) => node.name) ?? [];
  const ofCity = variables.hasCity ? `Libraries in ${city}` : 'Libraries';
  return (
    <Page title={position ? 'Libraries near me' : ofCity}>
      <PlaceForm
        key={JSON.stringify(place)}
        place={place}
        countries={names((data ?? previousData)?.countries)}
        states={names(data?.states)}
        cities={names(data?.cities)}
        choose={(chosen) => {
          setPosition(undefined);
          navigate(pathTo('/libraries', { ...chosen }));
        }}
      />
      <FindMe found={setPosition} />
      {position ? (
        <LibrariesNear key={JSON.stringify(position)} position={position} />
      ) : (
        <Answer isLoading={loading && !data} error={error}>
          {libraries?.edges.length === 0 && <p>No library of this city is known. Check how its name is written.</p>}
          {libraries && (
            <LibraryList page={libraries} load={(after) => fetchMore({ variables: { ...variables, after } })} />
          )}
        </Answer>
      )}
    </Page>
  );
}
