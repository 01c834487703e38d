import { domainToASCII } from 'node:url';

const LOCAL_PART = /^[^\s@"(),:;<>[\]\\.\p{C}]+(?:\.[^\s@"(),:;<>[\]\\.\p{C}]+)*$/u;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** RFC 5321, 4.5.3.1. */
const LOCAL_PART_OCTETS_MAX = 64;
const EMAIL_OCTETS_MAX = 254;

/**
 * The one spelling under which an email is known: NFKC, trimmed, lower case, the domain in ASCII.
 * @returns `undefined` when the text cannot be an email address
 */
export function normaliseEmail(text: string): string | undefined {
  const folded = text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
  const at = folded.lastIndexOf('@');
  const local = folded.slice(0, at);
  const domain = domainToASCII(folded.slice(at + 1));
  const email = `${local}@${domain}`;
  const fits = Buffer.byteLength(local) <= LOCAL_PART_OCTETS_MAX && Buffer.byteLength(email) <= EMAIL_OCTETS_MAX;
  return at > 0 && fits && LOCAL_PART.test(local) && DOMAIN.test(domain) ? email : undefined;
}
