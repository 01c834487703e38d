import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Request } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { LINK_TOKEN } from '../../../src/config/settings.ts';
import { endWithFile, ownKeyspace, startServer, testEnvironment, type TestServer } from '../../../test/support/app.ts';
import { PASSWORD } from '../../../test/support/client.ts';
import { systemChromium } from './chromium.ts';
import { fill } from './forms.ts';

/** Readers with browsers, at a real server with a real Cassandra. */

/**
 * The origin of the pages, which browsers look up at the server's port. Passkeys and the links in
 * mails name it before the port is known.
 */
const ORIGIN = 'http://localhost';
const MINUTES = 60_000;

/** What all journeys of a file share. */
export interface Site {
  readonly server: TestServer;
  /**
   * Opens a browser for a reader, without the storage of another one, and perhaps a page in it. It
   * ends with the test.
   */
  readonly visit: (path?: string) => Promise<Visitor>;
  /** Opens a browser that ends with the test file. */
  readonly stay: () => Promise<Visitor>;
  /** Returns the time by the server's clock. */
  readonly now: () => number;
  /** Puts the server's clock forward. */
  readonly wait: (minutes: number) => void;
}

/** A browser of one reader. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens another page by its address, as from a bookmark. */
  readonly open: (path: string) => Promise<void>;
  /** Opens another tab. */
  readonly tab: (path: string) => Promise<Page>;
  /** The requests to the API so far. */
  readonly requests: Request[];
}

/**
 * Starts a server that serves the client, and a browser. Both end with the test file.
 * @param options `workers`: the server also does what it does in the background; `sendsEmails`: false
 *   if it sends none
 */
export async function openSite(
  settings: Record<string, string> = {},
  { sendsEmails = true, ...options }: { readonly workers?: boolean; readonly sendsEmails?: boolean } = {},
): Promise<Site> {
  let passed = 0;
  const now = () => Date.now() + passed;
  const config = await ownKeyspace(
    testEnvironment({
      WEB_CLIENT: 'on',
      PASSKEY_ORIGINS: ORIGIN,
      PASSWORD_RESET_URL: `${ORIGIN}/app/reset#token=${LINK_TOKEN}`,
      ...settings,
    }),
  );
  const mail = sendsEmails ? config.mail : { ...config.mail, folder: undefined };
  const server = await startServer({ ...config, mail }, { ...options, clock: () => new Date(now()) });
  const resolver = `--host-resolver-rules=MAP localhost ${new URL(server.url).host}`;
  const browser = await chromium.launch({ executablePath: systemChromium(), args: ['--no-sandbox', resolver] });
  endWithFile(() => browser.close());
  return {
    server,
    visit: (path) => visit(browser, onTestFinished, path),
    stay: () => visit(browser, endWithFile),
    now,
    wait: (minutes) => {
      passed += minutes * MINUTES;
    },
  };
}

async function visit(browser: Browser, atEnd: (leave: () => Promise<void>) => void, path?: string): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: ORIGIN, locale: 'en-GB' });
  const requests: Request[] = [];
  context.on('request', (request) => {
    if (request.url() === `${ORIGIN}/graphql`) requests.push(request);
  });
  // Covers of books are elsewhere, and no test depends on them.
  await context.route(
    ({ origin }) => origin !== ORIGIN,
    (route) => route.abort(),
  );
  const problems: string[] = [];
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text());
  });
  atEnd(async () => {
    await context.close();
    expect(problems, 'errors of scripts, and what the policy refused').toEqual([]);
  });

  const page = await context.newPage();
  const open = async (to: string, inPage = page) => {
    await inPage.goto(`/app${to}`);
    await shown(inPage.getByRole('main'));
  };
  if (path !== undefined) await open(path);
  return {
    context,
    page,
    requests,
    open,
    tab: async (to) => {
      const opened = await context.newPage();
      await open(to, opened);
      return opened;
    },
  };
}

let people = 0;

/** Signs up in the browser. */
export async function signUp({ page, open }: Visitor, fullName: string): Promise<string> {
  const email = `visitor-${process.pid}-${++people}@example.com`;
  await open('/register');
  await fill(page, 'Sign up', { 'Full name': fullName, Email: email, Password: PASSWORD });
  await shown(page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: fullName }));
  return email;
}

/** Logs in in the browser. */
export async function logIn({ page, open }: Visitor, email: string, fullName: string): Promise<void> {
  await open('/login');
  await fill(page, 'Log in', { Email: email, Password: PASSWORD });
  await shown(page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: fullName }));
}

/** Logs out in the browser. The login leads somebody on who is still logged in. */
export async function logOut({ page }: Visitor): Promise<void> {
  const account = page.getByRole('navigation', { name: 'Account' });
  await account.getByRole('button', { name: 'Log out' }).click();
  await shown(account.getByRole('link', { name: 'Log in' }));
}

/** Does something, and waits for the answer to an operation that it sends. */
export async function answered(page: Page, operation: string, act: () => Promise<unknown>): Promise<void> {
  const isSent = (request: Request) => request.postData()?.includes(`"operationName":"${operation}"`) === true;
  await Promise.all([page.waitForResponse((response) => isSent(response.request())), act()]);
}

/** Waits until an element is shown. */
export const shown = (locator: Locator): Promise<void> => locator.first().waitFor();
