import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { inBatches } from '../src/cassandra/batches.ts';
import { batch, bind } from '../src/cassandra/statement.ts';
import { createServer } from '../src/http/server.ts';
import { likedItems } from '../src/likes/tables.ts';
import { sharedKeyspace, startServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

/** The statements of a page of the feed. */

const HIDDEN = 900;

test('a long row of entries that the viewer may not see costs reads of the list that it is in', async () => {
  const { app } = await startServer(await sharedKeyspace());
  const [book = ''] = await ownBooks(app, 1);
  const tables: string[] = [];
  const cassandra = intercepted(app.cassandra, ({ cql, send }) => {
    tables.push(/FROM (\w+)/.exec(cql)?.[1] ?? '');
    return send();
  });
  const server = await createServer({ ...app, cassandra });
  onTestFinished(() => server.close());
  const client = new Client(await server.listen({ host: '127.0.0.1', port: 0 }));

  const viewer = await client.registerSomebody();
  const [reader, other] = [0, 1].map(() => new Client(client.url));
  for (const followed of [reader, other]) {
    await followed?.registerSomebody();
    await viewer.mutate('follow', { id: followed?.viewerId }, 'changed');
    await followed?.mutate('writeReview', { bookId: book, text: 'Good', hasSpoilers: false }, '__typename');
  }
  const now = app.clock();
  const likes = Array.from({ length: HIDDEN }, (_, index) =>
    bind(likedItems.insert, {
      user_id: keyOf(reader?.viewerId ?? ''),
      year: now.getUTCFullYear(),
      liked_at: new Date(now.getTime() + index),
      likeable_id: `Review:${randomUUID()}.1`,
      title: '',
      authors: [],
      version: 1n,
    }),
  );
  for (const part of inBatches(likes, ({ label }) => label)) await batch(app.cassandra, part);

  tables.length = 0;
  const { feed } = await viewer.data('{ feed(first: 20) { nodes { kind } } }');
  expect(feed.nodes).toEqual([{ kind: 'REVIEWED' }, { kind: 'REVIEWED' }]);
  const timesOf = (name: string) => tables.filter((table) => table === name).length;
  expect(timesOf('feed_reviews_by_user')).toBe(1);
  // 21 likes are read at first, then 63, 189 and 200 at a time.
  expect(timesOf('item_by_user')).toBeLessThan(4 + HIDDEN / 200);
});
