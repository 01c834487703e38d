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
