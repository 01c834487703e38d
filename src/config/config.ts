import { existsSync, readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { problemsOf, warningsOf } from './production.ts';

/** A setting: how its text is read, which values are allowed, and its value when unset. */
interface Setting<Value> {
  /** The value, or `undefined` when the text is not an allowed one. */
  read: (text: string) => Value | undefined;
  allowed: string;
  unset: Value;
  /** True for a secret, whose text no error message repeats. */
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

/** The items of a list separated by commas; `undefined` if one of them is not allowed. */
function readList(given: string, isAllowed: (item: string) => boolean): readonly string[] | undefined {
  const items = given.split(',').map((item) => item.trim());
  return items.every(isAllowed) ? items : undefined;
}

/** The placeholder for the token in a link pattern. */
export const LINK_TOKEN = '{token}';

const contactPoints: Setting<readonly string[] | undefined> = {
  read: (given) => readList(given, (point) => /^[\w.:[\]-]+$/.test(point)),
  allowed: 'host or host:port, separated by commas',
  unset: undefined,
};

const readableFile: Setting<string | undefined> = {
  read: (given) => (existsSync(given) ? given : undefined),
  allowed: 'the path of a file that exists',
  unset: undefined,
};

const trustedProxies: Setting<number | readonly string[]> = {
  read: (given) => (/^\d$/.test(given) ? Number(given) : readList(given, isAddressOrRange)),
  allowed:
    'how many proxies are in front of the server, from 0 to 9, or their addresses or ranges, separated by commas',
  unset: 0,
};

const hosts: Setting<readonly string[]> = {
  read: (given) => readList(given, (host) => /^[a-z\d.-]+(?::\d+)?$/.test(host)),
  allowed: 'names of hosts, separated by commas',
  unset: ['images.gr-assets.com'],
};

const origins: Setting<readonly string[]> = {
  read: (given) => readList(given, (item) => /^https?:[^*]+$/.test(item) && URL.parse(item)?.origin === item),
  allowed:
    'origins as browsers send them, such as https://books.example, separated by commas, without path or slash at the end; instead of * write each of them',
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
    'origins such as https://books.example, separated by commas; the host of the first one has the passkeys, the others are it or within it, such as https://app.books.example; http for localhost alone',
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
  allowed: `${KEY_BYTES} bytes in base64, and former ones behind a comma; \`openssl rand -base64 32\` makes one`,
  unset: [],
  secret: true,
};

/** A link to a page of a frontend that reads the token from it. */
const linkPattern: Setting<string | undefined> = {
  read: (given) => {
    const link = URL.parse(given.replace(LINK_TOKEN, 'token'));
    return given.includes(LINK_TOKEN) && ['http:', 'https:'].includes(link?.protocol ?? '') ? given : undefined;
  },
  allowed: `a URL with ${LINK_TOKEN} in it, such as https://app.example/reset#${LINK_TOKEN}`,
  unset: undefined,
};

/** The URL of a service. Requests append to it. */
const serviceUrl: Setting<string | undefined> = {
  read: (given) => {
    const isPlain = ['http:', 'https:'].includes(URL.parse(given)?.protocol ?? '') && !/[?#@]/.test(given);
    return isPlain ? given.replace(/\/+$/, '') : undefined;
  },
  allowed: 'a URL without user, ? and #, such as https://api.pwnedpasswords.com/range',
  unset: undefined,
};

/** True for an address that only this machine can reach. */
export const isLoopback = (host: string) =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

const isAddressOrRange = (text: string) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);

/** The minimum length of a secret that is hard to guess, in characters. */
const SECRET_LENGTH_MIN = 32;
const DAY_SECONDS = 86_400;

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
  CASSANDRA_CONTACT_POINTS: contactPoints,
  CASSANDRA_LOCAL_DC: text('datacenter1', "a data centre's name", /^[\w-]+$/),
  CASSANDRA_KEYSPACE: text('library', 'letters, digits and _, beginning with a letter, at most 48', /^[a-z]\w{0,47}$/),
  CASSANDRA_USERNAME: text(undefined, 'a user name'),
  CASSANDRA_PASSWORD: secret('a password'),
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
  SESSION_IDLE_DAYS: integer(14, 1, 400),
  SESSION_DAYS: integer(30, 1, 400),
  PASSWORD_LENGTH_MIN: integer(8, 8, 64),
  BREACHED_PASSWORDS_URL: serviceUrl,
  ARGON2_MEMORY_KIB: integer(19_456, 8_192, 4_194_304),
  ARGON2_PASSES: integer(2, 1, 100),
  ARGON2_LANES: integer(1, 1, 64),
  TWO_FACTOR_KEYS: keys,
  PASSKEY_ORIGINS: passkeyOrigins,
  LOGIN_ATTEMPTS_FREE: integer(5, 0, 100),
  LOGIN_FAILURES_MAX: integer(100, 0, 900),
  REGISTRATIONS_PER_HOUR: integer(100, 0, 900),
  REPORTS_PER_HOUR: integer(20, 0, 900),
  RATE_LIMIT_PER_MINUTE: integer(1_200, 0, 1_000_000),
  LIKE_CHANGES_PER_HOUR: integer(20, 0, 10_000),
  CLICK_KIB_PER_MINUTE: integer(64, 0, 1_048_576),
  CLOCK_SKEW_MAX_MS: integer(4_000, 0, 4_000),
  ADDRESSES_KEPT_DAYS: integer(90, 1, 400),
  SMTP_URL: secret('smtp://user:password@host:587 or smtps://user:password@host:465', /^smtps?:\/\/[^\s/?#]+/),
  MAIL_FROM: text(
    undefined,
    'an address, such as Library <library@example.com>',
    /^[^\r\n<>]*<?[^\s@<>]+@[^\s@<>]+>?$/,
  ),
  MAIL_FOLDER: text('.mails', 'the path of a folder'),
  MAILS_PER_ADDRESS: integer(5, 0, 90),
  PASSWORD_RESET_URL: linkPattern,
  PASSWORD_RESET_MINUTES: integer(30, 5, 1_440),
  EMAIL_VERIFICATION: oneOf(['off', 'asked', 'required'], undefined),
  EMAIL_VERIFICATION_URL: linkPattern,
  EMAIL_VERIFICATION_HOURS: integer(24, 1, 168),
  EMAIL_VERIFICATION_DAYS: integer(7, 1, 400),
  REQUEST_TIMEOUT_SECONDS: integer(15, 1, 300),
  CONNECTIONS_MAX: integer(4_000, 1, 1_000_000),
  CONNECTION_IDLE_SECONDS: integer(72, 1, 3_600),
  QUERIES_MAX: integer(32, 1, 100_000),
  MUTATIONS_MAX: integer(400, 1, 100_000),
  QUERY_SECONDS_MAX: integer(10, 1, 300),
  QUERY_ROWS_MAX: integer(50_000, 1, 10_000_000),
  QUERY_KIB_MAX: integer(8_192, 1, 1_048_576),
  ANSWER_KIB_MAX: integer(4_096, 1, 1_048_576),
  PERSISTED_DOCUMENTS: readableFile,
  DOCUMENTS: oneOf(['any', 'persisted'], 'any'),
  TRUST_PROXY: trustedProxies,
  COVER_HOSTS: hosts,
  CORS_ORIGINS: origins,
  SAMPLE_DATA: oneOf(['on', 'off'], undefined),
  ACTIVITY_LOOKS_AND_CLICKS: oneOf(['on', 'off'], 'on'),
  LIKE_SHARD_ROWS_MAX: integer(40_000, 1, 40_000),
  LIKE_SHARD_ALONE_COMMITS: integer(8, 1, 1_000),
  SHOWN_AGE_MAX_MS: integer(1_000, 0, 5_000),
  AUDIT_ROWS_PER_SECOND: integer(50, 0, 100_000),
  MEASUREMENTS_KEPT_DAYS: integer(7, 1, 400),
} satisfies Record<string, Setting<unknown>>;

/** The values of the environment, by the names of their variables. */
type Environment = {
  [Name in keyof typeof settings]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

/** The settings of a server, grouped by the parts that use them. */
export type Config = ReturnType<typeof readConfig>;
export type CassandraConfig = Config['cassandra'];

/** Thrown for settings that cannot be used. The message lists all of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(problems: readonly string[]) {
    super(`Some settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee .env.example.`);
  }
}

/**
 * Reads the whole configuration once, at the start.
 * @param env the environment, usually `process.env`; an empty value counts as unset
 * @throws {ConfigError} naming every wrong setting at once, with what was read and what is allowed
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
      const given = env[name];
      if (given === undefined || given === '') return [name, setting.unset];
      const value = setting.read(given);
      if (value === undefined) {
        const shown = setting.secret ? `a value of ${given.length} characters` : JSON.stringify(given);
        problems.push(`${name} is ${shown}; allowed: ${setting.allowed}`);
      }
      // A value that cannot be read stops the start, after the other settings were checked as well.
      return [name, value ?? setting.unset];
    }),
  ) as Environment;

  const production = values.NODE_ENV === 'production';
  if (!production && !isLoopback(values.HOST) && values.HOST_IS_LOCAL === 'off') {
    problems.push(
      `HOST is ${values.HOST}, which others can reach, and a server of development has GraphiQL and a reader whose password is published: set NODE_ENV=production, or HOST=127.0.0.1; HOST_IS_LOCAL=on in a container whose port is published on 127.0.0.1 alone`,
    );
  }
  if (production && values.SAMPLE_DATA === 'on') {
    problems.push(
      'SAMPLE_DATA is on, which makes a reader whose password is published; with NODE_ENV=production leave it off, and import books with `npm run import:books`',
    );
  }
  const { CASSANDRA_USERNAME: username, CASSANDRA_PASSWORD: password } = values;
  if ((username === undefined) !== (password === undefined)) {
    problems.push('CASSANDRA_USERNAME and CASSANDRA_PASSWORD go together; only one of them is set');
  }
  const { CASSANDRA_TLS: tls, CASSANDRA_TLS_CERT: cert, CASSANDRA_TLS_KEY: key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    problems.push('CASSANDRA_TLS_CERT and CASSANDRA_TLS_KEY go together; only one of them is set');
  } else if (cert !== undefined && tls === 'off') {
    problems.push('CASSANDRA_TLS_CERT is set, but CASSANDRA_TLS is off; set it to on, or leave the certificate out');
  }
  if (production && values.CASSANDRA_CONTACT_POINTS === undefined) {
    problems.push(`CASSANDRA_CONTACT_POINTS is not set; NODE_ENV=production needs it: ${contactPoints.allowed}`);
  }
  if (values.DOCUMENTS === 'persisted' && values.PERSISTED_DOCUMENTS === undefined) {
    problems.push(
      'DOCUMENTS is persisted, but PERSISTED_DOCUMENTS is not set, so that nothing would be answered; set both',
    );
  }
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = values;
  if (smtpUrl !== undefined && from === undefined) {
    problems.push(`MAIL_FROM is not set, but SMTP_URL is; set both: ${settings.MAIL_FROM.allowed}`);
  }
  const verification = values.EMAIL_VERIFICATION ?? (smtpUrl === undefined ? 'off' : 'asked');
  if (production && smtpUrl === undefined && verification !== 'off') {
    problems.push(
      `EMAIL_VERIFICATION is ${verification}, but no mail can be sent; set SMTP_URL and MAIL_FROM, or leave it off`,
    );
  }
  const { secrets, problem } = readSecrets(values);
  if (problem !== undefined) problems.push(problem);
  else if (production && secrets.length === 0) {
    problems.push(
      `ACCESS_TOKEN_SECRET is not set, nor is ACCESS_TOKEN_SECRET_FILE; NODE_ENV=production needs one of them: ${settings.ACCESS_TOKEN_SECRET.allowed}`,
    );
  }
  if (production) problems.push(...problemsOf(values, secrets));
  if (problems.length > 0) throw new ConfigError(problems);

  return {
    production,
    /** Warnings about settings that are rarely intended. Each names the setting and what to do. */
    warnings: production ? warningsOf(values) : [],
    /** `requestTimeoutMs`: the time a request may take to arrive, and a server to end. */
    http: {
      host: values.HOST,
      port: values.PORT,
      requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS * 1_000,
      connectionsMax: values.CONNECTIONS_MAX,
      connectionIdleMs: values.CONNECTION_IDLE_SECONDS * 1_000,
      /** The number of queries that run at once. */
      queriesMax: values.QUERIES_MAX,
      mutationsMax: values.MUTATIONS_MAX,
    },
    /** The bounds of what one request reads and answers. */
    queries: {
      milliseconds: values.QUERY_SECONDS_MAX * 1_000,
      rowsMax: values.QUERY_ROWS_MAX,
      bytesMax: values.QUERY_KIB_MAX * 1_024,
      answerBytesMax: values.ANSWER_KIB_MAX * 1_024,
    },
    /** A file of documents that clients name by hash; `only`: other documents are refused. */
    documents: { persisted: values.PERSISTED_DOCUMENTS, only: values.DOCUMENTS === 'persisted' },
    /** The port of the metrics. If unset, the API serves them in development only. */
    metricsPort: values.METRICS_PORT,
    logLevel: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    cassandra: {
      /** If unset, the launcher starts a Cassandra and sets them. */
      contactPoints: values.CASSANDRA_CONTACT_POINTS,
      localDataCenter: values.CASSANDRA_LOCAL_DC,
      keyspace: values.CASSANDRA_KEYSPACE,
      credentials: username !== undefined && password !== undefined ? { username, password } : undefined,
      tls:
        values.CASSANDRA_TLS === 'on'
          ? {
              ca: readGiven(values.CASSANDRA_TLS_CA),
              cert: readGiven(values.CASSANDRA_TLS_CERT),
              key: readGiven(values.CASSANDRA_TLS_KEY),
            }
          : undefined,
      /** If unset, 3 in a local data centre of three nodes or more, else 1. */
      replicationFactor: values.CASSANDRA_REPLICATION_FACTOR,
      consistency: values.CASSANDRA_CONSISTENCY,
      serialConsistency: values.CASSANDRA_SERIAL_CONSISTENCY,
    },
    /** The first secret signs, and all are accepted. A development server makes one itself. */
    accessTokens: { secrets, seconds: values.ACCESS_TOKEN_SECONDS },
    /** The lifetimes of a session, and the time in which a refresh token may be sent twice. */
    sessions: {
      idleSeconds: values.SESSION_IDLE_DAYS * DAY_SECONDS,
      seconds: values.SESSION_DAYS * DAY_SECONDS,
      refreshGraceSeconds: values.REFRESH_GRACE_SECONDS,
    },
    passwords: {
      lengthMin: values.PASSWORD_LENGTH_MIN,
      /** The service that lists breached passwords. If unset, none is asked. */
      breachedUrl: values.BREACHED_PASSWORDS_URL,
      /** RFC 9106, 3.1. */
      argon2id: { memoryKib: values.ARGON2_MEMORY_KIB, passes: values.ARGON2_PASSES, lanes: values.ARGON2_LANES },
    },
    /** The first key seals second factors, and all open them. Without keys there are none. */
    twoFactor: { keys: values.TWO_FACTOR_KEYS },
    /** The origins of passkeys, which are for the first one's host. Empty: no passkeys. */
    passkeyOrigins: values.PASSKEY_ORIGINS,
    /** The number of tries with a wrong password that are not delayed; 0 delays none. */
    loginAttemptsFree: values.LOGIN_ATTEMPTS_FREE,
    /** The wrong passwords in a row that an account takes from strangers in 30 days; 0: no limit. */
    loginFailuresMax: values.LOGIN_FAILURES_MAX,
    /** The number of accounts that an address may register in an hour; 0 is no limit. */
    registrationsPerHour: values.REGISTRATIONS_PER_HOUR,
    /** The number of reports that a reader may send in an hour; 0 is no limit. */
    reportsPerHour: values.REPORTS_PER_HOUR,
    /** The cost that a caller may spend in a minute; 0 is no limit. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    /** The number of likes and unlikes of one thing by a reader in an hour; 0 is no limit. */
    likeChangesPerHour: values.LIKE_CHANGES_PER_HOUR,
    clickBytesPerMinute: values.CLICK_KIB_PER_MINUTE * 1_024,
    /** The allowed difference between the clocks of server and nodes; 0 compares none. */
    clockSkewMaxMs: values.CLOCK_SKEW_MAX_MS,
    /** The time for which security events keep their network address. */
    addressesKeptSeconds: values.ADDRESSES_KEPT_DAYS * DAY_SECONDS,
    mail: {
      /**
       * The server that sends mails, and their sender. If unset, mails are written to `folder`, or
       * dropped if that is unset too.
       */
      smtp: smtpUrl !== undefined && from !== undefined ? { url: smtpUrl, from } : undefined,
      folder: production || smtpUrl !== undefined ? undefined : values.MAIL_FOLDER,
      /**
       * The number of mails of a kind from an account to an email, in an hour or while they are
       * valid; 0 is no limit.
       */
      perAddress: values.MAILS_PER_ADDRESS,
      passwordReset: { url: values.PASSWORD_RESET_URL, seconds: values.PASSWORD_RESET_MINUTES * 60 },
      emailVerification: {
        /** True if a reader is asked to verify a new email. */
        isAsked: verification !== 'off',
        /** True if only verified readers may write; others are deleted after `accountSeconds`. */
        isRequired: verification === 'required',
        accountSeconds: values.EMAIL_VERIFICATION_DAYS * DAY_SECONDS,
        url: values.EMAIL_VERIFICATION_URL,
        seconds: values.EMAIL_VERIFICATION_HOURS * 3_600,
      },
    },
    /** The number of proxies, or their addresses, whose forwarded client address is trusted. */
    trustProxy: values.TRUST_PROXY,
    /** The hosts from which covers of books may be shown. */
    coverHosts: values.COVER_HOSTS,
    /** The origins whose pages may read answers. Without any, only the API's own origin may. */
    corsOrigins: values.CORS_ORIGINS,
    /** True to import the sample catalogue and make a ready-made reader at the start. */
    sampleData: (values.SAMPLE_DATA ?? (production ? 'off' : 'on')) === 'on',
    /** True to record looks and clicks among the actions of readers. */
    recordsLooksAndClicks: values.ACTIVITY_LOOKS_AND_CLICKS === 'on',
    /**
     * The number of rows after which a likeable's newest shard of `user_by_item` is full, and the
     * next one opens. Twice as many are still read when all of them are deleted; see cql/likes.cql.
     */
    likeShardRowsMax: values.LIKE_SHARD_ROWS_MAX,
    /**
     * The number of commits in a row without another server's after which a server does not read a
     * shard before the next one.
     */
    likeShardAloneCommits: values.LIKE_SHARD_ALONE_COMMITS,
    /**
     * The maximum age of a shown book or like count, except after one's own change; 0 reads each.
     * All servers must have the same.
     */
    shownAgeMaxMs: values.SHOWN_AGE_MAX_MS,
    /** The number of rows that this server audits per second; 0 audits none. */
    auditRowsPerSecond: values.AUDIT_ROWS_PER_SECOND,
    /** The time for which measurements are kept after their day. */
    measurementsKeptDays: values.MEASUREMENTS_KEPT_DAYS,
  } as const;
}

const readGiven = (file: string | undefined) => file && readFileSync(file, 'utf8');

/**
 * The secret by which this server signs and seals. The others are older, and valid until everything
 * they signed has expired.
 */
export function signingSecret({ accessTokens }: Config): string {
  const [secret] = accessTokens.secrets;
  if (secret === undefined) throw new Error('There is no secret to sign with: set ACCESS_TOKEN_SECRET');
  return secret;
}

/** The secrets of the environment, or of a file with one on each line. The first one signs. */
function readSecrets({
  ACCESS_TOKEN_SECRET: secret,
  ACCESS_TOKEN_SECRET_FILE: file,
}: Pick<Environment, 'ACCESS_TOKEN_SECRET' | 'ACCESS_TOKEN_SECRET_FILE'>): {
  secrets: readonly string[];
  problem?: string;
} {
  if (secret !== undefined && file !== undefined) {
    return { secrets: [], problem: 'ACCESS_TOKEN_SECRET and ACCESS_TOKEN_SECRET_FILE are both set; set one of them' };
  }
  if (file === undefined) return { secrets: secret === undefined ? [] : [secret] };
  const secrets = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isGood = secrets.length > 0 && secrets.every((each) => each.length >= SECRET_LENGTH_MIN);
  return isGood
    ? { secrets }
    : {
        secrets: [],
        problem: `ACCESS_TOKEN_SECRET_FILE is ${JSON.stringify(file)}; allowed: a file with a secret in each line, of at least ${SECRET_LENGTH_MIN} characters`,
      };
}
