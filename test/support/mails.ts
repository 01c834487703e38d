import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { SMTPServer } from 'smtp-server';
import { newestMails } from '../../src/mail/folder.ts';
import { endWithFile, sharedKeyspace } from './app.ts';

const ARRIVED_WITHIN_MS = 300_000;

/** A mail that has arrived, as its reader sees it. */
export interface ArrivedMail {
  readonly to: string;
  readonly subject: string;
  /** The email that gets the answer, '' if none is named. */
  readonly replyTo: string;
  readonly body: string;
}

/** A server that accepts all mails. */
export interface Mailbox {
  readonly url: string;
  /** All mails so far. */
  readonly mails: readonly ArrivedMail[];
  /** Returns the mails to an email. */
  readonly to: (email: string, subject?: string) => ArrivedMail[];
  /** Waits for a number of mails to an email, and returns the last one. */
  readonly arrived: (email: string, subject: string, count?: number) => Promise<ArrivedMail>;
  /** The codes with which the next mails are refused. */
  readonly refusals: number[];
  /** Returns the number of times that a mail was offered. */
  readonly offers: () => number;
}

/** Starts a server that takes mails. It ends with the test file. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: ArrivedMail[] = [];
  const refusals: number[] = [];
  let offers = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      offers++;
      const responseCode = refusals.shift();
      done(responseCode === undefined ? null : Object.assign(new Error('No'), { responseCode }));
    },
    onData: (stream, { envelope }, done) => {
      void text(stream).then((message) => {
        const [head = '', body = ''] = message.split(/\r\n\r\n(.*)/s);
        const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1]?.trim() ?? '';
        const [{ address: to } = { address: '' }] = envelope.rcptTo;
        const [subject, replyTo] = [header('Subject'), header('Reply-To')];
        mails.push({ to, subject, replyTo, body: head.includes('quoted-printable') ? decoded(body) : body });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  endWithFile(async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    server.close(() => {
      resolve(undefined);
    });
    await promise;
  });

  const mailsTo = (email: string, subject?: string) =>
    mails.filter((mail) => mail.to === email && (subject === undefined || mail.subject === subject));
  return {
    url: `smtp://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`,
    mails,
    refusals,
    offers: () => offers,
    to: mailsTo,
    arrived: (email, subject, count = 1) => untilThere(() => mailsTo(email, subject)[count - 1]),
  };
}

/** Decodes quoted-printable text (RFC 2045, 6.7), of ASCII. */
const decoded = (body: string) =>
  body
    .replaceAll('=\r\n', '')
    .replace(/=([\dA-F]{2})/g, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

async function untilThere<Found>(look: () => Found | undefined | Promise<Found | undefined>): Promise<Found> {
  const deadline = Date.now() + ARRIVED_WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    expect(Date.now(), 'a mail arrives').toBeLessThan(deadline);
    await sleep(20);
  }
}

/** Waits for a mail in a folder. */
export const mailInFolder = (folder: string, email: string, subject: string): Promise<string> =>
  untilThere(async () =>
    (await newestMails(folder, 100)).find((mail) => mail.startsWith(`To: ${email}\nSubject: ${subject}\n`)),
  );

/** Finds the token in a mail: 48 bytes in base64url, and perhaps an email. */
export function tokenIn(body: string): string {
  const [token] = /(?<![\w-])[\w-]{64,}(?![\w-])/.exec(body) ?? [];
  if (token === undefined) throw new Error(`There is no token in this mail:\n${body}`);
  return token;
}

/**
 * Starts a mailbox and makes settings with which servers send their mails to it, at most five of a
 * kind to each email. Requests are sent through a proxy, so that a test can choose the address.
 */
export async function mailSettings(more: Record<string, string>) {
  const mailbox = await startMailbox();
  const config = await sharedKeyspace({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Library <library@example.com>',
    MAILS_PER_ADDRESS: '5',
    TRUST_PROXY: '1',
    ...more,
  });
  return { mailbox, config };
}
