import { useEffect } from 'react';
import type { Likeable } from './likes.ts';
import { Signal } from './signal.ts';

/** The things on the page whose likes are shown, and those whose likes are watched. */

/** The types of the shown things by id, those that were shown last at the end. */
export const shownLikes = new Map<string, Likeable['__typename']>();
/** The number of places that show each of them. */
const places = new Map<string, number>();
const changed = new Signal();

/** Calls a function when other things are shown; returns a function that ends this. */
export const onOtherLikes = changed.subscribe;

/** Tells that a component shows the likes of a thing. */
export function useShownLikes({ __typename, id }: Pick<Likeable, '__typename' | 'id'>): void {
  useEffect(() => {
    places.set(id, (places.get(id) ?? 0) + 1);
    shownLikes.set(id, __typename);
    changed.emit();
    return () => {
      const left = (places.get(id) ?? 1) - 1;
      places.set(id, left);
      if (left > 0) return;
      places.delete(id);
      shownLikes.delete(id);
      changed.emit();
    };
  }, [__typename, id]);
}

/** The types by id of the things of which every new tally arrives. No other count of them is newer. */
export const watchedLikes = new Map<string, Likeable['__typename']>();
