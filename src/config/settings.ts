import { createECDH } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import ipaddr from 'ipaddr.js';

/** A setting: the function that reads its text, the allowed values, and its value when unset. */
export interface Setting<Value> {
  /** Returns the value; `undefined` if the text is not allowed. */
  read: (text: string) => Value | undefined;
  allowed: string;
  unset: Value;
  /** Set for a secret. Error messages do not repeat its text. */
  secret?: true;
}

const text = <Unset extends string | undefined>(
  unset: Unset,
  allowed: string,
  shape = /^.+$/s,
): Setting<string | Unset> => ({ read: (given) => (shape.test(given) ? given : undefined), allowed, unset });

const secret = (allowed: string, shape = /^.+$/s): Setting<string | undefined> => ({
  ...text(undefined, allowed, shape),
  secret: true,
});

const integer = <Unset extends number | undefined>(
  unset: Unset,
  min: number,
  max: number,
): Setting<number | Unset> => ({
  read: (given) => {
    const value = /^\d{1,9}$/.test(given) ? Number(given) : NaN;
    return value >= min && value <= max ? value : undefined;
  },
  allowed: `a whole number from ${min} to ${max}`,
  unset,
});

const oneOf = <const Values extends readonly string[], Unset extends Values[number] | undefined>(
  values: Values,
  unset: Unset,
): Setting<Values[number] | Unset> => ({
  read: (given) => values.find((value) => value === given),
  allowed: `one of ${values.join(', ')}`,
  unset,
});

/** Reads a list separated by commas; returns `undefined` if an item is not allowed. */
function readList(given: string, isAllowed: (item: string) => boolean): readonly string[] | undefined {
  const items = given.split(',').map((item) => item.trim());
  return items.every(isAllowed) ? items : undefined;
}

/** The placeholders in link patterns: for a token, and for the id of a reader. */
export const LINK_TOKEN = '{token}';
export const LINK_ID = '{id}';

export const contactPoints: Setting<readonly string[] | undefined> = {
  read: (given) => readList(given, (point) => /^[\w.:[\]-]+$/.test(point)),
  allowed: 'host or host:port, separated by commas',
  unset: undefined,
};

const readableFile: Setting<string | undefined> = {
  read: (given) => (existsSync(given) ? given : undefined),
  allowed: 'the path of a file that exists',
  unset: undefined,
};

const appendableFile: Setting<string | undefined> = {
  read: (given) => {
    try {
      closeSync(openSync(given, 'a'));
      return given;
    } catch {
      return undefined;
    }
  },
  allowed: 'the path of a file that this process may append to',
  unset: undefined,
};

const trustedProxies: Setting<number | readonly string[]> = {
  read: (given) => (/^\d$/.test(given) ? Number(given) : readList(given, isAddressOrRange)),
  allowed:
    'the number of proxies in front of the server, from 0 to 9, or their addresses or ranges, separated by commas',
  unset: 0,
};

const HOST = /^[a-z\d.-]+(?::\d+)?$/;

const hosts = (unset: readonly string[]): Setting<readonly string[]> => ({
  read: (given) => readList(given, (host) => HOST.test(host)),
  allowed: 'names of hosts, separated by commas',
  unset,
});

/** Hosts of push services. `*.` at the beginning is for any name within a domain. */
const pushHosts: Setting<readonly string[]> = {
  read: (given) => readList(given, (host) => HOST.test(host.replace(/^\*\./, ''))),
  allowed: 'names of hosts, separated by commas, such as push.example or *.push.example',
  unset: [
    'fcm.googleapis.com',
    'jmt17.google.com',
    'updates.push.services.mozilla.com',
    '*.notify.windows.com',
    '*.push.apple.com',
  ],
};

const origins: Setting<readonly string[]> = {
  read: (given) => readList(given, (item) => /^https?:[^*]+$/.test(item) && URL.parse(item)?.origin === item),
  allowed:
    'origins as browsers send them, such as https://books.example, separated by commas, ' +
    'without path or slash at the end; instead of * write each of them',
  unset: [],
};

/**
 * Browsers allow passkeys only on https pages and on localhost, for the page's host or a parent
 * domain.
 */
const passkeyOrigins: Setting<readonly string[]> = {
  read: (given) => {
    const read = origins.read(given);
    const pages = (read ?? []).map((origin) => new URL(origin));
    const host = pages[0]?.hostname ?? '';
    const isWithin = ({ hostname }: URL) => hostname === host || hostname.endsWith(`.${host}`);
    const isSafe = ({ protocol, hostname }: URL) => protocol === 'https:' || hostname === 'localhost';
    return pages.every((page) => isWithin(page) && isSafe(page)) ? read : undefined;
  },
  allowed:
    'origins such as https://books.example, separated by commas; ' +
    'passkeys belong to the host of the first one, and the others are that host or within it, ' +
    'such as https://app.books.example; http for localhost alone',
  unset: [],
};

const KEY_BYTES = 32;

/** Keys for AES-256. */
const keys: Setting<readonly Buffer[]> = {
  read: (given) => {
    const isKey = (text: string) => {
      const bytes = Buffer.from(text, 'base64');
      return bytes.length === KEY_BYTES && bytes.toString('base64') === text;
    };
    return readList(given, isKey)?.map((text) => Buffer.from(text, 'base64'));
  },
  allowed: `${KEY_BYTES} bytes in base64, and former keys after a comma; \`openssl rand -base64 32\` makes one`,
  unset: [],
  secret: true,
};

/** A private key of the curve P-256, which any random bytes are. */
const pushKey: Setting<Buffer | undefined> = {
  read: (given) => {
    const bytes = Buffer.from(given, 'base64');
    if (bytes.length !== KEY_BYTES || ![bytes.toString('base64'), bytes.toString('base64url')].includes(given))
      return undefined;
    try {
      createECDH('prime256v1').setPrivateKey(bytes);
      return bytes;
    } catch {
      return undefined;
    }
  },
  allowed: `${KEY_BYTES} bytes in base64; \`openssl rand -base64 32\` makes them`,
  unset: undefined,
  secret: true,
};

/**
 * The time for which a reader's clicks are kept. The erasure of an account finds the clicks of all
 * sessions through them. Those are kept for 40 days, so the reader's clicks must not expire
 * earlier. The maximum time to live in Cassandra is 20 years.
 */
const clicksKeptDays: Setting<number> = {
  read: (given) => {
    const days = integer(0, 0, 7_300).read(given);
    return days === undefined || (days > 0 && days < 40) ? undefined : days;
  },
  allowed: '0 to keep them permanently, or a whole number from 40 to 7300',
  unset: 0,
};

/** A link to a page of a frontend that reads what replaces the placeholder. */
const linkPattern = (placeholder: string, example: string): Setting<string | undefined> => ({
  read: (given) => {
    const link = URL.parse(given.replace(placeholder, 'text'));
    return given.includes(placeholder) && ['http:', 'https:'].includes(link?.protocol ?? '') ? given : undefined;
  },
  allowed: `a URL with ${placeholder} in it, such as https://app.example/${example}${placeholder}`,
  unset: undefined,
});

/** The URL of a service, without a slash at the end. */
const serviceUrl = (example: string): Setting<string | undefined> => ({
  read: (given) => {
    const isPlain = ['http:', 'https:'].includes(URL.parse(given)?.protocol ?? '') && !/[?#@]/.test(given);
    return isPlain ? given.replace(/\/+$/, '') : undefined;
  },
  allowed: `a URL without user, ? and #, such as ${example}`,
  unset: undefined,
});

/** True for an address that only this machine can reach. */
export const isLoopback = (host: string) =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

const isAddressOrRange = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

/** The minimum length of a secret that is hard to guess, in characters. */
export const SECRET_LENGTH_MIN = 32;

/**
 * Every setting of the server, by the name of its environment variable.
 * `.env.example` explains each to a person; a test keeps the two lists equal.
 */
export const settings = {
  NODE_ENV: oneOf(['development', 'production', 'test'], 'development'),
  HOST: text('127.0.0.1', 'an address of this machine to listen on, or 0.0.0.0 for all of them', /^[\w.:-]+$/),
  HOST_IS_LOCAL: oneOf(['on', 'off'], 'off'),
  PORT: integer(4000, 0, 65_535),
  METRICS_PORT: integer(undefined, 0, 65_535),
  LOG_LEVEL: oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], undefined),
  LOG_REQUESTS_PERCENT: integer(1, 0, 100),
  TRACES_URL: serviceUrl('http://127.0.0.1:4318/v1/traces'),
  TRACES_PERCENT: integer(1, 0, 100),
  CASSANDRA_CONTACT_POINTS: contactPoints,
  CASSANDRA_LOCAL_DC: text('datacenter1', "a data centre's name", /^[\w-]+$/),
  CASSANDRA_KEYSPACE: text('library', 'letters, digits and _, beginning with a letter, at most 48', /^[a-z]\w{0,47}$/),
  CASSANDRA_USERNAME: text(undefined, 'a user name'),
  CASSANDRA_PASSWORD: secret('a password'),
  CASSANDRA_PASSWORD_FILE: readableFile,
  CASSANDRA_TLS: oneOf(['on', 'off'], 'off'),
  CASSANDRA_TLS_CA: readableFile,
  CASSANDRA_TLS_CERT: readableFile,
  CASSANDRA_TLS_KEY: readableFile,
  CASSANDRA_REPLICATION_FACTOR: integer(undefined, 1, 9),
  CASSANDRA_CONSISTENCY: oneOf(['LOCAL_QUORUM', 'QUORUM'], 'LOCAL_QUORUM'),
  CASSANDRA_SERIAL_CONSISTENCY: oneOf(['SERIAL', 'LOCAL_SERIAL'], 'SERIAL'),
  ACCESS_TOKEN_SECRET: secret(
    'at least 32 characters; `openssl rand -base64 48` makes one',
    new RegExp(`^.{${SECRET_LENGTH_MIN},}$`, 's'),
  ),
  ACCESS_TOKEN_SECRET_FILE: readableFile,
  ACCESS_TOKEN_SECONDS: integer(900, 1, 86_400),
  REFRESH_GRACE_SECONDS: integer(10, 0, 300),
  REFRESH_COOKIE: oneOf(['on', 'off'], undefined),
  SESSION_IDLE_DAYS: integer(14, 1, 400),
  SESSION_DAYS: integer(30, 1, 400),
  PASSWORD_LENGTH_MIN: integer(8, 8, 64),
  BREACHED_PASSWORDS_URL: serviceUrl('https://api.pwnedpasswords.com/range'),
  ARGON2_MEMORY_KIB: integer(19_456, 8_192, 4_194_304),
  ARGON2_PASSES: integer(2, 1, 100),
  ARGON2_LANES: integer(1, 1, 64),
  TWO_FACTOR_KEYS: keys,
  TWO_FACTOR_KEYS_FILE: readableFile,
  PASSKEY_ORIGINS: passkeyOrigins,
  LOGIN_ATTEMPTS_FREE: integer(5, 0, 100),
  LOGIN_FAILURES_MAX: integer(100, 0, 900),
  REGISTRATIONS_PER_HOUR: integer(100, 0, 900),
  REPORTS_PER_HOUR: integer(20, 0, 900),
  MESSAGES_PER_DAY: integer(20, 0, 900),
  RATE_LIMIT_PER_MINUTE: integer(1_200, 0, 1_000_000),
  LIKE_CHANGES_PER_HOUR: integer(20, 0, 10_000),
  CLICK_KIB_PER_MINUTE: integer(64, 0, 1_048_576),
  CLICKS_KEPT_DAYS: clicksKeptDays,
  CLOCK_SKEW_MAX_MS: integer(4_000, 0, 4_000),
  ADDRESSES_KEPT_DAYS: integer(90, 1, 400),
  ERASED_IDS_FILE: appendableFile,
  SMTP_URL: secret('smtp://user:password@host:587 or smtps://user:password@host:465', /^smtps?:\/\/[^\s/?#]+/),
  SMTP_URL_FILE: readableFile,
  MAIL_FROM: text(
    undefined,
    'an address, such as Library <library@example.com>',
    /^[^\r\n<>]*<?[^\s@<>]+@[^\s@<>]+>?$/,
  ),
  MAIL_FOLDER: text('.mails', 'the path of a folder'),
  MAILS_PER_ADDRESS: integer(5, 0, 90),
  READER_URL: linkPattern(LINK_ID, 'reader/'),
  PASSWORD_RESET_URL: linkPattern(LINK_TOKEN, 'reset#'),
  PASSWORD_RESET_MINUTES: integer(30, 5, 1_440),
  EMAIL_VERIFICATION: oneOf(['off', 'asked', 'required'], undefined),
  EMAIL_VERIFICATION_URL: linkPattern(LINK_TOKEN, 'verify#'),
  EMAIL_VERIFICATION_HOURS: integer(24, 1, 168),
  EMAIL_VERIFICATION_DAYS: integer(7, 1, 400),
  PUSH_PRIVATE_KEY: pushKey,
  PUSH_PRIVATE_KEY_FILE: readableFile,
  PUSH_CONTACT: text(
    undefined,
    'mailto: and an email address, or a URL by https, where push services reach you',
    /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/,
  ),
  PUSH_HOSTS: pushHosts,
  REQUEST_TIMEOUT_SECONDS: integer(15, 1, 300),
  DRAIN_SECONDS: integer(undefined, 0, 60),
  CONNECTIONS_MAX: integer(4_000, 1, 1_000_000),
  CONNECTION_IDLE_SECONDS: integer(72, 1, 3_600),
  SUBSCRIPTIONS_MAX: integer(2_000, 0, 1_000_000),
  SUBSCRIPTIONS_PER_ADDRESS: integer(200, 1, 1_000_000),
  SUBSCRIPTIONS_PER_READER: integer(20, 1, 1_000_000),
  QUERIES_MAX: integer(32, 1, 100_000),
  MUTATIONS_MAX: integer(400, 1, 100_000),
  QUERY_SECONDS_MAX: integer(10, 1, 300),
  QUERY_ROWS_MAX: integer(50_000, 1, 10_000_000),
  QUERY_KIB_MAX: integer(8_192, 1, 1_048_576),
  ANSWER_KIB_MAX: integer(4_096, 1, 1_048_576),
  PERSISTED_DOCUMENTS: readableFile,
  DOCUMENTS: oneOf(['any', 'persisted'], 'any'),
  TRUST_PROXY: trustedProxies,
  COVER_HOSTS: hosts(['images.gr-assets.com']),
  AVATAR_HOSTS: hosts([]),
  CORS_ORIGINS: origins,
  SAMPLE_DATA: oneOf(['on', 'off'], undefined),
  WEB_CLIENT: oneOf(['on', 'off'], undefined),
  ACTIVITY_LOOKS_AND_CLICKS: oneOf(['on', 'off'], 'on'),
  LIKE_SHARD_ROWS_MAX: integer(40_000, 1, 40_000),
  LIKE_SHARD_ALONE_COMMITS: integer(8, 1, 1_000),
  SHOWN_AGE_MAX_MS: integer(1_000, 0, 5_000),
  AUDIT_ROWS_PER_SECOND: integer(50, 0, 100_000),
  MEASUREMENTS_KEPT_DAYS: integer(7, 1, 400),
} satisfies Record<string, Setting<unknown>>;

/** The secrets that can be read from a file. The setting `…_FILE` names the file. */
export const SECRETS_IN_FILES = ['CASSANDRA_PASSWORD', 'TWO_FACTOR_KEYS', 'SMTP_URL', 'PUSH_PRIVATE_KEY'] as const;

/** The values of the environment, keyed by the names of their variables. */
export type Environment = {
  [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};
