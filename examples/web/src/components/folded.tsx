import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';

interface Props {
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page that is folded away. It is made when it is first opened. */
export function Folded({ label, children }: Props) {
  const [wasOpen, setOpen] = useState(false);
  return (
    <details onToggle={() => setOpen(true)}>
      <summary>{label}</summary>
      {wasOpen && <Suspense fallback={<p role="status">Loading …</p>}>{children}</Suspense>}
    </details>
  );
}

/** Returns a part of a page whose script is loaded when it is first shown; without it the part says so. */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async (): Promise<{ default: ComponentType<Props> }> => ({ default: await load().catch(() => Missing) }));

function Missing() {
  return (
    <p role="alert" className="error">
      This part of the page cannot be loaded. Check the connection.{' '}
      <button onClick={() => location.reload()}>Try again</button>
    </p>
  );
}
