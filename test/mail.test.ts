import { get } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeMail } from '../src/mail/folder.ts';
import { mailer } from '../src/mail/mailer.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { mailInFolder, startMailbox, tokenIn, type Mailbox } from './support/mails.ts';

/** The destinations of mails, and mails that no server accepts. */

const RESET = 'A new password';

const ask = (client: Client, email: string) => client.mutate('requestPasswordReset', { email }, '__typename');

/** Reads the number of mails with a result, from a server's metrics. */
async function countOf({ url }: TestServer, kind: string, result: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^mails_total\\{kind="${kind}",result="${result}"\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
}

describe('without an SMTP server, in development', () => {
  test('mails are files, and on a page', async () => {
    const server = await startServer(await sharedKeyspace());
    const folder = server.app.config.mail.folder!;
    const reader = await server.client().registerSomebody();
    expect(await ask(server.client(), reader.email)).toMatchObject({ userErrors: [] });
    const token = tokenIn(await mailInFolder(folder, reader.email, RESET));

    const page = await fetch(`${server.url}/mails`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain(token);
    const answer = await server
      .client()
      .mutate('resetPassword', { token, password: 'a battery staple' }, 'viewer { id }');
    expect(answer.viewer).toEqual({ id: reader.viewerId });
    // Readers are not asked to verify an email if that is not required.
    await mailer(server.app).end();
    const subjects = (await (await fetch(`${server.url}/mails`)).text()).match(/^Subject: .*$/gm);
    expect(subjects).toEqual(['Subject: Your password was changed', `Subject: ${RESET}`]);
  });

  test('the page is served only to browsers that open it by a name of this machine, not by another site’s name that resolves to it', async () => {
    const server = await startServer(await sharedKeyspace());
    const { port } = new URL(server.url);
    const statusFor = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${server.url}/mails`, { headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.0.0.9', '[::1]', '[::ffff:127.0.0.1]']) {
      for (const sent of [host, `${host}:${port}`, `${host}:80`])
        expect(await statusFor({ host: sent }), sent).toBe(200);
    }
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'evil.example#localhost',
      'evil.example@localhost',
      'localhost@evil.example',
      '127.0.0.1.evil.example',
      '192.168.1.7',
      'localhost,evil.example',
      'localhost.',
    ]) {
      for (const sent of [host, `${host}:${port}`]) expect(await statusFor({ host: sent }), sent).not.toBe(200);
    }
    // Headers of a proxy are ignored for that.
    const trusting = await startServer(await sharedKeyspace({ TRUST_PROXY: '1' }));
    const forged = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
    const answer = await fetch(`${trusting.url}/mails`, { headers: { 'x-forwarded-host': 'evil.example' } });
    expect([await statusFor(forged), answer.status]).toEqual([403, 200]);
  });

  test('the page shows text as text, and links as links; the newest hundred files are kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mails-'));
    const server = await startServer(await sharedKeyspace({ MAIL_FOLDER: folder }));
    expect(await (await fetch(`${server.url}/mails`)).text()).toContain('There is none yet');
    for (let turn = 0; turn < 103; turn++) {
      await writeMail(folder, {
        to: 'a@example.com',
        subject: '<script>',
        text: 'Open https://app.example/x?a=1&b="2',
      });
    }
    expect(await readdir(folder)).toHaveLength(100);
    const page = await (await fetch(`${server.url}/mails`)).text();
    expect(page).toContain('Subject: &lt;script&gt;');
    expect(page).not.toContain('<script>');
    expect(page).toContain('<a href="https://app.example/x?a=1&amp;b=&quot;2">');
    await rm(folder, { recursive: true });
  });
});

describe('without an SMTP server, in production', () => {
  test('a feature that needs mails is refused with that reason, and all others work', async () => {
    const server = await startServer(await sharedKeyspace({ NODE_ENV: 'production' }));
    const reader = await server.client().registerSomebody();
    const error = { code: 'MAIL_NOT_SET_UP', path: ['input'] };
    for (const email of [reader.email, `nobody-${reader.email}`]) {
      expect(await ask(server.client(), email)).toMatchObject({ userErrors: [error] });
    }
    const { requestEmailVerification } = await reader.data(
      'mutation { requestEmailVerification { viewer { id } userErrors { code path } } }',
    );
    expect(requestEmailVerification).toEqual({ viewer: null, userErrors: [error] });
    const changed = { password: PASSWORD, newPassword: 'a battery staple' };
    expect(await reader.mutate('changePassword', changed, 'viewer { id }')).toMatchObject({ userErrors: [] });
    const moved = { email: `x-${reader.email}`, password: 'a battery staple' };
    expect(await reader.mutate('changeEmail', moved, 'viewer { id }')).toMatchObject({ userErrors: [] });
    expect((await fetch(`${server.url}/mails`)).status).toBe(404);
  });
});

describe('an SMTP server', () => {
  let mailbox: Mailbox;
  let server: TestServer;
  const logged: unknown[] = [];

  beforeAll(async () => {
    mailbox = await startMailbox();
    const settings = { SMTP_URL: mailbox.url, MAIL_FROM: 'library@example.com', EMAIL_VERIFICATION: 'off' };
    server = await startServer(await sharedKeyspace(settings));
    Object.assign(server.app.logger, { error: (about: object, message: string) => logged.push([about, message]) });
  });

  test('that is busy is retried', async () => {
    const reader = await server.client().registerSomebody();
    const sent = await countOf(server, 'PASSWORD_RESET', 'sent');
    mailbox.refusals.push(450, 451);
    expect(await ask(server.client(), reader.email)).toMatchObject({ userErrors: [] });
    await mailbox.arrived(reader.email, RESET);
    expect(mailbox.offers()).toBe(3);
    await expect.poll(() => countOf(server, 'PASSWORD_RESET', 'sent')).toBe(sent + 1);
    expect(logged).toEqual([]);
  });

  test('gets a mail that could not be composed at first', async () => {
    const mail = { to: 'ann@example.com', subject: 'News', text: 'Hello' };
    let attempts = 0;
    const compose = () => (++attempts === 1 ? Promise.reject(new Error('Cassandra is away')) : Promise.resolve(mail));
    mailer(server.app).post('NOTICE', mail.to, compose);
    await mailbox.arrived(mail.to, mail.subject);
    expect(logged).toEqual([]);
  });

  test('that is busy gets the mails to a reader in their order, so that the last one has the valid token', async () => {
    const reader = await server.client().registerSomebody();
    mailbox.refusals.push(450);
    for (let turn = 0; turn < 2; turn++)
      expect(await ask(server.client(), reader.email)).toMatchObject({ userErrors: [] });
    const { body } = await mailbox.arrived(reader.email, RESET, 2);
    const changed = { token: tokenIn(body), password: 'a battery staple' };
    expect(await server.client().mutate('resetPassword', changed, 'viewer { id }')).toMatchObject({ userErrors: [] });
    await mailbox.arrived(reader.email, 'Your password was changed');
  });

  test('that refuses is not retried; the failure is counted and logged without the address, and the caller gets the same answer', async () => {
    const reader = await server.client().registerSomebody();
    const [failed, offers] = [await countOf(server, 'PASSWORD_RESET', 'failed'), mailbox.offers()];
    mailbox.refusals.push(550);
    expect(await ask(server.client(), reader.email)).toMatchObject({ userErrors: [] });
    await expect.poll(() => countOf(server, 'PASSWORD_RESET', 'failed')).toBe(failed + 1);
    expect(mailbox.offers()).toBe(offers + 1);
    expect(logged).toEqual([
      [{ kind: 'PASSWORD_RESET', name: 'Error', code: 'EENVELOPE', responseCode: 550 }, 'a mail could not be sent'],
    ]);
  });

  test('that is down makes no call fail, and a server that ends does not wait for it', async () => {
    const settings = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'library@example.com' };
    const lonely = await startServer(await sharedKeyspace(settings));
    const failed = await countOf(lonely, 'PASSWORD_RESET', 'failed');
    const reader = await lonely.client().registerSomebody();
    expect(await ask(lonely.client(), reader.email)).toMatchObject({ userErrors: [] });
    await mailer(lonely.app).end();
    expect(await countOf(lonely, 'PASSWORD_RESET', 'failed')).toBe(failed + 1);
  });
});
