import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../errors.ts';
import { notify } from '../notices.ts';

interface Props {
  readonly label: string;
  readonly page: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  /** Asks for the page after a cursor. */
  readonly load: (after: string) => Promise<unknown>;
}

/** The end of a list: the next page is loaded when it comes into view, or by the button. */
export function More({ label, page, load }: Props) {
  const [isLoading, setLoading] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const loadNext = () => {
    if (isLoading || page.endCursor === null) return;
    setLoading(true);
    load(page.endCursor)
      .catch((error: unknown) => notify(messageOf(error)))
      .finally(() => setLoading(false));
  };
  const latest = useRef(loadNext);
  latest.current = loadNext;

  useEffect(() => {
    if (!button.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [page.endCursor]);

  if (!page.hasNextPage) return null;
  return (
    <button ref={button} className="more" aria-disabled={isLoading} onClick={loadNext}>
      {isLoading ? 'Loading …' : label}
    </button>
  );
}
