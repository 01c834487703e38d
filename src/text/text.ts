import { withFewMarks } from './marks.ts';

/** Tidies and checks texts that people write. folding.ts makes the form that searches compare. */

/** The maximum number of UTF-16 units of a character. */
const UNITS_MAX = 2;
/**
 * A text that exceeds its limit by more than this many units is refused before anything is removed
 * from it, because finding invisible characters takes longest.
 */
const INVISIBLE_MAX = 1_000;
/** `\s` lacks two spaces: the braille blank and EBCDIC's next line. */
const SPACES = /[\s\x85\u2800]+/g;

/**
 * Removes stray spaces and invisible characters and normalizes the rest, so that a pasted text is
 * stored in the form that people see. Characters that a script or an emoji needs are kept ({@link
 * neededOf}). Its time is linear in the length of the text. Repeating it changes nothing.
 */
export const tidied = (text: string): string => withoutIgnorables(text).replace(SPACES, ' ').trim();

/**
 * Returns a text in Unicode's NFC, in a time that is linear in its length. The form NFC
 * replaces some marks by several others.
 */
export const normalized = (text: string): string => withFewMarks(withFewMarks(text).normalize('NFC'));

/**
 * The number of Unicode code points of a text. Graphemes would be counted differently by the next
 * version of ICU.
 */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

/** Returns true if a text has more than a number of code points. It stops reading there. */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > UNITS_MAX * most || charactersIn(text) > most);

/** Returns the beginning of a text, at most `length` code points. */
export function beginningOf(text: string, length: number): string {
  let end = 0;
  let left = length;
  for (const character of text) {
    if (left === 0) break;
    left--;
    end += character.length;
  }
  return text.slice(0, end);
}

/**
 * Scripts whose words need joiners between letters or marks; in other scripts a joiner only hides.
 * RFC 5892, A.1 and A.2, decides by letter; the script is enough here.
 */
const JOINING_SCRIPTS = [
  ...['Arab', 'Syrc', 'Mong', 'Nkoo', 'Mand', 'Phag', 'Adlm', 'Rohg', 'Mani', 'Phlp', 'Chrs', 'Sogd', 'Sogo', 'Ougr'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt', 'Bali'],
  ...['Java', 'Sund', 'Lana', 'Cakm', 'Saur', 'Sylo', 'Mtei', 'Limb', 'Newa', 'Gran', 'Tirh', 'Sidd', 'Modi', 'Shrd'],
  ...['Kthi', 'Takr', 'Khoj', 'Sind', 'Nand', 'Gong', 'Gonm', 'Brah', 'Khar', 'Dogr', 'Kawi', 'Zanb', 'Soyo', 'Tglg'],
];
const joiningScripts = JOINING_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('');
const JOINING = `[[[${joiningScripts}]&&[\\p{L}\\p{M}]]--\\p{Default_Ignorable_Code_Point}]`;
/**
 * Characters that need a joiner: viramas of India and Sri Lanka, which make a half letter with it,
 * and the Arabic heh, which abbreviates Hijri.
 */
const HALVING = '[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u0647]';
const PICTOGRAPH = '\\p{Extended_Pictographic}';
const JOINED_PICTOGRAPH = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';
const MONGOLIAN = '[\\p{Script=Mongolian}--\\p{Default_Ignorable_Code_Point}]';

const JOINER = '[\u200C\u200D]';
const SELECTOR = '[\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]';
const TAG = '[\u{E0020}-\u{E007F}]';
/** Characters that change the direction of writing. They are refused, not removed. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/u;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
/** The default ignorable characters that no text needs. */
const USELESS = new RegExp(
  `[\\p{Default_Ignorable_Code_Point}--[${SELECTOR}${TAG}${JOINER}\u180E\u202A-\u202E\u2066-\u2069]]`,
  'gv',
);

/**
 * A character with a variation selector that changes how it looks, and a flag with its region in
 * tags, such as `gbsct`; or a selector or tag elsewhere.
 */
const SELECTED_OR_STRAY = new RegExp(
  `(${[
    '\u{1F3F4}[\uFE0E\uFE0F]?[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}',
    `${PICTOGRAPH}[\uFE0E\uFE0F]`,
    '[\\d#*][\uFE0E\uFE0F](?=\u20E3)',
    `${MONGOLIAN}[\u180B-\u180D\u180F]`,
    '\\p{Ideographic}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]',
    '[\\p{Script=Myanmar}\\p{Script=Phags_Pa}\\p{Script=Manichaean}]\uFE00',
  ].join('|')})|${SELECTOR}|${TAG}`,
  'gv',
);
/** A vowel separator elsewhere than between Mongolian letters. */
const STRAY_SEPARATOR = new RegExp(`\u180E(?:(?<!${MONGOLIAN}${SELECTOR}?\u180E)|(?!${JOINER}?${MONGOLIAN}))`, 'gv');
/** A joiner after another one. */
const FURTHER_JOINER = new RegExp(`(${JOINER})${JOINER}+`, 'gv');
/** The characters that may stand between a letter and its joiner. */
const BETWEEN = `(?:${SELECTOR}|${TAG}|\u180E){0,9}`;
/** A joiner that neither joins pictographs nor halves a letter nor is between joining letters. */
const STRAY_JOINER = new RegExp(
  `(?:\u200C|\u200D(?<!${HALVING}${BETWEEN}\u200D)(?:(?<!${JOINED_PICTOGRAPH}${BETWEEN}\u200D)|(?!${PICTOGRAPH})))` +
    `(?:(?<!${JOINING}${BETWEEN}${JOINER})|(?!${JOINING}))`,
  'gv',
);
const BEFORE_MARKS = new RegExp(`(?:${SELECTOR}|${JOINER}|\u180E)+(?=[\\p{M}--${SELECTOR}])`, 'gv');

/**
 * Removes selectors, tags, separators and joiners, except those that a script or an emoji needs
 * directly after their character.
 */
const withoutStray = (text: string): string =>
  text
    .replace(SELECTED_OR_STRAY, '$1')
    .replace(STRAY_SEPARATOR, '')
    .replace(FURTHER_JOINER, '$1')
    .replace(STRAY_JOINER, '');

/**
 * Normalizes a text, and removes the characters that Unicode calls default ignorable, except needed
 * ones. Without them, marks may change their order or merge into a letter, so that other ignorable
 * characters are no longer needed. This never happens twice in the text of a real script. If it
 * does, all ignorable characters before marks are removed, and nothing more can change.
 */
function withoutIgnorables(text: string): string {
  const given = normalized(text.replace(USELESS, ''));
  if (!IGNORABLE.test(given)) return given;

  const once = withoutStray(given).normalize('NFC');
  if (once === given) return once;

  const twice = withoutStray(once).normalize('NFC');
  if (twice === once) return twice;

  const apart = twice.replace(BEFORE_MARKS, '').normalize('NFC');
  return withoutStray(apart).normalize('NFC');
}

/**
 * Letters, digits and symbols, without the blank ones of braille, musical notation, hieroglyphs and
 * object replacement.
 */
const SHOWN = /[[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]--[\u2800\uFFFC\u{1D159}\u{13441}\u{13442}]]/v;
/**
 * Control characters, private use, lone surrogates, blanks and unassigned code points. Emoji and
 * ideographs are exempt, because every version of Unicode adds some. The number signs of Arabic are
 * format characters that are visible.
 */
const HIDDEN =
  /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\uFFFC\u{1D159}[\p{Cf}--[\p{Default_Ignorable_Code_Point}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}\u{13430}-\u{1343F}]][\p{Cn}--[\p{Default_Ignorable_Code_Point}\p{Extended_Pictographic}\u{20000}-\u{3FFFD}]]]/v;
/** Characters that join hieroglyphs, without an adjacent hieroglyph. */
const LONELY =
  /(?<![\u{13000}-\u{1342F}\u{13460}-\u{143FF}])[\u{13430}-\u{13455}](?![\u{13000}-\u{1342F}\u{13460}-\u{143FF}])/u;
const LINE_END = /\r\n|[\n\v\f\r\x85\u2028\u2029]/u;
const BREAKS = /[\n\v\f\r\x85\u2028\u2029]/u;
/**
 * More marks than any script puts on a letter. Tibetan and Biblical Hebrew use the most. Vowel
 * signs of Indic scripts next to a letter are also marks. The expression matches a row of marks
 * only at its first mark.
 */
const HEAPED =
  /(?<![[\p{Mn}\p{Me}]--\p{Default_Ignorable_Code_Point}])(?:[\u200C\u200D]?[[\p{Mn}\p{Me}]--\p{Default_Ignorable_Code_Point}]){9}|(?<![\p{M}\uFF9E\uFF9F])[\p{M}\uFF9E\uFF9F]{32}/v;

/**
 * The reason why a tidied text cannot be shown, as the end of a sentence that begins with its name;
 * undefined when it can.
 */
function problemOf(text: string): string | undefined {
  if (TURNING.test(text)) return 'has a character that changes the direction of writing';
  if (HIDDEN.test(text) || LONELY.test(text)) return 'has an invisible or unassigned character';
  if (!SHOWN.test(text)) return 'has nothing visible in it';
  if (/^\p{M}/u.test(text)) return 'begins with a mark that belongs on a letter';
  if (HEAPED.test(text)) return 'has more than 8 marks on one letter';
  return undefined;
}

/**
 * True when a text shows something and hides nothing. Invisible characters, and those that change
 * the direction of writing, would let one name look like another.
 */
export const isVisible = (text: string): boolean => withoutIgnorables(text) === text && problemOf(text) === undefined;

const tooLong = (length: number) => `has ${length.toLocaleString('en')} of them`;

/**
 * The ways to read line breaks. A pasted title turns them into spaces, a name is refused for them,
 * and a review keeps them, with at most one empty line between two others.
 */
export type Breaks = 'SPACES' | 'REFUSED' | 'KEPT';

/** Tidies each line of a text. */
const tidiedLines = (text: string) =>
  text
    .split(LINE_END)
    .map(tidied)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The first problem of the lines of a tidied text. */
function problemOfLines(text: string): string | undefined {
  for (const line of text.split(/\n+/)) {
    const problem = problemOf(line);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * A text in the form that is stored and shown, or its problem, as the end of a sentence that begins
 * with its name.
 */
export type ReadText = { text: string; problem?: never } | { text?: never; problem: string };

/**
 * Reads a text that others see: a name, title, genre, device, reason or review.
 * @param lengthMax in characters of at most four bytes each
 * @param breaks how line breaks are read
 */
export function readShownText(text: string, lengthMax: number, breaks: Breaks = 'SPACES'): ReadText {
  if (text.length > lengthMax * UNITS_MAX + INVISIBLE_MAX) return { problem: 'has far more of them' };

  const given = breaks === 'KEPT' ? tidiedLines(text) : tidied(text);
  const length = charactersIn(given);
  if (breaks === 'REFUSED' && BREAKS.test(text.trim())) return { problem: 'has a line break' };
  const problem = problemOfLines(given) ?? (length > lengthMax ? tooLong(length) : undefined);
  return problem === undefined ? { text: given } : { problem };
}
