import { domainToASCII, domainToUnicode } from 'node:url';
import { isVisible } from '../text/text.ts';

const LOCAL_PART = /^[^\s@"(),:;<>[\]\\.\p{C}]+(?:\.[^\s@"(),:;<>[\]\\.\p{C}]+)*$/u;
/**
 * The characters of a domain as people write it: ASCII letters, digits, hyphens and dots; visible
 * non-ASCII characters; and the two joiners that some scripts need. `domainToASCII` uses the URL
 * parser, which would end the host at `/`, `?`, `#` and `\`, decode `%6d` to an m, and drop tabs
 * and line breaks. None of these may reach it.
 */
const WRITTEN_DOMAIN = /^(?:[a-z0-9.-]|[^\0-\x7f\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|[\u200c\u200d])+$/u;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** The prefix of a domain label that encodes Unicode in ASCII. */
const ENCODED = 'xn--';
/**
 * The spaces and invisible characters around a pasted address. A match at the end begins only at
 * the first of them, which keeps matching linear in time.
 */
const AROUND =
  /^[\s\p{Default_Ignorable_Code_Point}]+|(?<![\s\p{Default_Ignorable_Code_Point}])[\s\p{Default_Ignorable_Code_Point}]+$/gu;
/** The limits of RFC 5321, 4.5.3.1. */
const LOCAL_PART_OCTETS_MAX = 64;
const EMAIL_OCTETS_MAX = 254;
/** The maximum length of the input: longer than any address with the spaces around it. */
const TEXT_LENGTH_MAX = 1_000;

/**
 * Normalises an email: NFKC, trimmed, lower case, the domain in ASCII.
 * @returns `undefined` when the text cannot be an email address
 */
export function normaliseEmail(text: string): string | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const folded = text.normalize('NFKC').replace(AROUND, '').toLowerCase().normalize('NFKC');
  const at = folded.lastIndexOf('@');
  const local = folded.slice(0, at);
  const domain = asciiDomain(folded.slice(at + 1));
  if (at <= 0 || domain === undefined || !LOCAL_PART.test(local) || !isVisible(local)) return undefined;
  const email = `${local}@${domain}`;
  const fits = Buffer.byteLength(local) <= LOCAL_PART_OCTETS_MAX && Buffer.byteLength(email) <= EMAIL_OCTETS_MAX;
  return fits ? email : undefined;
}

/**
 * Converts a domain to ASCII by UTS 46; returns `undefined` if the text is not a domain.
 *
 * UTS 46 also replaces some letters by others, and the table depends on Node's version of Unicode:
 * `ᲀ` becomes `в`. A domain with such a letter is refused, so that a stored address never depends
 * on that table.
 */
function asciiDomain(text: string): string | undefined {
  if (!WRITTEN_DOMAIN.test(text)) return undefined;

  const domain = domainToASCII(text);
  const decoded = domainToUnicode(domain).split('.');
  if (!DOMAIN.test(domain) || decoded.some((label) => label.startsWith(ENCODED))) return undefined;

  const written = text.replaceAll('。', '.').split('.');
  const isAsWritten = (label: string, index: number) =>
    label === written[index] || decoded[index]?.normalize('NFKC').toLowerCase() === written[index];
  return domain.split('.').every(isAsWritten) ? domain : undefined;
}
