import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';
import { SAMPLE_LOGINS, SAMPLE_PASSWORD } from '../../../tools/sample/sample-readers.ts';
import { systemChromium } from './chromium.ts';
import { fill } from './forms.ts';
import { withoutLive } from './live-requests.ts';

/**
 * `npm run screenshots` in examples/web: takes a picture of every page of a running server with the
 * sample, in light, dark and the width of a phone.
 */

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:4000' },
    folder: { type: 'string', default: '.screenshots' },
  },
});

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: { width: 1200, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1200, height: 800 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

/** The pages with a path of their own, and whether a reader is logged in there. */
const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['search', '/search?q=the'],
  ['libraries', '/libraries?country=United+States&state=Pennsylvania&city=Pittsburgh'],
  ['feed', '/feed'],
  ['notifications', '/notifications'],
  ['shelves', '/shelves'],
  ['year', '/year'],
  ['lists', '/lists'],
  ['import', '/import'],
  ['history', '/history'],
  ['profile', '/profile'],
  ['copies', '/copies'],
  ['sell', '/sell'],
];
const PAGES_OF_VISITORS: readonly (readonly [name: string, path: string])[] = [
  ['register', '/register'],
  ['login', '/login'],
  ['lost-password', '/lost-password'],
];

/** Takes the pictures of one look. */
async function take(browser: Browser, look: string): Promise<void> {
  const context = await browser.newContext({ ...LOOKS[look], baseURL: values.url, locale: 'en-GB' });
  // Its streams never end, and the pictures are taken when no request is under way.
  await withoutLive({ context });
  const page = await context.newPage();
  const picture = async (name: string, path?: string) => {
    if (path !== undefined) await page.goto(`/app${path}`);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(values.folder, `${name}-${look}.png`) });
  };

  for (const [name, path] of PAGES_OF_VISITORS) await picture(name, path);
  await page.goto('/app/login');
  await fill(page, 'Log in', { Email: SAMPLE_LOGINS[0]?.email ?? '', Password: SAMPLE_PASSWORD });
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  for (const [name, path] of PAGES) await picture(name, path);

  await page.goto('/app/search');
  await page.getByRole('list', { name: 'Books' }).getByRole('link').first().click();
  const liker = page.getByRole('list', { name: 'Likers' }).getByRole('link').first();
  await liker.waitFor();
  await picture('book');
  await liker.click();
  await page.getByRole('heading', { name: 'Last read' }).waitFor();
  await picture('reader');
  await context.close();
}

await mkdir(values.folder, { recursive: true });
const browser = await chromium.launch({ executablePath: systemChromium(), args: ['--no-sandbox'] });
for (const look of Object.keys(LOOKS)) await take(browser, look);
await browser.close();
console.log(`The pictures are in ${values.folder}`);
