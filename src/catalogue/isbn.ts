/** An ISBN in its canonical form, ISBN-13 without hyphens, or what is wrong with the text: to be read after what names it. */
export type ParsedIsbn = { isbn13: string; problem?: never } | { isbn13?: never; problem: string };

/**
 * Reads an ISBN as people write it: ISBN-10 or ISBN-13, with or without hyphens and spaces, x in either case.
 * Check digits: ISO 2108, weights 10…1 modulo 11 for ISBN-10, weights 1 and 3 modulo 10 for ISBN-13.
 */
export function parseIsbn(text: string): ParsedIsbn {
  const compact = text.replace(/[\s\u2010-\u2015-]/g, '').toUpperCase();
  if (/^\d{9}[\dX]$/.test(compact)) {
    return compact.endsWith(checkDigit10(compact)) ? { isbn13: isbn13Of(compact) } : WRONG_CHECK_DIGIT;
  }
  if (/^97[89]\d{10}$/.test(compact)) {
    return compact.endsWith(checkDigit13(compact)) ? { isbn13: compact } : WRONG_CHECK_DIGIT;
  }
  return { problem: 'is not an ISBN: an ISBN has 10 digits, or 13 beginning with 978 or 979' };
}

const WRONG_CHECK_DIGIT: ParsedIsbn = {
  problem: 'is not an ISBN: its check digit is wrong, so at least one digit was mistyped',
};

const isbn13Of = (isbn10: string) => {
  const body = `978${isbn10.slice(0, 9)}`;
  return body + checkDigit13(body);
};

function checkDigit10(digits: string): string {
  const sum = Array.from(digits.slice(0, 9)).reduce((total, digit, index) => total + Number(digit) * (10 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

function checkDigit13(digits: string): string {
  const sum = Array.from(digits.slice(0, 12)).reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
