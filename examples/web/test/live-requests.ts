import type { BrowserContext } from 'playwright-core';

/** The requests of what moves by itself: for its script, and for streams. */
const LIVE_REQUESTS = ['**/assets/live-*.js', '**/graphql?stream'];

/** Leaves out what moves by itself in the pages of a browser: its streams never end. */
export async function withoutLive({ context }: { readonly context: BrowserContext }): Promise<void> {
  for (const part of LIVE_REQUESTS) await context.route(part, (route) => route.abort());
}
