import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/settings.ts';
import { perProcess, type AppContext } from '../context/context.ts';
import { waitAfter } from '../time/backoff.ts';
import { writeMail } from './folder.ts';
import type { Mail, MailKind } from './mail.ts';

/**
 * Sends mails beside the requests: nobody waits for one, and no answer depends on one. What waits is in the memory of this process
 * alone: when it dies, its mails are lost, and readers ask for another one.
 */

/** The answer of the call that a mail is for is on its way by then, so that it takes no longer than one that sends none. */
const SENT_AFTER_MS = 100;
/** The last of these is half a minute after the first. */
const TRIES = 6;
const WAITING_MAX = 1_000;
const CONNECTIONS = 2;
/** Also how long a server that ends waits for a mail. */
const TIMEOUT_MS = 10_000;

const mails = new Counter({
  name: 'mails_total',
  help: 'Mails by what they are about, and whether they were sent, failed, or were dropped as too many waited',
  labelNames: ['kind', 'result'],
});

type Send = (mail: Mail) => Promise<unknown>;

/** Whether mails go anywhere. */
export const isMailSetUp = ({ mail: { smtp, folder } }: Config): boolean => (smtp ?? folder) !== undefined;

/** What sends the mails of a process. */
export const mailer = perProcess((app) => new Mailer(app));

class Mailer {
  readonly #app: AppContext;
  readonly #waiting = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #transport: Promise<{ readonly send: Send; readonly close: () => void }> | undefined;

  constructor(app: AppContext) {
    this.#app = app;
  }

  /**
   * Sends a mail soon, where mails are set up; never fails.
   * @param compose makes the mail; `undefined` for none after all
   */
  post(kind: MailKind, compose: () => Promise<Mail | undefined>): void {
    if (!isMailSetUp(this.#app.config)) return;
    if (this.#waiting.size >= WAITING_MAX) {
      mails.inc({ kind, result: 'dropped' });
      this.#app.logger.error({ kind }, 'a mail was dropped: too many wait');
      return;
    }
    const sending = this.#send(kind, compose).finally(() => this.#waiting.delete(sending));
    this.#waiting.add(sending);
  }

  /** Ends when what waits was tried once more. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#waiting);
    (await this.#transport)?.close();
  }

  async #send(kind: MailKind, compose: () => Promise<Mail | undefined>): Promise<void> {
    await this.#pause(SENT_AFTER_MS);
    try {
      const mail = await compose();
      if (!mail) return;
      await this.#sendInTries(mail);
      mails.inc({ kind, result: 'sent' });
    } catch (error) {
      mails.inc({ kind, result: 'failed' });
      // Its message may repeat the address.
      const { name, code, responseCode } = error as Error & { code?: string; responseCode?: number };
      this.#app.logger.error({ kind, name, code, responseCode }, 'a mail could not be sent');
    }
  }

  async #sendInTries(mail: Mail): Promise<void> {
    const { send } = await (this.#transport ??= transportOf(this.#app.config));
    for (let tries = 1; ; tries++) {
      try {
        await send(mail);
        return;
      } catch (error) {
        if (tries === TRIES || isForGood(error) || this.#ending.signal.aborted) throw error;
        await this.#pause(waitAfter(tries));
      }
    }
  }

  /** Waits, but not longer than until the end. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }
}

/** RFC 5321, 4.2.1: the same command would be refused again. */
const isForGood = (error: unknown) => ((error as { responseCode?: number }).responseCode ?? 0) >= 500;

async function transportOf({ mail: { smtp, folder } }: Config): Promise<{ send: Send; close: () => void }> {
  if (!smtp) {
    return {
      send: (mail) => (folder === undefined ? Promise.resolve() : writeMail(folder, mail)),
      close: () => undefined,
    };
  }
  // Loaded with the first mail: it takes 5 MB, which a server without mails is to do without.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtp.url,
    pool: true,
    maxConnections: CONNECTIONS,
    // Tokens are as good as passwords; the URL may say otherwise for a network of one's own.
    requireTLS: !isLoopback(new URL(smtp.url).hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: ({ to, ...said }) => transport.sendMail({ ...said, from: smtp.from, to: { name: '', address: to } }),
    close: () => {
      transport.close();
    },
  };
}
