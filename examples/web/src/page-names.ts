/** The first parts of the paths of all pages. The server answers any other path with status 404. */
export const PAGE_NAMES = [
  '',
  'author',
  'book',
  'copies',
  'feed',
  'history',
  'import',
  'libraries',
  'list',
  'lists',
  'login',
  'lost-password',
  'notifications',
  'profile',
  'reader',
  'register',
  'reset',
  'search',
  'sell',
  'series',
  'shelves',
  'verify',
  'year',
] as const;

export type PageName = (typeof PAGE_NAMES)[number];

/** Returns whether a page has this name. */
export const isPageName = (name: string): name is PageName => (PAGE_NAMES as readonly string[]).includes(name);
