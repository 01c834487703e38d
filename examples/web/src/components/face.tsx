import type { CSSProperties } from 'react';
import { hueOf } from './cover.tsx';
import { Picture } from './picture.tsx';

interface Props {
  readonly name: string;
  readonly url: string | null;
  /** What the tip says after the name. */
  readonly note?: string;
}

/** The picture of a reader, over the initials on a circle of their colour; screen readers say the name. */
export function Face({ name, url, note }: Props) {
  return (
    <span
      className="face"
      style={{ '--hue': hueOf(name) } as CSSProperties}
      title={note === undefined ? name : `${name}, ${note}`}
    >
      <span aria-hidden="true">{initialsOf(name)}</span>
      <Picture url={url} />
      <span className="hidden">{name}</span>
    </span>
  );
}

/** Returns the first letters of the first and the last word of a name. */
function initialsOf(name: string): string {
  const [first = '', ...others] = name.split(' ');
  return [first, others.at(-1) ?? '']
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
