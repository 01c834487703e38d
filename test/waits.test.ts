import { expect, test } from 'vitest';
import { waitInWords } from '../src/text/waits.ts';

test.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [7_199, '120 minutes'],
  [7_200, '2 hours'],
  [86_399, '24 hours'],
])('a wait of %d s is told as %s', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words);
});
