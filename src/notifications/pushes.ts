import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import { perProcess, type AppContext } from '../context/context.ts';
import type { News } from '../feature/news.ts';
import { claimPush, removeSubscription, subscriptionsOf, type StoredSubscription } from '../push/operations.ts';
import { sendPush } from '../push/sending.ts';
import { isSessionOpen } from '../sessions/liveness.ts';
import { isUnread } from './operations.ts';

/**
 * Pushes news to the browsers of its reader, at most once and after the answer: no call waits for a
 * push service or fails because of one. News that waits exists only in the memory of this process.
 * If the process dies, the news is among the notifications all the same.
 */

const WAITING_MAX = 1_000;
const AT_ONCE = 16;

const pushes = new Counter({
  name: 'push_messages_total',
  help: 'Push messages, by whether they were sent, their subscription had ended, they failed, or were dropped because too much news waited',
  labelNames: ['result'],
});

export const pusher = perProcess((app) => new Pusher(app));

class Pusher {
  readonly #app: AppContext;
  readonly #turns = pLimit(AT_ONCE);
  readonly #waiting = new Set<Promise<void>>();
  readonly #ending = new AbortController();

  constructor(app: AppContext) {
    this.#app = app;
  }

  /** Pushes some news soon, if pushing is set up. It never fails. */
  post(news: News): void {
    if (!this.#app.config.push) return;
    if (this.#waiting.size >= WAITING_MAX) {
      pushes.inc({ result: 'dropped' });
      return;
    }
    const pushing = this.#turns(() => this.#push(news)).finally(() => this.#waiting.delete(pushing));
    this.#waiting.add(pushing);
  }

  /** Waits for the news that was posted before. */
  async idle(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  /** Ends the pusher. News that waits is dropped, and requests to push services are given up. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.idle();
  }

  async #push(news: News): Promise<void> {
    if (this.#ending.signal.aborted) return;
    const { userId, kind } = news;
    try {
      const subscriptions = await subscriptionsOf(this.#app, userId);
      const isDue =
        subscriptions.length > 0 && (await isUnread(this.#app, news)) && (await claimPush(this.#app, userId, kind));
      if (isDue) await Promise.all(subscriptions.map((subscription) => this.#send(news, subscription)));
    } catch (error) {
      this.#fail(error);
    }
  }

  async #send({ userId, kind }: News, subscription: StoredSubscription): Promise<void> {
    const { sessionId } = subscription;
    try {
      const isOpen = await isSessionOpen(this.#app, { userId, sessionId }, this.#app.clock());
      const sent = isOpen ? await sendPush(this.#app, subscription, kind, this.#ending.signal) : 'ENDED';
      if (sent === 'ENDED') await removeSubscription(this.#app, userId, sessionId);
      pushes.inc({ result: sent.toLowerCase() });
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    pushes.inc({ result: 'failed' });
    // The error's message is not logged, because it may contain the endpoint.
    const { name, cause } = error as Error;
    const { code } = (cause ?? {}) as { code?: string };
    this.#app.logger.warn({ name, code }, 'news could not be pushed');
  }
}
