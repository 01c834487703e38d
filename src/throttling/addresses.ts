import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { signingSecret, type Config } from '../config/config.ts';
import { memoised } from '../context/context.ts';

/** So much of an IPv6 address is one customer's: they have all the rest to choose from. */
const IPV6_PREFIX_BITS = 64;

/** Addresses come again with each request, and are asked for several times in one: a hash takes longer than all else that counts it. */
const HASHES_KEPT = 10_000;
const hashes = memoised(
  () => new LRUCache<string, { readonly secret: string; readonly hash: string }>({ max: HASHES_KEPT }),
  (config: Config) => config,
);

/**
 * The name under which an address is throttled and logged: a hash under the servers' secret, so that nobody finds the address by
 * trying all of them; of an IPv6 address only the part that its user cannot choose.
 * @param ip as the connection or a trusted proxy gave it
 */
export function hashedAddress(config: Config, ip: string): string {
  const kept = hashes(config);
  const secret = signingSecret(config);
  const known = kept.get(ip);
  // After a rotation of the secret all servers have the new name.
  if (known?.secret === secret) return known.hash;

  const hash = hashed(secret, 'addresses', networkOf(ip));
  kept.set(ip, { secret, hash });
  return hash;
}

/**
 * The name under which mails to an email are throttled, whether or not it is an account's.
 * @param whose the email, and perhaps of which account
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
