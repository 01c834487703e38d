import { useState, type CSSProperties } from 'react';

interface Props {
  readonly title: string;
  readonly authors: readonly string[];
  readonly url: string | null;
}

/** The cover of a book. If there is none, or it does not load, one is drawn with its title. */
export function Cover({ title, authors, url }: Props) {
  const [failed, setFailed] = useState<string>();
  if (url !== null && url !== failed)
    return (
      <img
        className="cover"
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setFailed(url)}
      />
    );
  return (
    <span className="cover drawn" style={{ '--hue': hueOf(title) } as CSSProperties} aria-hidden="true">
      <b>{title}</b>
      <i>{authors[0]}</i>
    </span>
  );
}

/** Returns a colour for a title or a name, the same each time, in degrees. */
export const hueOf = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 7);
