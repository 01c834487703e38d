import type { PersonFragment } from '../documents.generated.ts';
import { Link } from '../router.tsx';
import { Face } from './face.tsx';

/** A reader in a list, with their picture. */
export function Person({ reader: { id, fullName, avatarUrl } }: { readonly reader: PersonFragment }) {
  return (
    <Link to={readerPath(id)} className="person">
      <span aria-hidden="true">
        <Face name={fullName} url={avatarUrl} />
      </span>
      {fullName}
    </Link>
  );
}

export const readerPath = (id: string): string => `/reader/${encodeURIComponent(id)}`;
