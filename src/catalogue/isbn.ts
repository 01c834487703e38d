import { digitOf, FOREIGN_DIGIT } from '../text/folding.ts';

/**
 * An ISBN-13 without hyphens, or the problem of the text. The problem is the end of a sentence that
 * begins with the name of the field.
 */
export type ParsedIsbn = { isbn13: string; problem?: never } | { isbn13?: never; problem: string };

/** The maximum length of a text with an ISBN, in UTF-16 units. */
const TEXT_LENGTH_MAX = 200;

/**
 * Characters for a hyphen from keyboards, word processors and catalogues, besides Unicode's dashes.
 */
const DASH = /[\p{Pd}\u2212\u2043\u02D7\u30FC]/gu;
/** The braille blank looks like a space, but `\s` does not match it. */
const SPACE = /[\s\u2800]+/gu;
/**
 * Letters of other alphabets that replace the X of an ISBN-10. Russian catalogues use the Cyrillic
 * letter.
 */
const LETTER_X = /[xХхΧχ]/gu;

const OPENING = /^[=\s"'`«»‘’‚“”„‟<]+/u;
/** Characters behind an ISBN, such as the `>` below a bar code. */
const CLOSING = /[\s"'`«»‘’‚“”„‟.,;:>]+$/u;
const WITHIN_BRACKETS = /^[([{]([^()[\]{}]*)[)\]}]$/u;
/** `ISBN`, `e-ISBN`, `I.S.B.N.`, `urn:isbn:`. */
const LABEL = /^(?:urn:)?(?:[ep]-?)?I\.?S\.?B\.?N\.?/iu;
/** `: `, ` No. `, ` (pbk.): `. */
const AFTER_LABEL = /^[\s:.#=-]*(?:(?:no|nr)\b\.?)?(?:\s*[([][^()[\]]*[)\]])?[\s:.#=-]*/iu;
/** The `-13` of `ISBN-13 978…`. */
const KIND = /^[\s([-]*1[03][)\]]?/u;
const KIND_APART = /^[\s([-]*1[03](?!\d)/u;
/** `(pbk.)`, `(hardcover : alk. paper)`, `(v. 2) : $12.95`, as field 020 of MARC 21 has them. */
const QUALIFIERS = /(?:[\s:;,]*[([][^()[\]]*[)\]])+(?:\s*:[^()[\]:]*)?$|\s*:\s*\p{Sc}[^()[\]:]*$/u;
/**
 * The maximum number of digits in brackets. Brackets with more digits may contain another ISBN, and
 * then it is unclear which one is meant.
 */
const QUALIFIER_DIGITS_MAX = 8;
const ISMN = /^(?:ISMN|M[ -]?\d)/iu;

const problems = {
  form:
    'is not an ISBN: an ISBN has 10 digits, or 13, and besides hyphens and spaces no other ' +
    'characters; only the last of 10 may be an X',
  sbn:
    'is not an ISBN: it has 9 digits, and an ISBN has 10 digits, or 13; write an SBN, ' +
    'of 9 digits, with a 0 in front',
  prefix: 'is not an ISBN: an ISBN has 10 digits, or 13 beginning with 978 or 979, and this one does not',
  ismn: 'is an ISMN, the number of printed music (979-0), and not an ISBN',
  checkDigit: 'is not an ISBN: its check digit is wrong, so at least one digit was mistyped',
};

/**
 * Reads an ISBN. It accepts many forms, but checks the check digit and the prefix. It accepts
 * ISBN-10 and ISBN-13 with any hyphens and spaces, with copied labels and qualifiers, and in the
 * digits of any script. It ignores invisible characters. It never guesses a digit.
 *
 * Check digits: ISO 2108, weights 10…1 modulo 11 for ISBN-10, weights 1 and 3 modulo 10 for
 * ISBN-13. Ranges of publishers are not checked: they grow, and a valid ISBN must not be refused
 * because a table is old.
 */
export function parseIsbn(text: string): ParsedIsbn {
  // Most callers send only the digits. This check is cheaper than the code below.
  if (/^\d{13}$/.test(text)) return readDigits(text);
  if (text.length > TEXT_LENGTH_MAX) return { problem: problems.form };
  const plain = withoutWrapping(withPlainCharacters(text));
  if (ISMN.test(plain)) return { problem: problems.ismn };
  return readDigits(digitsOf(plain));
}

/** Replaces digits, hyphens and spaces by those of ASCII, and removes invisible characters. */
const withPlainCharacters = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(DASH, '-')
    .replace(SPACE, ' ')
    .replace(LETTER_X, 'X')
    .replace(FOREIGN_DIGIT, (digit) => String(digitOf(digit)));

/** Unwraps `="978…"` of spreadsheets, `“978…”`, `[978…]` and `978….`. */
function withoutWrapping(text: string): string {
  const bare = text.replace(OPENING, '').replace(CLOSING, '');
  return (WITHIN_BRACKETS.exec(bare)?.[1] ?? bare).trim();
}

/**
 * Returns the digits of an ISBN without label, qualifiers, hyphens and spaces; `undefined` if
 * anything else is left.
 */
function digitsOf(text: string): string | undefined {
  const [label] = LABEL.exec(text) ?? [];
  if (label === undefined) return compact(text);

  const rest = text.slice(label.length);
  const read = compact(rest.replace(AFTER_LABEL, ''));
  if (isOfLength(read)) return read;
  const behindKind = compact(rest.replace(KIND, '').replace(AFTER_LABEL, ''));
  return isOfLength(behindKind) || KIND_APART.test(rest) ? behindKind : read;
}

function compact(text: string): string | undefined {
  const [qualifiers = ''] = QUALIFIERS.exec(text) ?? [];
  if ((qualifiers.match(/\d/g)?.length ?? 0) > QUALIFIER_DIGITS_MAX) return undefined;
  const body = text.slice(0, text.length - qualifiers.length).replace(CLOSING, '');
  return /^\d[\d -]*X?$/.test(body) ? body.replace(/[ -]/g, '') : undefined;
}

const isOfLength = (digits: string | undefined) => digits?.length === 10 || digits?.length === 13;

function readDigits(digits: string | undefined): ParsedIsbn {
  if (digits === undefined || (digits.endsWith('X') && digits.length !== 10)) return { problem: problems.form };
  if (digits.length === 9) return { problem: problems.sbn };
  if (!isOfLength(digits))
    return { problem: `is not an ISBN: an ISBN has 10 digits, or 13, and this has ${digits.length}` };
  if (digits.length === 10)
    return digits.endsWith(checkDigit10(digits)) ? { isbn13: isbn13Of(digits) } : { problem: problems.checkDigit };
  if (!/^97[89]/.test(digits)) return { problem: problems.prefix };
  if (digits.startsWith('9790')) return { problem: problems.ismn };
  return digits.endsWith(checkDigit13(digits)) ? { isbn13: digits } : { problem: problems.checkDigit };
}

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
