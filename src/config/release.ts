import packageJson from '../../package.json' with { type: 'json' };

/** The release of this code, for example `1.0.0`. */
export const RELEASE: string = packageJson.version;

/** Compares two releases: negative if the first one is older, 0 if they are the same. */
export const compareReleases = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });
