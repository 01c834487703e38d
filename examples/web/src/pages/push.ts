import type { AddPushSubscriptionInput } from '../documents.generated.ts';

/** The push subscription of this browser, with the service worker that shows the messages. */

const WORKER = `${import.meta.env.BASE_URL}push.js`;

const REFUSED = 'Your browser does not allow this page to show notifications. Allow it in the settings of the browser.';
const FAILED = 'Your browser could not reach its push service. Try again later.';

/**
 * Returns why this browser cannot show news while the library is closed; undefined if it can.
 * @param publicKey the server's key; undefined if it pushes no news
 */
export function whyUnpushable(publicKey: string | undefined): string | undefined {
  if (publicKey === undefined) return 'This library does not send news to browsers.';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'This browser cannot show news while the library is closed. On a phone, add the library to the home screen.';
  return Notification.permission === 'denied' ? REFUSED : undefined;
}

/**
 * Subscribes this browser anew, so that a former reader's subscription ends.
 * @throws Error with the reason for the reader
 */
export async function subscribe(applicationServerKey: string): Promise<AddPushSubscriptionInput> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(REFUSED);
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch(() => {
    throw new Error(FAILED);
  });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  return { endpoint, p256dh, auth };
}

/** Ends the subscription of this browser, if there is one. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
