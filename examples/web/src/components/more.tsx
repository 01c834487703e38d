import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { messageOf } from '../errors.ts';
import { focusOn } from '../focus.ts';
import { notify } from '../notices.ts';

interface Props {
  readonly label: string;
  readonly page: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  /** Asks for the page after a cursor; undefined if the list ends here. */
  readonly load: ((after: string) => Promise<unknown>) | undefined;
  /** True if nothing comes after the list. Then the next page is loaded when the end is in view. */
  readonly isLast?: boolean;
}

/**
 * The end of a list, right below it, with a button for the next page. The button leaves the focus to
 * the first row that it brought.
 */
export function More({ label, page, load, isLast = false }: Props) {
  const [isLoading, setLoading] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const goOn = useRef<() => void>(undefined);
  const loadNext = async () => {
    const list = button.current?.previousElementSibling;
    if (isLoading || page.endCursor === null || !list || !load) return;
    const before = list.children.length;
    const hasFocus = document.activeElement === button.current;
    goOn.current = () => hasFocus && focusOn(list.children[before]);
    setLoading(true);
    await load(page.endCursor).catch((error: unknown) => notify(messageOf(error)));
    setLoading(false);
  };
  const latest = useRef(loadNext);
  latest.current = loadNext;

  // The rows are there as soon as the cursor is.
  useLayoutEffect(() => {
    goOn.current?.();
    goOn.current = undefined;
  }, [page.endCursor]);
  useEffect(() => {
    if (!button.current || !isLast) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void latest.current();
    });
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [page.endCursor, isLast]);

  if (!page.hasNextPage || !load) return null;
  return (
    <button ref={button} className="more" aria-disabled={isLoading} onClick={() => void loadNext()}>
      {isLoading ? 'Loading …' : label}
    </button>
  );
}
