import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { signingSecret, type Config } from '../config/config.ts';

/** So much of an IPv6 address is one customer's: they have all the rest to choose from. */
const IPV6_PREFIX_BITS = 64;

/**
 * The name under which an address is throttled and logged: a hash under the servers' secret, so that nobody finds the address by
 * trying all of them; of an IPv6 address only the part that its user cannot choose.
 * @param ip as the connection or a trusted proxy gave it
 */
export function hashedAddress(config: Config, ip: string): string {
  return hashed(config, 'addresses', networkOf(ip));
}

/** The name under which mails to an email are throttled, whether or not it is an account's. */
export const hashedEmail = (config: Config, email: string): string => hashed(config, 'emails', email);

const hashed = (config: Config, what: string, text: string) =>
  createHmac('sha256', `${what} ${signingSecret(config)}`)
    .update(text)
    .digest('base64url')
    .slice(0, 22);

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_PREFIX_BITS}`).toString();
}
