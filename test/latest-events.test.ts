import { expect, test } from 'vitest';
import { LatestEvents } from '../src/live/latest-events.ts';

/** The events of a subscriber who takes them at their own pace. */

test('a subscriber gets the newest state in one event, however many changes were before', async () => {
  let state = 0;
  const events = new LatestEvents(
    () => Promise.resolve(state),
    () => undefined,
  );
  for (state = 1; state < 1_000; state++) events.mark();
  expect(await events.next()).toEqual({ value: 1_000, done: false });
  const next = events.next();
  state = 1_001;
  events.mark();
  expect(await next).toEqual({ value: 1_001, done: false });
});

test('a subscriber gets no event if nothing has changed after all', async () => {
  const states = [undefined, undefined, 'changed'];
  const events = new LatestEvents(
    () => Promise.resolve(states.shift()),
    () => undefined,
  );
  const next = events.next();
  for (let times = 0; times < 3; times++) {
    events.mark();
    await new Promise(setImmediate);
  }
  expect(await next).toEqual({ value: 'changed', done: false });
});

test('the end releases a subscriber who waits, once', async () => {
  let ends = 0;
  const events = new LatestEvents(
    () => Promise.resolve('never'),
    () => ends++,
  );
  const next = events.next();
  await events.return();
  await events.return();
  expect([await next, await events.next(), ends]).toEqual([
    { value: undefined, done: true },
    { value: undefined, done: true },
    1,
  ]);
});
