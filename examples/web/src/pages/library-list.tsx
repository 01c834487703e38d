import { More } from '../components/more.tsx';
import type { LibraryPageFragment } from '../documents.generated.ts';
import { dayOf } from '../format.ts';

interface Props {
  readonly page: LibraryPageFragment;
  readonly load: (after: string) => Promise<unknown>;
}

/** A list of libraries, each with its address, and its distance if a position was given. */
export function LibraryList({ page, load }: Props) {
  return (
    <>
      <ul className="rows" aria-label="Libraries">
        {page.edges.map(({ node: library, distanceKm }) => (
          <li key={library.id}>
            <span>
              <strong>{library.name}</strong>
              <span className="note">
                {[library.address, library.city, library.postalCode].filter(Boolean).join(', ')}
                {library.openedOn && `. Opened on ${dayOf(library.openedOn)}`}
              </span>
            </span>
            <span>
              {distanceKm !== null && `${distanceKm.toFixed(1)} km `}
              {library.latitude !== null && library.longitude !== null && (
                <a
                  href={`https://www.openstreetmap.org/?mlat=${library.latitude}&mlon=${library.longitude}#map=17/${library.latitude}/${library.longitude}`}
                  rel="noreferrer"
                >
                  Map<span className="hidden"> of {library.name}</span>
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
      <More isLast label="Show more libraries" page={page.pageInfo} load={load} />
    </>
  );
}
