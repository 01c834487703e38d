import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** So much of an IPv6 address is one customer's: they have all the rest to choose from. */
const IPV6_PREFIX_BITS = 64;

/**
 * The name under which an address is throttled: a hash, so that no list of addresses is kept; of an IPv6 address only
 * the part that its user cannot choose.
 * @param ip as the connection or a trusted proxy gave it
 */
export function hashedAddress(ip: string): string {
  return createHash('sha256').update(networkOf(ip)).digest('base64url').slice(0, 22);
}

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_PREFIX_BITS}`).toString();
}
