/** Text as people write it, and as they search for it. */

/** Without stray spaces, in one Unicode spelling. */
export const tidied = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Without case and accents. */
export const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC');

/** The words of a text, in their order, without case, accents and punctuation; an apostrophe does not part a word. */
export const wordsOf = (text: string): string[] =>
  folded(text)
    .replace(/['’‘`]/g, '')
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Scripts whose words need joiners; elsewhere a joiner is nothing but invisible. */
const JOINING = ['Arab', 'Syrc', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr'].map((script) => `\\p{Script=${script}}`).join(''); // prettier-ignore
const JOINERS = new RegExp(
  `(?<=[${JOINING}])[\\u200C\\u200D](?=[${JOINING}])|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])\\uFE0F?\\u200D?(?=\\p{Extended_Pictographic})|(?<=\\p{Emoji})\\uFE0F`,
  'gu',
);
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether a text shows all that is in it, and something: one name must not look like another because of characters that
 * nobody sees or that turn the direction of writing. Joiners are allowed where words and emoji need them, as in RFC 5892,
 * A.1 and A.2, by the script instead of by each letter.
 * @param text of a bounded length
 */
export const isVisible = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && !HIDDEN.test(text.replace(JOINERS, ''));
