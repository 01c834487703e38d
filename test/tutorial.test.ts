import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ownKeyspace, startServerProcess, testEnvironment } from './support/app.ts';
import { Client } from './support/client.ts';

/** The server answers before all of its sample is there; the libraries come last. */
async function untilLibraries(client: Client): Promise<void> {
  const query = '{ libraries(country: "US", state: "WY", city: "Cody", first: 1) { edges { node { id } } } }';
  while ((await client.data(query)).libraries.edges.length === 0) await sleep(500);
}

test('the tutorial works when it is pasted', async () => {
  const tutorial = readFileSync(join(import.meta.dirname, '../docs/tutorial.md'), 'utf8');
  const script = [...tutorial.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('');
  const environment = testEnvironment({ SAMPLE_DATA: 'on' });
  await ownKeyspace(environment);
  const { url, stop } = await startServerProcess(environment);
  const pasted = script.replace('http://localhost:4000', url);
  expect(pasted).not.toBe(script);
  await untilLibraries(new Client(url));
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
    {
      data: {
        libraries: {
          edges: [
            { node: { name: 'Cooper-Siegel Community Library', openedOn: '2011-04-30' } },
            { node: { name: 'Whitehall Public Library', openedOn: '1963-05-05' } },
          ],
        },
      },
    },
    { data: { register: { accessToken: null, userErrors: [{ code: 'INVALID_EMAIL', path: ['input', 'email'] }] } } },
  ]);
});
