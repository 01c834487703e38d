import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { signingSecret, type Config } from '../config/config.ts';
import { memoised } from '../context/context.ts';

/**
 * The length of the prefix of an IPv6 address that identifies a customer. The customer can choose
 * the other bits.
 */
const IPV6_PREFIX_BITS = 64;

/**
 * The number of cached hashes. An address recurs in many requests, and several times in each.
 * Hashing it takes longer than counting it.
 */
const HASHES_KEPT = 10_000;
const hashes = memoised(
  () => new LRUCache<string, { readonly secret: string; readonly hash: string }>({ max: HASHES_KEPT }),
  (config: Config) => config,
);

/**
 * Returns the name under which an address is throttled and logged. It is a hash with the servers'
 * secret, so that the address cannot be found by trying all of them. Only the prefix of an IPv6
 * address is hashed, because its user can choose the rest.
 * @param ip the address, from the connection or a trusted proxy
 */
export function hashedAddress(config: Config, ip: string): string {
  const kept = hashes(config);
  const secret = signingSecret(config);
  const known = kept.get(ip);
  // After a rotation of the secret all servers use the new name.
  if (known?.secret === secret) return known.hash;

  const hash = hashed(secret, 'addresses', networkOf(ip));
  kept.set(ip, { secret, hash });
  return hash;
}

/**
 * Returns the name under which mails to an email are throttled, whether or not the email belongs to
 * an account.
 * @param whose the email, optionally with its account; the text that is hashed
 */
export const hashedEmail = (config: Config, whose: string): string => hashed(signingSecret(config), 'emails', whose);

const hashed = (secret: string, what: string, text: string) =>
  createHmac('sha256', `${what} ${secret}`).update(text).digest('base64url').slice(0, 22);

function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_PREFIX_BITS}`).toString();
}
