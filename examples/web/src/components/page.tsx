import { useEffect, useRef, type ReactNode } from 'react';

let isFirst = true;

/**
 * A page with its heading. The focus moves to the heading when a page opens, so that the keyboard
 * and screen readers go on from there; the first page leaves it to the browser.
 */
export function Page({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = title === 'Library' ? title : `${title} – Library`;
  }, [title]);
  return (
    <main id="content">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
