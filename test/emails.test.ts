import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseEmail } from '../src/accounts/emails.ts';

describe('emails', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    ['  Ann@Example.COM\n', 'ann@example.com'],
    ['ａｎｎ@example.com', 'ann@example.com'],
    ['ann@ｅxample．com', 'ann@example.com'],
    ['ann+books@example.com', 'ann+books@example.com'],
    ['jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ANN@BÜCHER.EXAMPLE', 'ann@xn--bcher-kva.example'],
  ])('%j is known as %s', (text, email) => {
    expect(normaliseEmail(text)).toBe(email);
  });

  test.each([
    '',
    'ann',
    '@example.com',
    'ann@',
    'ann@localhost',
    'ann@@example.com',
    'ann lee@example.com',
    'ann@exa mple.com',
    '.ann@example.com',
    'ann..lee@example.com',
    'ann@-example.com',
    'ann@example.c0m!',
    'ann@127.0.0.1',
    `${'a'.repeat(65)}@example.com`,
    `ann@${'a'.repeat(64)}.com`,
    'a\u0000b@example.com',
  ])('%j cannot be one', (text) => {
    expect(normaliseEmail(text)).toBeUndefined();
  });

  test('a normalised email is its own normal form', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: 'grapheme' }).map((text) => `${text}@example.com`),
        ),
        (text) => {
          const email = normaliseEmail(text);
          if (email !== undefined) expect(normaliseEmail(email)).toBe(email);
        },
      ),
    );
  });
});
