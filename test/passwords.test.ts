import { expect, test } from 'vitest';
import { spelled } from '../src/passwords/passwords.ts';

test('texts that look the same are the same password', () => {
  const letters = Array.from({ length: 256 }, () => 'ǖ').join('');
  expect(spelled('ｐａｓｓ')).toBe('pass');
  expect(spelled(letters.normalize('NFD'))).toBe(letters);
});

// Normalising it would take a minute, while no other request is answered.
test('a text that is too long for a password is not normalised', () => {
  const text = `a${'\u0315'.repeat(700)}${'\u0316'.repeat(700)}`;
  expect(spelled(text)).toBe(text);
});
