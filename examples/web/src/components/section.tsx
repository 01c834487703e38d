import { useId, type ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** The place that an address can name. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** A part of a page under its heading, which names it for screen readers. */
export function Section({ title, id, children }: Props) {
  const headingId = useId();
  return (
    <section id={id} aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      {children}
    </section>
  );
}
