import { deflateRawSync } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import type { Environment } from './settings.ts';

/** Checks of settings that are valid, but wrong or unwise in production. */

/** Returns the problems with which a server in production refuses to start. */
export function problemsOf(values: Environment, secrets: readonly string[]): string[] {
  const problems: string[] = [];
  for (const name of ['PASSWORD_RESET_URL', 'EMAIL_VERIFICATION_URL'] as const) {
    const link = values[name];
    if (link === undefined || isByTls(link)) continue;
    problems.push(
      `${name} is ${JSON.stringify(link)}; NODE_ENV=production allows: ` +
        'a URL with https, as its token is as good as a password',
    );
  }
  if (!values.PASSKEY_ORIGINS.every(isByTls)) {
    problems.push(
      `PASSKEY_ORIGINS is ${JSON.stringify(values.PASSKEY_ORIGINS.join(','))}; NODE_ENV=production allows: ` +
        'origins with https',
    );
  }
  const proxies = typeof values.TRUST_PROXY === 'number' ? [] : values.TRUST_PROXY;
  if (proxies.some(isFarTooWide)) {
    problems.push(
      `TRUST_PROXY is ${JSON.stringify(proxies.join(','))}, which lets everybody forge the address ` +
        'that a request comes from; NODE_ENV=production allows: the number of proxies in front of ' +
        `the server, or ranges that only they use, no wider than /${IPV4_PREFIX_BITS_MIN}, ` +
        `and /${IPV6_PREFIX_BITS_MIN} of IPv6`,
    );
  }
  const weak = secrets.find((secret) => isGuessable(Buffer.from(secret)));
  if (weak !== undefined) {
    problems.push(
      `ACCESS_TOKEN_SECRET, or a line of its file, is a value of ${weak.length} characters that ` +
        'repeats itself or is a sequence; NODE_ENV=production allows: a random one; ' +
        `\`openssl rand -base64 48\` makes one`,
    );
  }
  if (values.TWO_FACTOR_KEYS.some(isGuessable)) {
    problems.push(
      'TWO_FACTOR_KEYS has a key that repeats itself or is a sequence; NODE_ENV=production allows: ' +
        'random ones; `openssl rand -base64 32` makes one',
    );
  }
  if (values.PUSH_PRIVATE_KEY && isGuessable(values.PUSH_PRIVATE_KEY)) {
    problems.push(
      'PUSH_PRIVATE_KEY repeats itself or is a sequence; NODE_ENV=production allows: ' +
        'a random one; `openssl rand -base64 32` makes one',
    );
  }
  return problems;
}

/** Returns warnings about settings that may be intended, for a load test or a small machine. */
export function warningsOf(values: Environment): string[] {
  const limits = Object.entries(LIMITS).filter(([name]) => values[name as keyof typeof LIMITS] === 0);
  const warnings = limits.map(([name, means]) => `${name} is 0: ${means}. Leave it out unless you measure the load`);
  const { ARGON2_MEMORY_KIB: memory, ARGON2_PASSES: passes } = values;
  if (!OWASP_LEAST.some((least) => memory >= least.memory && passes >= least.passes)) {
    const least = OWASP_LEAST.map((each) => `${each.memory} with ${each.passes}`).join(', ');
    warnings.push(
      `ARGON2_MEMORY_KIB is ${memory} with ARGON2_PASSES ${passes}: ` +
        `passwords are easier to guess from a dump than OWASP accepts. Use at least one of ${least}`,
    );
  }
  const plain = values.CORS_ORIGINS.filter((origin) => !isByTls(origin));
  if (plain.length > 0) {
    warnings.push(
      `CORS_ORIGINS has ${plain.join(', ')}: ` +
        'on a page without https, anybody in between can read the tokens of readers. Use https',
    );
  }
  if (values.BREACHED_PASSWORDS_URL !== undefined && !isByTls(values.BREACHED_PASSWORDS_URL)) {
    warnings.push(
      'BREACHED_PASSWORDS_URL is without https: anybody in between can forge the answers. ' +
        'Use https, unless it is on a network of your own',
    );
  }
  if (values.ERASED_IDS_FILE === undefined) {
    warnings.push(
      'ERASED_IDS_FILE is not set: after a restore it is unknown which accounts were deleted since ' +
        'the backup. Name a file that outlives the cluster',
    );
  }
  return warnings;
}

/** The limits that 0 disables, and the consequence of that. */
const LIMITS = {
  LOGIN_ATTEMPTS_FREE: 'passwords and codes can be guessed without a delay',
  LOGIN_FAILURES_MAX: 'passwords and codes can be guessed without a limit',
  REGISTRATIONS_PER_HOUR: 'one address can make any number of accounts',
  REPORTS_PER_HOUR: 'one reader can fill the list of reports',
  MESSAGES_PER_DAY: 'one reader can send mails to all sellers',
  RATE_LIMIT_PER_MINUTE: 'one caller can use up the capacity of the servers',
  LIKE_CHANGES_PER_HOUR: 'one reader can fill the list of likers of a thing',
  CLICK_KIB_PER_MINUTE: 'one caller can fill the storage with clicks',
  MAILS_PER_ADDRESS: 'any caller can flood the mailbox of another person',
  CLOCK_SKEW_MAX_MS: 'a server whose clock is wrong keeps working',
} as const;

/** The minimum argon2id settings in OWASP's Password Storage Cheat Sheet, as KiB and passes. */
const OWASP_LEAST = [
  { memory: 47_104, passes: 1 },
  { memory: 19_456, passes: 2 },
  { memory: 12_288, passes: 3 },
  { memory: 9_216, passes: 4 },
  { memory: 7_168, passes: 5 },
] as const;

const isByTls = (url: string) => /^https:/i.test(url);

/** The prefix lengths of the widest private networks: 10.0.0.0/8 and fc00::/7. */
const IPV4_PREFIX_BITS_MIN = 8;
const IPV6_PREFIX_BITS_MIN = 7;
/** The prefix length of IPv4 addresses mapped to IPv6. */
const MAPPED_PREFIX_BITS = 96;

/** True for a range that is wider than any private network. */
function isFarTooWide(range: string): boolean {
  if (!ipaddr.isValidCIDR(range)) return false;
  const [address, bits] = ipaddr.parseCIDR(range);
  if (address instanceof ipaddr.IPv4) return bits < IPV4_PREFIX_BITS_MIN;
  const isMapped = address.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS;
  return isMapped ? bits < MAPPED_PREFIX_BITS + IPV4_PREFIX_BITS_MIN : bits < IPV6_PREFIX_BITS_MIN;
}

/**
 * The minimum size of a deflated secret. 32 random base64 letters deflate to 34 bytes, 32 random
 * digits to at least 27, a repeated word to about 15, and a repeated letter to 5.
 */
const COMPRESSED_BYTES_MIN = 24;

/**
 * True for a secret of few different characters, a repeated pattern or a sequence; false for a
 * random secret.
 */
export function isGuessable(secret: Buffer): boolean {
  const steps = secret.map((byte, index) => byte - (secret[index - 1] ?? byte));
  return [secret, steps].some((bytes) => deflateRawSync(bytes, { level: 9 }).length < COMPRESSED_BYTES_MIN);
}
