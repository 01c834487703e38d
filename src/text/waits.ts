/** The units from two of which on a wait is told in them, in seconds. */
const UNITS = [
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/**
 * Returns a time to wait in words, rounded up: `90 seconds`, `2 minutes`, `23 hours`.
 * @param seconds above 0
 */
export function waitInWords(seconds: number): string {
  const [length, unit] = UNITS.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  const count = Math.ceil(seconds / length);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
