import { withFewMarks } from './marks.ts';

/** Text as people write it. folding.ts makes the form that searches compare. */

/**
 * Each pass removes something between two marks of a letter, and more than 8 marks on a letter are
 * refused.
 */
const PASSES_MAX = 32;
/** A text longer than its limit times this is refused before anything is removed from it. */
const INVISIBLE_TIMES_MAX = 4;
/** `\s` lacks two spaces: the braille blank and EBCDIC's next line. */
const SPACES = /[\s\x85\u2800]+/gu;

/**
 * Removes stray spaces and invisible characters and normalizes the rest, so that a pasted text is
 * stored as it looks. Characters that a script or an emoji needs stay ({@link neededOf}).
 */
export function tidied(text: string): string {
  let seen = normalized(text);
  // Marks change their order once nothing invisible is between them; after that, further characters
  // may be unneeded.
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const given = seen;
    seen = normalized(withoutIgnorables(given));
    if (seen.length === given.length) break;
  }
  return seen.replace(SPACES, ' ').trim();
}

/** Returns a text in Unicode's NFC, in a time that grows with its length alone. */
export const normalized = (text: string): string => withFewMarks(text).normalize('NFC');

/**
 * The number of Unicode code points of a text. Graphemes would be counted differently by the next
 * version of ICU.
 */
export function charactersIn(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

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
const JOINING = new RegExp(`^[[${joiningScripts}]&&[\\p{L}\\p{M}]]$`, 'v');
/**
 * Viramas of India and Sri Lanka make a half letter with a joiner; the Arabic heh with one
 * abbreviates Hijri.
 */
const HALVING = /^[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u0647]$/u;
const PICTOGRAPH = /^\p{Extended_Pictographic}$/u;
const JOINED_PICTOGRAPH = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const SELECTOR = /[\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu;
/** The region of a flag, in tags: `gbsct`. */
const REGION = /[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}/u;
/** Characters that change the direction of writing. They are refused, not removed. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Removes the characters that Unicode calls default ignorable, except those needed at their place.
 */
const withoutIgnorables = (text: string) =>
  text.replace(/\p{Default_Ignorable_Code_Point}+/gu, (run: string, at: number) => {
    const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';
    const after = text.codePointAt(at + run.length);
    return neededOf(run, before, after === undefined ? '' : String.fromCodePoint(after));
  });

/**
 * The characters of an ignorable run that matter between its two neighbours, in a fixed order: the
 * variation selector of an emoji, an ideograph or a Mongolian letter, the region of a flag, a
 * joiner.
 */
function neededOf(run: string, before: string, after: string): string {
  const selector = run.match(SELECTOR)?.find((each) => isSelected(before, each, after)) ?? '';
  const region = before === '\u{1F3F4}' ? (REGION.exec(run)?.[0] ?? '') : '';
  const isMongolian = [before, after].every((each) => /^\p{Script=Mongolian}$/u.test(each));
  const vowelSeparator = isMongolian && run.includes('\u180E') ? '\u180E' : '';
  const turning = run.match(TURNING)?.join('') ?? '';
  return selector + region + vowelSeparator + joinerOf(run, before, after) + turning;
}

function isSelected(before: string, selector: string, after: string): boolean {
  if (/[\uFE0E\uFE0F]/u.test(selector)) return PICTOGRAPH.test(before) || (/[\d#*]/.test(before) && after === '\u20E3');
  if (/[\u180B-\u180F]/u.test(selector)) return /^\p{Script=Mongolian}$/u.test(before);
  if (/[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/u.test(selector) && /^\p{Ideographic}$/u.test(before)) return true;
  return selector === '\uFE00' && /^[\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}]$/u.test(before);
}

function joinerOf(run: string, before: string, after: string): string {
  const isEmoji = JOINED_PICTOGRAPH.test(before) && PICTOGRAPH.test(after);
  if ((isEmoji || HALVING.test(before)) && run.includes('\u200D')) return '\u200D';
  return JOINING.test(before) && JOINING.test(after) ? (/[\u200C\u200D]/u.exec(run)?.[0] ?? '') : '';
}

/**
 * Letters, digits and symbols, without the blank ones of braille, musical notation, hieroglyphs and
 * object replacement.
 */
const SHOWN = /[[\p{L}\p{N}\p{P}\p{S}\p{Extended_Pictographic}]--[\u2800\uFFFC\u{1D159}\u{13441}\u{13442}]]/v;
/**
 * Control characters, private use, lone surrogates, blanks and unassigned code points. Emoji and
 * ideographs are exempt, as every version of Unicode adds some. The number signs of Arabic are
 * format characters that are visible.
 */
const HIDDEN =
  /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\uFFFC\u{1D159}[\p{Cf}--[\p{Default_Ignorable_Code_Point}\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}\u{13430}-\u{1343F}]][\p{Cn}--[\p{Default_Ignorable_Code_Point}\p{Extended_Pictographic}\u{20000}-\u{3FFFD}]]]/v;
/** Characters that join hieroglyphs, without a hieroglyph beside them. */
const LONELY =
  /(?<![\u{13000}-\u{1342F}\u{13460}-\u{143FF}])[\u{13430}-\u{13455}](?![\u{13000}-\u{1342F}\u{13460}-\u{143FF}])/u;
const LINE_END = /\r\n|[\n\v\f\r\x85\u2028\u2029]/u;
const BREAKS = /[\n\v\f\r\x85\u2028\u2029]/u;
/**
 * More marks than any script puts on a letter. Tibetan and Biblical Hebrew come closest. Vowels of
 * India beside a letter are marks as well.
 */
const HEAPED = /(?:[\u200C\u200D]?[[\p{Mn}\p{Me}]--\p{Default_Ignorable_Code_Point}]){9}|[\p{M}\uFF9E\uFF9F]{32}/v;

/**
 * The reason why a tidied text cannot be shown, as the end of a sentence that begins with its name;
 * undefined when it can.
 */
function problemOf(text: string): string | undefined {
  if (text.match(TURNING)) return 'has a character that changes the direction of writing';
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
 * The ways to read line breaks: as spaces, as in a pasted title; as a reason to refuse the text, as
 * in a name; or as such, with at most one empty line between two others, as in a review.
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
 * A text as it is stored and shown, or its problem, as the end of a sentence that begins with its
 * name.
 */
export type ReadText = { text: string; problem?: never } | { text?: never; problem: string };

/**
 * Reads a text that others see: a name, title, genre, device, reason or review.
 * @param lengthMax in characters of at most four bytes each
 * @param breaks says what becomes of line breaks
 */
export function readShownText(text: string, lengthMax: number, breaks: Breaks = 'SPACES'): ReadText {
  if (text.length > lengthMax * INVISIBLE_TIMES_MAX) return { problem: tooLong(charactersIn(text)) };

  const given = breaks === 'KEPT' ? tidiedLines(text) : tidied(text);
  const length = charactersIn(given);
  if (breaks === 'REFUSED' && BREAKS.test(text.trim())) return { problem: 'has a line break' };
  const problem = problemOfLines(given) ?? (length > lengthMax ? tooLong(length) : undefined);
  return problem === undefined ? { text: given } : { problem };
}
