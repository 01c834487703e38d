import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { Form } from '../components/form.tsx';
import { LibrariesNearDocument } from '../documents.generated.ts';
import { LibraryList } from './library-list.tsx';

const WITHIN_KM = 50;
const FOUND_WITHIN_MS = 20_000;

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A button that asks the browser where the reader is. The position stays in this page. */
export function FindMe({ found }: { readonly found: (position: Position) => void }) {
  const find = async () => {
    const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
      navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: FOUND_WITHIN_MS }),
    ).catch(({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
      throw new Error(
        code === PERMISSION_DENIED
          ? 'Your browser does not tell this page where you are. Allow it in the browser, or choose a city.'
          : 'Your browser does not know where you are. Choose a city instead.',
      );
    });
    found({ latitude: coords.latitude, longitude: coords.longitude });
    return [];
  };
  return <Form label="Near me" button="Libraries near me" send={find} />;
}

/** The libraries near a position, nearest first. */
export function LibrariesNear({ position }: { readonly position: Position }) {
  const variables = { near: { ...position, withinKm: WITHIN_KM } };
  const { data, loading, error, fetchMore } = useQuery(LibrariesNearDocument, { variables });
  const libraries = data?.libraries;
  return (
    <Answer isLoading={loading && !data} error={error}>
      {libraries?.edges.length === 0 && <p>No library within {WITHIN_KM} km of you is known.</p>}
      {libraries && (
        <LibraryList page={libraries} load={(after) => fetchMore({ variables: { ...variables, after } })} />
      )}
    </Answer>
  );
}
