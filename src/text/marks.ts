/**
 * Limits the marks on letters. Normalization sorts the marks of a letter, in a time that grows with
 * the square of their number.
 */

/** The maximum number of marks in a row, many more than any script needs. */
const MARKS_MAX = 64;
/**
 * The voiced sound marks of half width are letters, which NFKC turns into marks. Where invisible
 * characters are removed, the marks around them become neighbours.
 */
const MARK = '[\\p{M}\\uFF9E\\uFF9F\\p{Default_Ignorable_Code_Point}]';
const TOO_MANY = new RegExp(`(?=${MARK})(?<!${MARK})(${MARK}{${MARKS_MAX}})${MARK}+`, 'gu');
/** The marks before and after a place in a text. */
const AROUND = new RegExp(`(?<=(${MARK}{0,${MARKS_MAX}}))(${MARK}{0,${MARKS_MAX + 1}})`, 'uy');

/**
 * Removes marks and invisible characters beyond {@link MARKS_MAX} in a row. Call it before a text
 * is normalized.
 */
export const withFewMarks = (text: string): string => (mayHaveTooMany(text) ? text.replace(TOO_MANY, '$1') : text);

/**
 * Too many marks in a row cover at least one of these places, so few characters have to be checked.
 */
function mayHaveTooMany(text: string): boolean {
  for (let at = MARKS_MAX; at < text.length; at += MARKS_MAX) {
    AROUND.lastIndex = at;
    const [, before = '', behind = ''] = AROUND.exec(text) ?? [];
    if (before.length + behind.length > MARKS_MAX) return true;
  }
  return false;
}
