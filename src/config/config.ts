import { existsSync, readFileSync } from 'node:fs';
import { problemsOf, warningsOf } from './production.ts';
import { readTls, tlsProblem } from './tls.ts';
import {
  contactPoints,
  isLoopback,
  SECRET_LENGTH_MIN,
  SECRETS_IN_FILES,
  settings,
  type Environment,
  type Setting,
} from './settings.ts';

const DAY_SECONDS = 86_400;

/** The settings of a server, grouped by the parts that use them. */
export type Config = ReturnType<typeof configOf>;
export type CassandraConfig = Config['cassandra'];
export type PushConfig = NonNullable<Config['push']>;

/** Thrown for settings that cannot be used. The message lists all of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(problems: readonly string[]) {
    super(`Some settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nSee .env.example.`);
  }
}

/**
 * Reads the whole configuration once, at the start.
 * @param env the environment, usually `process.env`; an empty value is treated as unset
 * @throws {ConfigError} naming all wrong settings, each with the value that was read and the
 *   allowed values
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readValues(env);
  const secrets = readSecrets(values);
  problems.push(...problemsTogether(values, secrets));
  if (isProduction(values)) problems.push(...problemsOf(values, secrets.secrets));
  if (problems.length > 0) throw new ConfigError(problems);

  return configOf(values, secrets.secrets);
}

/**
 * Reads each setting separately. A setting that cannot be read is treated as unset, so that all
 * other problems are found as well.
 */
function readValues(env: Readonly<Record<string, string | undefined>>): { values: Environment; problems: string[] } {
  const problems: string[] = [];
  const texts = { ...env, ...readSecretFiles(env, problems) };
  const values = Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
      const given = texts[name];
      if (given === undefined || given === '') return [name, setting.unset];
      const value = setting.read(given);
      if (value === undefined) {
        const shown = setting.secret ? `a value of ${given.length} characters` : JSON.stringify(given);
        problems.push(`${name} is ${shown}; allowed: ${setting.allowed}`);
      }
      return [name, value ?? setting.unset];
    }),
  ) as Environment;
  return { values, problems };
}

/** Returns the secrets that are in files, keyed by name, without a line break at the end. */
function readSecretFiles(env: Readonly<Record<string, string | undefined>>, problems: string[]) {
  const read: Record<string, string> = {};
  for (const name of SECRETS_IN_FILES) {
    const file = env[`${name}_FILE`] ?? '';
    if (file === '' || !existsSync(file)) continue;
    if ((env[name] ?? '') !== '') problems.push(`${name} and ${name}_FILE are both set; set one of them`);
    const text = textOf(file);
    if (text === undefined || text === '')
      problems.push(
        `${name}_FILE is ${JSON.stringify(file)}; allowed: a file with the secret, which this process may read`,
      );
    else read[name] = text;
  }
  return read;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}

const isProduction = ({ NODE_ENV }: Environment) => NODE_ENV === 'production';

const verificationOf = ({ EMAIL_VERIFICATION: verification, SMTP_URL: smtpUrl }: Environment) =>
  verification ?? (smtpUrl === undefined ? 'off' : 'asked');

const servesWebClient = (values: Environment) => (values.WEB_CLIENT ?? (isProduction(values) ? 'off' : 'on')) === 'on';

/** Returns the problems of settings that are valid separately, but not together. */
function problemsTogether(values: Environment, { secrets, problem }: Secrets): string[] {
  const production = isProduction(values);
  const { CASSANDRA_TLS_CERT: cert, CASSANDRA_TLS_KEY: key, SMTP_URL: smtpUrl } = values;
  const isPaired = (cert === undefined) === (key === undefined);
  const wrongTls = isPaired && values.CASSANDRA_TLS === 'on' ? tlsProblem(tlsFilesOf(values)) : undefined;
  const verification = verificationOf(values);
  const problems: [isWrong: boolean, problem: string][] = [
    [
      !production && !isLoopback(values.HOST) && values.HOST_IS_LOCAL === 'off',
      `HOST is ${values.HOST}, which others can reach, but a development server has GraphiQL and ` +
        'readers whose password is published: set NODE_ENV=production, or HOST=127.0.0.1; ' +
        'HOST_IS_LOCAL=on in a container whose port is published on 127.0.0.1 alone',
    ],
    [
      production && values.SAMPLE_DATA === 'on',
      'SAMPLE_DATA is on, which makes readers whose password is published; ' +
        'with NODE_ENV=production leave it off, and import books with `npm run admin -- import-books`',
    ],
    [
      (values.CASSANDRA_USERNAME === undefined) !== (values.CASSANDRA_PASSWORD === undefined),
      'CASSANDRA_USERNAME and CASSANDRA_PASSWORD go together; only one of them is set',
    ],
    [wrongTls !== undefined, wrongTls ?? ''],
    [!isPaired, 'CASSANDRA_TLS_CERT and CASSANDRA_TLS_KEY go together; only one of them is set'],
    [
      isPaired && cert !== undefined && values.CASSANDRA_TLS === 'off',
      'CASSANDRA_TLS_CERT is set, but CASSANDRA_TLS is off; set it to on, or leave the certificate out',
    ],
    [
      production && values.CASSANDRA_CONTACT_POINTS === undefined,
      `CASSANDRA_CONTACT_POINTS is not set; NODE_ENV=production needs it: ${contactPoints.allowed}`,
    ],
    [
      values.DOCUMENTS === 'persisted' && values.PERSISTED_DOCUMENTS === undefined,
      'DOCUMENTS is persisted, but PERSISTED_DOCUMENTS is not set, so nothing would be answered; set both',
    ],
    [
      values.REFRESH_COOKIE === 'off' && servesWebClient(values),
      'REFRESH_COOKIE is off, but the web client keeps its refresh token in a cookie; ' +
        'leave REFRESH_COOKIE out, or set WEB_CLIENT=off',
    ],
    [
      smtpUrl !== undefined && values.MAIL_FROM === undefined,
      `MAIL_FROM is not set, but SMTP_URL is; set both: ${settings.MAIL_FROM.allowed}`,
    ],
    [
      production && smtpUrl === undefined && verification !== 'off',
      `EMAIL_VERIFICATION is ${verification}, but no mail can be sent; set SMTP_URL and MAIL_FROM, or leave it off`,
    ],
    [
      (values.PUSH_PRIVATE_KEY === undefined) !== (values.PUSH_CONTACT === undefined),
      'PUSH_PRIVATE_KEY and PUSH_CONTACT go together; only one of them is set',
    ],
    [problem !== undefined, problem ?? ''],
    [
      production && problem === undefined && secrets.length === 0,
      'ACCESS_TOKEN_SECRET is not set, nor is ACCESS_TOKEN_SECRET_FILE; NODE_ENV=production needs ' +
        `one of them: ${settings.ACCESS_TOKEN_SECRET.allowed}`,
    ],
  ];
  return problems.filter(([isWrong]) => isWrong).map(([, problem]) => problem);
}

/** Groups the settings by the parts that use them. */
function configOf(values: Environment, secrets: readonly string[]) {
  const production = isProduction(values);
  const verification = verificationOf(values);
  const { CASSANDRA_USERNAME: username, CASSANDRA_PASSWORD: password, SMTP_URL: smtpUrl, MAIL_FROM: from } = values;
  const { PUSH_PRIVATE_KEY: privateKey, PUSH_CONTACT: contact, PUSH_HOSTS: pushHosts } = values;
  return {
    production,
    /**
     * Warnings about settings that are rarely intended. Each warning names the setting and what to
     * do.
     */
    warnings: production ? warningsOf(values) : [],
    /**
     * `requestTimeoutMs`: the time in which a request must arrive, and must be answered when the
     * server shuts down. `drainMs`: the time from the signal to shut down until no connection is
     * accepted.
     */
    http: {
      host: values.HOST,
      port: values.PORT,
      requestTimeoutMs: values.REQUEST_TIMEOUT_SECONDS * 1_000,
      drainMs: (values.DRAIN_SECONDS ?? (production ? 5 : 0)) * 1_000,
      connectionsMax: values.CONNECTIONS_MAX,
      connectionIdleMs: values.CONNECTION_IDLE_SECONDS * 1_000,
      /** The maximum number of concurrent queries. */
      queriesMax: values.QUERIES_MAX,
      mutationsMax: values.MUTATIONS_MAX,
    },
    /** The maximum numbers of open subscriptions: of a server, of an address and of a reader. */
    subscriptions: {
      max: values.SUBSCRIPTIONS_MAX,
      perAddress: values.SUBSCRIPTIONS_PER_ADDRESS,
      perReader: values.SUBSCRIPTIONS_PER_READER,
    },
    /** The limits of reads and answers of one request. */
    queries: {
      milliseconds: values.QUERY_SECONDS_MAX * 1_000,
      rowsMax: values.QUERY_ROWS_MAX,
      bytesMax: values.QUERY_KIB_MAX * 1_024,
      answerBytesMax: values.ANSWER_KIB_MAX * 1_024,
    },
    /**
     * The file of documents that clients name by hash; `only` is true if other documents are
     * refused.
     */
    documents: { persisted: values.PERSISTED_DOCUMENTS, only: values.DOCUMENTS === 'persisted' },
    /** The port of the metrics. If unset, the API serves the metrics, in development only. */
    metricsPort: values.METRICS_PORT,
    log: {
      level: values.LOG_LEVEL ?? (production ? 'info' : 'warn'),
      /** The share of requests that are logged at the level info. */
      requestsPercent: values.LOG_REQUESTS_PERCENT,
    },
    /**
     * The collector of traces, and the share of requests that are traced. If unset, none are
     * traced.
     */
    traces: { url: values.TRACES_URL, percent: values.TRACES_PERCENT },
    cassandra: {
      /** The nodes to connect to. If unset, the launcher starts a Cassandra and sets them. */
      contactPoints: values.CASSANDRA_CONTACT_POINTS,
      localDataCenter: values.CASSANDRA_LOCAL_DC,
      keyspace: values.CASSANDRA_KEYSPACE,
      credentials: username !== undefined && password !== undefined ? { username, password } : undefined,
      tls: values.CASSANDRA_TLS === 'on' ? readTls(tlsFilesOf(values)) : undefined,
      /** The replication factor of a new keyspace. A cluster of several nodes needs it. */
      replicationFactor: values.CASSANDRA_REPLICATION_FACTOR,
      consistency: values.CASSANDRA_CONSISTENCY,
      serialConsistency: values.CASSANDRA_SERIAL_CONSISTENCY,
    },
    /** The first secret signs, and all are accepted. A development server generates one. */
    accessTokens: { secrets, seconds: values.ACCESS_TOKEN_SECONDS },
    /** The lifetimes of a session, and the time within which a refresh token may be sent twice. */
    sessions: {
      idleSeconds: values.SESSION_IDLE_DAYS * DAY_SECONDS,
      seconds: values.SESSION_DAYS * DAY_SECONDS,
      refreshGraceSeconds: values.REFRESH_GRACE_SECONDS,
      /** True if clients that ask for it get the refresh token in a cookie. */
      refreshCookie: values.REFRESH_COOKIE === 'on' || (values.REFRESH_COOKIE === undefined && servesWebClient(values)),
    },
    passwords: {
      lengthMin: values.PASSWORD_LENGTH_MIN,
      /**
       * The service that lists breached passwords. If unset, passwords are not checked by a
       * service.
       */
      breachedUrl: values.BREACHED_PASSWORDS_URL,
      /** The parameters of argon2id (RFC 9106, 3.1). */
      argon2id: { memoryKib: values.ARGON2_MEMORY_KIB, passes: values.ARGON2_PASSES, lanes: values.ARGON2_LANES },
    },
    /**
     * The first key seals second factors, and all keys open them. Without keys, second factors are
     * disabled.
     */
    twoFactor: { keys: values.TWO_FACTOR_KEYS },
    /**
     * The origins of passkeys. The passkeys are for the host of the first one. If empty, passkeys
     * are disabled.
     */
    passkeyOrigins: values.PASSKEY_ORIGINS,
    /**
     * The number of tries with a wrong password before further tries are delayed; 0 disables
     * delays.
     */
    loginAttemptsFree: values.LOGIN_ATTEMPTS_FREE,
    /**
     * The maximum number of wrong passwords in a row for an account from unknown clients in 30
     * days; 0 is no limit.
     */
    loginFailuresMax: values.LOGIN_FAILURES_MAX,
    /** The maximum number of accounts that an address may register in an hour; 0 is no limit. */
    registrationsPerHour: values.REGISTRATIONS_PER_HOUR,
    /** The maximum number of reports that a reader may send in an hour; 0 is no limit. */
    reportsPerHour: values.REPORTS_PER_HOUR,
    /** The maximum number of messages that a reader may send in a day; 0 is no limit. */
    messagesPerDay: values.MESSAGES_PER_DAY,
    /** The maximum cost that a caller may spend in a minute; 0 is no limit. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    /**
     * The maximum number of likes and unlikes of one thing by a reader in an hour; 0 is no limit.
     */
    likeChangesPerHour: values.LIKE_CHANGES_PER_HOUR,
    clickBytesPerMinute: values.CLICK_KIB_PER_MINUTE * 1_024,
    /** The time for which clicks of readers are kept; 0 keeps them permanently. */
    clicksKeptSeconds: values.CLICKS_KEPT_DAYS * DAY_SECONDS,
    /** The allowed difference between the clocks of server and nodes; 0 disables the comparison. */
    clockSkewMaxMs: values.CLOCK_SKEW_MAX_MS,
    /** The time for which security events keep their network address. */
    addressesKeptSeconds: values.ADDRESSES_KEPT_DAYS * DAY_SECONDS,
    /** The file that the ids of deleted accounts are written to, for restores. */
    erasedIdsFile: values.ERASED_IDS_FILE,
    mail: {
      /**
       * The server that sends mails, and their sender address. If unset, mails are written to
       * `folder`, or dropped if `folder` is unset too.
       */
      smtp: smtpUrl !== undefined && from !== undefined ? { url: smtpUrl, from } : undefined,
      folder: production || smtpUrl !== undefined ? undefined : values.MAIL_FOLDER,
      /**
       * The maximum number of mails of one kind from an account to an email, in an hour or while
       * their tokens are valid; 0 is no limit.
       */
      perAddress: values.MAILS_PER_ADDRESS,
      /** The page of a reader in the frontend. */
      readerUrl: values.READER_URL,
      passwordReset: { url: values.PASSWORD_RESET_URL, seconds: values.PASSWORD_RESET_MINUTES * 60 },
      emailVerification: {
        /** True if a reader is asked to verify a new email. */
        isAsked: verification !== 'off',
        /**
         * True if only verified readers may write. Unverified accounts are deleted after
         * `accountSeconds`.
         */
        isRequired: verification === 'required',
        accountSeconds: values.EMAIL_VERIFICATION_DAYS * DAY_SECONDS,
        url: values.EMAIL_VERIFICATION_URL,
        seconds: values.EMAIL_VERIFICATION_HOURS * 3_600,
      },
    },
    /**
     * The key that signs push messages, the contact that push services are told, and their hosts.
     * Null if nothing is pushed.
     */
    push: privateKey !== undefined && contact !== undefined ? { privateKey, contact, hosts: pushHosts } : null,
    /**
     * The number of trusted proxies, or their addresses. Their forwarded client address is used.
     */
    trustProxy: values.TRUST_PROXY,
    /** The allowed hosts of book covers. */
    coverHosts: values.COVER_HOSTS,
    /** The allowed hosts of readers' pictures. If empty, there are no such pictures. */
    avatarHosts: values.AVATAR_HOSTS,
    /** The origins whose pages may read answers. If empty, only the API's own origin may. */
    corsOrigins: values.CORS_ORIGINS,
    /** True to import the sample catalogue and make readers at the start. */
    sampleData: (values.SAMPLE_DATA ?? (production ? 'off' : 'on')) === 'on',
    /** True to serve the web client. */
    webClient: servesWebClient(values),
    /** True to record views and clicks among the actions of readers. */
    recordsLooksAndClicks: values.ACTIVITY_LOOKS_AND_CLICKS === 'on',
    /**
     * The number of rows at which the newest shard of a likeable in `user_by_item` is full, and the
     * next shard opens. Reads still work with twice as many rows even if all of them are deleted;
     * see cql/member-sets.cql.
     */
    likeShardRowsMax: values.LIKE_SHARD_ROWS_MAX,
    /**
     * The number of consecutive commits of one server to a shard after which it commits again
     * without reading the shard first.
     */
    likeShardAloneCommits: values.LIKE_SHARD_ALONE_COMMITS,
    /**
     * The maximum age of a shown book or like count, except after the viewer's own change; 0
     * disables the caches. All servers must have the same value.
     */
    shownAgeMaxMs: values.SHOWN_AGE_MAX_MS,
    /** The number of rows that this server audits per second; 0 disables audits. */
    auditRowsPerSecond: values.AUDIT_ROWS_PER_SECOND,
    /** The time for which measurements are kept after their day. */
    measurementsKeptDays: values.MEASUREMENTS_KEPT_DAYS,
  } as const;
}

/**
 * Reads the secrets and the certificates again, and replaces them in a configuration that is in
 * use. All other settings are unchanged.
 * @param env the environment of the start
 * @throws {ConfigError} if a setting cannot be used now; nothing is changed then
 */
export function renewSecrets(config: Config, env: Readonly<Record<string, string | undefined>>): void {
  const { accessTokens, twoFactor, cassandra, mail } = readConfig(env);
  if (accessTokens.secrets.length > 0) Object.assign(config.accessTokens, accessTokens);
  Object.assign(config.twoFactor, twoFactor);
  if (config.cassandra.credentials) Object.assign(config.cassandra.credentials, cassandra.credentials);
  if (config.cassandra.tls) Object.assign(config.cassandra.tls, cassandra.tls);
  if (config.mail.smtp) Object.assign(config.mail.smtp, mail.smtp);
}

const tlsFilesOf = (values: Environment) => ({
  ca: values.CASSANDRA_TLS_CA,
  cert: values.CASSANDRA_TLS_CERT,
  key: values.CASSANDRA_TLS_KEY,
});

/**
 * Returns the secret that this server signs and seals with. The other secrets are older, and valid
 * until everything they signed has expired.
 */
export function signingSecret({ accessTokens }: Config): string {
  const [secret] = accessTokens.secrets;
  if (secret === undefined) throw new Error('There is no secret to sign with: set ACCESS_TOKEN_SECRET');
  return secret;
}

interface Secrets {
  readonly secrets: readonly string[];
  /** The reason why there are no secrets. */
  readonly problem?: string;
}

/**
 * Reads the secrets from the environment, or from a file with one secret on each line. The first
 * one signs.
 */
function readSecrets({ ACCESS_TOKEN_SECRET: secret, ACCESS_TOKEN_SECRET_FILE: file }: Environment): Secrets {
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
        problem:
          `ACCESS_TOKEN_SECRET_FILE is ${JSON.stringify(file)}; allowed: a file with a secret in each ` +
          `line, of at least ${SECRET_LENGTH_MIN} characters`,
      };
}
