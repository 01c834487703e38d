import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/settings.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { UserError } from '../graphql/errors.ts';
import { waitAfter } from '../time/backoff.ts';
import { writeMail } from './folder.ts';
import type { Mail, MailKind } from './mail.ts';

/**
 * Sends mails in the background: no request waits for a mail, and no answer depends on one. Waiting
 * mails exist only in the memory of this process. If the process dies, they are lost, and readers
 * request new ones.
 */

/**
 * The delay before a mail is sent. The answer is sent first, so the call takes as long as one that
 * sends no mail.
 */
const SENT_AFTER_MS = 100;
/**
 * The maximum number of attempts to compose and send a mail. The last attempt is half a minute
 * after the first.
 */
const TRIES = 6;
const WAITING_MAX = 1_000;
const CONNECTIONS = 2;
/** The timeout of each step of sending. A server that ends also waits this long for a mail. */
const TIMEOUT_MS = 10_000;

const mails = new Counter({
  name: 'mails_total',
  help: 'Mails, by kind and by whether they were sent, failed, or were dropped because too many waited',
  labelNames: ['kind', 'result'],
});

type Send = (mail: Mail) => Promise<unknown>;

interface Transport {
  readonly send: Send;
  readonly close: () => void;
}

/** True if a mail server or a folder for mails is configured. */
export const isMailSetUp = ({ mail: { smtp, folder } }: Config): boolean => (smtp ?? folder) !== undefined;

/** @throws {UserError} `MAIL_NOT_SET_UP` when an operation needs mails and they are not set up */
export function requireMail({ config }: AppContext): void {
  if (isMailSetUp(config)) return;
  const message = 'This library cannot send mails, because mail is not set up. Ask the people who run it.';
  throw new UserError('MAIL_NOT_SET_UP', message, ['input']);
}

export const mailer = perProcess((app) => new Mailer(app));

class Mailer {
  readonly #app: AppContext;
  readonly #waiting = new Set<Promise<void>>();
  /** The newest waiting mail to each address. */
  readonly #newest = new Map<string, Promise<void>>();
  readonly #ending = new AbortController();
  #transport: Promise<Transport> | undefined;
  /** The URL of the transport's server, with its password. */
  #url: string | undefined;

  constructor(app: AppContext) {
    this.#app = app;
  }

  /**
   * Sends a mail soon, if mails are set up. It never fails. Mails to one address are composed and
   * sent one after the other, so that the token in the newest one is the valid one.
   * @param compose makes the mail to that address, or returns `undefined` to send none
   */
  post(kind: MailKind, to: string, compose: () => Promise<Mail | undefined>): void {
    if (!isMailSetUp(this.#app.config)) return;
    if (this.#waiting.size >= WAITING_MAX) {
      mails.inc({ kind, result: 'dropped' });
      this.#app.logger.error({ kind }, 'a mail was dropped: too many are waiting');
      return;
    }
    const sending = this.#send(kind, compose, this.#newest.get(to)).finally(() => {
      this.#waiting.delete(sending);
      if (this.#newest.get(to) === sending) this.#newest.delete(to);
    });
    this.#waiting.add(sending);
    this.#newest.set(to, sending);
  }

  /** Ends the mailer after one more attempt for each waiting mail. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#waiting);
    (await this.#transport)?.close();
  }

  async #send(
    kind: MailKind,
    compose: () => Promise<Mail | undefined>,
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    await this.#pause(SENT_AFTER_MS);
    await earlier;
    try {
      if (await this.#sendInTries(compose)) mails.inc({ kind, result: 'sent' });
    } catch (error) {
      mails.inc({ kind, result: 'failed' });
      // The error's message is not logged, because it may contain the address.
      const { name, code, responseCode } = error as Error & { code?: string; responseCode?: number };
      this.#app.logger.error({ kind, name, code, responseCode }, 'a mail could not be sent');
    }
  }

  /**
   * Composes and sends a mail. Both Cassandra and the mail server may be unavailable for a moment.
   * @returns false if there is no mail to send
   */
  async #sendInTries(compose: () => Promise<Mail | undefined>): Promise<boolean> {
    let mail: Mail | undefined;
    for (let tries = 1; ; tries++) {
      try {
        mail ??= await compose();
        if (!mail) return false;
        const { send } = await this.#currentTransport();
        await send(mail);
        return true;
      } catch (error) {
        if (tries === TRIES || isForGood(error) || this.#ending.signal.aborted) throw error;
        await this.#pause(waitAfter(tries));
      }
    }
  }

  /** The password of the mail server may be renewed while this server runs. */
  #currentTransport(): Promise<Transport> {
    const { config } = this.#app;
    const url = config.mail.smtp?.url;
    if (this.#transport && url === this.#url) return this.#transport;
    void this.#transport?.then(({ close }) => {
      close();
    });
    this.#url = url;
    this.#transport = transportOf(config);
    return this.#transport;
  }

  /** Waits for some time, or until the mailer ends. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }
}

/** True for a permanent failure (RFC 5321, 4.2.1): the same command would be refused again. */
const isForGood = (error: unknown) => ((error as { responseCode?: number }).responseCode ?? 0) >= 500;

/** An email that the library does not parse again. */
const address = (email: string) => ({ name: '', address: email });

async function transportOf({ mail: { smtp, folder } }: Config): Promise<Transport> {
  if (!smtp) {
    return {
      send: (mail) => (folder === undefined ? Promise.resolve() : writeMail(folder, mail)),
      close: () => undefined,
    };
  }
  // The library takes 5 MB, so it is loaded only with the first mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtp.url,
    pool: true,
    maxConnections: CONNECTIONS,
    // TLS is required because tokens are as good as passwords. The URL can turn this off for a
    // private network.
    requireTLS: !isLoopback(new URL(smtp.url).hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: ({ to, replyTo, ...said }) =>
      transport.sendMail({ ...said, from: smtp.from, to: address(to), ...(replyTo && { replyTo: address(replyTo) }) }),
    close: () => {
      transport.close();
    },
  };
}
