import { domainToASCII, domainToUnicode } from 'node:url';
import { isVisible } from '../text/text.ts';

const LOCAL_PART = /^[^\s@"(),:;<>[\]\\.\p{C}]+(?:\.[^\s@"(),:;<>[\]\\.\p{C}]+)*$/u;
/**
 * The characters of a domain as people write it: of ASCII letters, digits, hyphens and dots alone, of the rest what can be seen, and the
 * two joiners that some scripts need. `domainToASCII` reads a host by the URL parser, which would take `/`, `?`, `#` and `\` for its end,
 * `%6d` for an m, and drop tabs and line breaks; it must see none of them.
 */
const WRITTEN_DOMAIN = /^(?:[a-z0-9.-]|[^\0-\x7f\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|[\u200c\u200d])+$/u;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** A label that says that it is Unicode, and is none. */
const UNREADABLE_LABEL = /(?:^|\.)xn--/;
/** Spaces around an address, and what nobody sees of a text that was pasted. */
const AROUND = /^[\s\p{Default_Ignorable_Code_Point}]+|[\s\p{Default_Ignorable_Code_Point}]+$/gu;
/** RFC 5321, 4.5.3.1. */
const LOCAL_PART_OCTETS_MAX = 64;
const EMAIL_OCTETS_MAX = 254;
/** Longer than any address with what is around it. */
const TEXT_LENGTH_MAX = 1_000;

/**
 * The one spelling under which an email is known: NFKC, trimmed, lower case, the domain in ASCII.
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
 * A domain in ASCII, by UTS 46; `undefined` when the text is none.
 *
 * UTS 46 also replaces letters by others, and which ones depends on the version of Unicode that Node brings: `ᲀ` becomes `в`. A domain with
 * such a letter is refused, so that a stored address never depends on that table.
 */
function asciiDomain(text: string): string | undefined {
  if (!WRITTEN_DOMAIN.test(text)) return undefined;

  const domain = domainToASCII(text);
  if (!DOMAIN.test(domain) || UNREADABLE_LABEL.test(domainToUnicode(domain))) return undefined;

  const written = text.replaceAll('。', '.').split('.');
  const isAsWritten = (label: string, index: number) =>
    label === written[index] || domainToUnicode(label).normalize('NFKC').toLowerCase() === written[index];
  return domain.split('.').every(isAsWritten) ? domain : undefined;
}
