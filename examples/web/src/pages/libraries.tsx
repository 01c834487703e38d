import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { More } from '../components/more.tsx';
import { Page } from '../components/page.tsx';
import { LibrariesDocument } from '../documents.generated.ts';
import { dayOf } from '../format.ts';
import { navigate, pathTo, useAddress } from '../router.tsx';
import { PlaceForm } from './libraries-place.tsx';

/** The libraries of a city. Each step of choosing the place is one request, and so is the list. */
export function Libraries() {
  const { searchParams } = useAddress();
  const [country = '', state = '', city = ''] = ['country', 'state', 'city'].map(
    (name) => searchParams.get(name) ?? '',
  );
  const place = { country: country || 'United States', state, city };
  const variables = { ...place, hasState: state !== '', hasCity: state !== '' && city !== '' };
  const { data, previousData, loading, error, fetchMore } = useQuery(LibrariesDocument, { variables });
  const libraries = data?.libraries;
  const names = (places?: { readonly edges: readonly { readonly node: { readonly name: string } }[] } | null) =>
    places?.edges.map(({ node }) => node.name) ?? [];
  return (
    <Page title={variables.hasCity ? `Libraries in ${city}` : 'Libraries'}>
      <PlaceForm
        key={JSON.stringify(place)}
        place={place}
        countries={names((data ?? previousData)?.countries)}
        states={names(data?.states)}
        cities={names(data?.cities)}
        choose={(chosen) => navigate(pathTo('/libraries', { ...chosen }))}
      />
      <Answer isLoading={loading && !data} error={error}>
        {libraries?.edges.length === 0 && <p>No library of this city is known. Check how its name is written.</p>}
        <ul className="rows" aria-label="Libraries">
          {libraries?.edges.map(({ node: library }) => (
            <li key={library.id}>
              <span>
                <strong>{library.name}</strong>
                <span className="note">
                  {[library.address, library.city, library.postalCode].filter(Boolean).join(', ')}
                  {library.openedOn && `. Opened on ${dayOf(library.openedOn)}`}
                </span>
              </span>
              {library.latitude !== null && library.longitude !== null && (
                <a
                  href={`https://www.openstreetmap.org/?mlat=${library.latitude}&mlon=${library.longitude}#map=17/${library.latitude}/${library.longitude}`}
                  rel="noreferrer"
                >
                  Map<span className="hidden"> of {library.name}</span>
                </a>
              )}
            </li>
          ))}
        </ul>
        {libraries && (
          <More
            label="Show more libraries"
            page={libraries.pageInfo}
            load={(after) => fetchMore({ variables: { ...variables, after } })}
          />
        )}
      </Answer>
    </Page>
  );
}
