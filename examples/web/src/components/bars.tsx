import { Link } from '../router.tsx';

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  /** The path of the page that the name leads to. */
  readonly to?: string | undefined;
}

/** Numbers as bars, each with its name and its text. */
export function Bars({ label, bars }: { readonly label: string; readonly bars: readonly Bar[] }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ name, value, text, to }) => (
        <li key={name}>
          <span>{to === undefined ? name : <Link to={to}>{name}</Link>}</span>
          <meter value={value} max={highest} aria-label={name} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
