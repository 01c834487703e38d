/**
 * Marks on letters. Normalization sorts those of a letter, in a time that grows with the square of
 * their number.
 */

/** The maximum number of marks in a row, many more than in any script. */
const MARKS_MAX = 64;
/**
 * The voiced sound marks of half width are letters, which NFKC turns into marks. Where invisible
 * characters are removed, the marks around them become neighbours.
 */
const MARK = '[\\p{M}\\uFF9E\\uFF9F\\p{Default_Ignorable_Code_Point}]';
const TOO_MANY = new RegExp(`(?=${MARK})(?<!${MARK})(${MARK}{${MARKS_MAX}})${MARK}+`, 'gu');

/**
 * Removes marks and invisible characters beyond {@link MARKS_MAX} in a row. Call it before a text
 * is normalized.
 */
export const withFewMarks = (text: string): string => (text.length > MARKS_MAX ? text.replace(TOO_MANY, '$1') : text);
