// The service worker that shows news while the library is closed. A message says only what kind of
// news there is. The page of news, which it opens, says what is still true.

const NEWS = new URL('notifications', self.registration.scope).href;
const SENTENCES = {
  FOLLOWED: 'You have a new follower.',
  REVIEW_LIKED: 'Somebody likes your review.',
  LIST_LIKED: 'Somebody likes your list.',
  IMPORT_ENDED: 'The import of your library has ended.',
};

/** Returns the kind of news that a message is about; undefined if it is of a later release. */
function kindOf(data) {
  try {
    return data.json().kind;
  } catch {
    return undefined;
  }
}

self.addEventListener('push', (event) => {
  const kind = kindOf(event.data);
  const body = SENTENCES[kind] ?? 'There is news for you.';
  // A message replaces an earlier one of its kind.
  event.waitUntil(self.registration.showNotification('Library', { body, tag: kind }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openNews());
});

async function openNews() {
  const windows = await self.clients.matchAll({ type: 'window' });
  const open = windows.find(({ url }) => url === NEWS);
  return open ? open.focus() : self.clients.openWindow(NEWS);
}
