import type { CSSProperties } from 'react';
import { hueOf } from './cover.tsx';

/** The initials of a reader on a circle of their colour; screen readers say the name. */
export function Face({ name, note }: { readonly name: string; readonly note: string }) {
  return (
    <span className="face" style={{ '--hue': hueOf(name) } as CSSProperties} title={`${name}, ${note}`}>
      <span aria-hidden="true">{initialsOf(name)}</span>
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
