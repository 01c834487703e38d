import { Fragment } from 'react';
import { counted } from '../format.ts';
import { Link } from '../router.tsx';
import { readerPath } from './person.tsx';

interface Props {
  /** Those who are named. */
  readonly readers: readonly { readonly id: string; readonly fullName: string }[];
  /** The number of all, with those who are named. */
  readonly count: number;
}

/** Readers in a sentence: "Ann, Bob and 10 others". */
export function Names({ readers, count }: Props) {
  const rest = count - readers.length;
  const names = readers.map(({ id, fullName }) => (
    <Link key={id} to={readerPath(id)}>
      {fullName}
    </Link>
  ));
  const parts = rest > 0 ? [...names, counted(rest, names.length > 0 ? 'other' : 'reader')] : names;
  return parts.map((part, place) => (
    <Fragment key={place}>
      {place > 0 && (place === parts.length - 1 ? ' and ' : ', ')}
      {part}
    </Fragment>
  ));
}
