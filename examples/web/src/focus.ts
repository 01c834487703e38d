/** The place of the keyboard on the page, which is kept when the element with the focus goes away. */

interface Place {
  readonly element: HTMLElement;
  readonly details: HTMLElement | null;
  readonly list: HTMLElement | null;
  /** The number of the element's row in the list. */
  readonly row: number;
  readonly section: HTMLElement | null;
}

/** Focuses the first control of an element, or else the element itself. */
export function focusOn(element: Element | undefined): void {
  const control = element?.querySelector<HTMLElement>('a, button, input, summary');
  if (control) control.focus();
  else if (element instanceof HTMLElement) {
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
  }
}

/**
 * Keeps the focus within a page whose elements come and go. An element that was only moved gets it
 * back. One that is gone leaves it to what folded it away, to the row that takes the place of its
 * row, or to the heading above it.
 */
export function keepFocus(root: HTMLElement): void {
  let place: Place | undefined;
  root.addEventListener('focusin', ({ target }) => {
    place = placeOf(target as HTMLElement);
  });
  new MutationObserver((changes) => {
    const { element } = place ?? {};
    if (!place || !element || document.activeElement !== document.body) return;
    if (!changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(element)))) return;
    if (element.isConnected) element.focus();
    else focusOn(nextTo(place));
  }).observe(root, { childList: true, subtree: true });
}

function placeOf(element: HTMLElement): Place {
  const row = element.closest('li');
  const list = row?.parentElement ?? null;
  return {
    element,
    details: element.closest('details'),
    list,
    row: row && list ? [...list.children].indexOf(row) : 0,
    section: element.closest('section'),
  };
}

/** Returns the nearest element of what is left of a place. */
function nextTo({ details, list, row, section }: Place): Element | undefined {
  if (details?.isConnected) return details;
  const rows = list?.isConnected ? [...list.children] : [];
  return rows[row] ?? rows.at(-1) ?? (section?.isConnected ? section : document).querySelector('h1, h2') ?? undefined;
}
