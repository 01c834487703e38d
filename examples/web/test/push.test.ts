import { createECDH, randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { answered, openSite, shown, signUp, type Site, type Visitor } from './browser.ts';

/**
 * News on a device while the library is closed. The browser's push service is a stand-in in the
 * page, because the real one is on the internet. A browser without a window shows no notifications,
 * so the page takes them as allowed, and the service worker notes what it would show.
 */

let site: Site;
beforeAll(async () => {
  site = await openSite({
    PUSH_PRIVATE_KEY: randomBytes(32).toString('base64'),
    PUSH_CONTACT: 'mailto:people@library.example',
    PUSH_HOSTS: 'push.example',
  });
});

/** Answers for the browser's push service, and notes the key that the page subscribes with. */
async function standInForPushService({ context }: Visitor): Promise<void> {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const subscription = {
    endpoint: `https://push.example/${randomBytes(8).toString('hex')}`,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  };
  await context.addInitScript(`
    let current = null;
    const unsubscribe = async () => {
      current = null;
      return true;
    };
    Object.defineProperty(Notification, 'permission', { value: 'granted' });
    Notification.requestPermission = async () => 'granted';
    Object.assign(PushManager.prototype, {
      getSubscription: async () => current,
      subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly) throw new Error('refused');
        document.documentElement.dataset.key = applicationServerKey;
        current = { unsubscribe, toJSON: () => (${JSON.stringify(subscription)}) };
        return current;
      },
    });
  `);
}

test('a reader switches it on and off, and a message shows the kind of news', async () => {
  const ann = await site.visit();
  const { page, context, open } = ann;
  await standInForPushService(ann);
  await signUp(ann, 'Ann Away');
  await open('/profile');
  const form = page.getByRole('form', { name: 'News on this device' });
  await answered(page, 'AddPushSubscription', () => form.getByRole('button', { name: 'Show news' }).click());
  await shown(page.getByText('This device shows news.'));
  const { settings } = await site.server.client().data('{ settings { pushPublicKey } }');
  expect(await page.locator('html').getAttribute('data-key')).toBe(settings.pushPublicKey);

  const [worker] = context.serviceWorkers();
  await worker?.evaluate(`
    globalThis.shown = new Map();
    registration.showNotification = async (title, { body, tag }) => void shown.set(tag ?? body, title + ': ' + body);
  `);
  const push = (data: string) =>
    worker?.evaluate(`void dispatchEvent(new PushEvent('push', { data: ${JSON.stringify(data)} }))`);
  const notified = async () => (await worker?.evaluate<string[]>('[...shown.values()]'))?.toSorted();
  // A message is padded, and one of a kind replaces the one before.
  for (const kind of ['FOLLOWED', 'FOLLOWED', 'REVIEW_LIKED', 'OF_A_LATER_RELEASE'])
    await push(JSON.stringify({ kind }).padEnd(64));
  await expect
    .poll(notified)
    .toEqual([
      'Library: Somebody likes your review.',
      'Library: There is news for you.',
      'Library: You have a new follower.',
    ]);
  await push('no message of ours');
  await expect.poll(notified).toHaveLength(4);

  await open('/profile');
  await answered(page, 'RemovePushSubscription', () => form.getByRole('button', { name: 'Show no more' }).click());
  await shown(form.getByRole('button', { name: 'Show news on this device' }));
});

test('the profile says why it cannot be switched on', async () => {
  const bob = await site.visit();
  const { page, context, open } = bob;
  await signUp(bob, 'Bob Blocked');
  await open('/profile');
  // A browser that nobody looks at allows no notifications.
  await shown(page.getByText('does not allow this page to show notifications'));
  await context.addInitScript('delete window.PushManager');
  await open('/profile');
  await shown(page.getByText('This browser cannot show news'));
  expect(await page.getByRole('form', { name: 'News on this device' }).count()).toBe(0);
});

test('the profile says when the library does not have it', async () => {
  const other = await openSite();
  const cid = await other.visit();
  await signUp(cid, 'Cid Calm');
  await cid.open('/profile');
  await shown(cid.page.getByText('This library does not send news to browsers.'));
});
