import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testEnvironment, testKeyspace } from './support/app.ts';
import { startProcess } from './support/process.ts';

test('the walk through of the README works when it is pasted', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const script = /## A walk through[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const environment = testEnvironment({ SAMPLE_DATA: 'on' });
  await testKeyspace(environment);
  const { url, printed, stop } = await startProcess(environment);
  while (!/imported 9224 of 9225 libraries/.test(printed())) await sleep(50);
  const pasted = script.replace('http://localhost:4000', url);
  expect(pasted).not.toBe(script);
  const { stdout } = await promisify(execFile)('bash', ['-c', pasted]);
  await stop();
  const answers = stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(answers).toMatchObject([
    {
      data: { book: { title: 'The Hunger Games (The Hunger Games, #1)', authors: ['Suzanne Collins'], likeCount: 0 } },
    },
    { data: { viewer: { sessions: { edges: [{ node: { isCurrent: true } }] }, loginCount: 1 } } },
    { data: { like: { changed: true, likeable: { likeCount: 1, viewerHasLiked: true }, userErrors: [] } } },
    {
      data: {
        book: { likeTally: { count: 1, isExact: true }, likers: { edges: [{ node: { fullName: 'Ann Lee' } }] } },
      },
    },
    { data: { markAsRead: { book: { title: 'The Hunger Games (The Hunger Games, #1)' }, userErrors: [] } } },
    {
      data: {
        viewer: {
          fullName: 'Ann Lee',
          readBooks: { edges: [{ node: { title: 'The Hunger Games (The Hunger Games, #1)' } }] },
          actions: {
            edges: [{ node: { kind: 'READ' } }, { node: { kind: 'LIKED' } }, { node: { kind: 'REGISTERED' } }],
          },
        },
      },
    },
    { data: { books: { edges: [{ node: { title: 'The Hunger Games (The Hunger Games, #1)' } }] } } },
    { data: { listItem: { item: { status: 'FOR_SALE' }, userErrors: [] } } },
    {
      data: {
        viewer: {
          listings: {
            edges: [
              {
                node: { title: 'The Hunger Games (The Hunger Games, #1)', price: { amount: '4.50', currency: 'EUR' } },
              },
            ],
          },
        },
      },
    },
    { data: { libraries: { edges: [{ node: { city: expect.stringMatching(/salem/i), state: 'Oregon' } }] } } },
    { data: { register: { viewer: null, userErrors: [{ code: 'INVALID_EMAIL', path: ['input', 'email'] }] } } },
  ]);
});
