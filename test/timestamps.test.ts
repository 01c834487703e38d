import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WriteTimestamps } from '../src/cassandra/driver-policies.ts';

/** The write timestamps of a process whose clock is set. */

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('each is later than the previous one, even within a millisecond and when the clock is set back a little', () => {
  const timestamps = new WriteTimestamps();
  const given = [0, 0, 1, -3_000, 5].map((ms) => {
    vi.setSystemTime(NOON + ms);
    return timestamps.next();
  });
  expect(given).toEqual([...new Set(given)].toSorted((one, other) => one - other));
  expect(given[0]).toBe(NOON * 1_000);
});

test('a clock that was a day ahead is followed when it is set right', () => {
  const timestamps = new WriteTimestamps();
  vi.setSystemTime(NOON + DAY_MS);
  timestamps.next();
  vi.setSystemTime(NOON);
  expect(timestamps.next()).toBe(NOON * 1_000);
  expect(timestamps.next()).toBe(NOON * 1_000 + 1);
});
