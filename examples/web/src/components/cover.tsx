import type { CSSProperties } from 'react';
import { Picture } from './picture.tsx';

interface Props {
  readonly title: string;
  readonly authors: readonly string[];
  readonly url: string | null;
}

/** The cover of a book, over one that is drawn with its title. */
export const Cover = ({ title, authors, url }: Props) => (
  <span className="cover" style={{ '--hue': hueOf(title) } as CSSProperties} aria-hidden="true">
    <b>{title}</b>
    <i>{authors[0]}</i>
    <Picture url={url} />
  </span>
);

/** Returns a colour for a title or a name, the same each time, in degrees. */
export const hueOf = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
