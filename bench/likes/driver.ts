import { say } from '../../src/terminal/progress.ts';
import { likeBySameStatements } from '../api/same-statements.ts';
import { inTurns, LIKE, likeableIdOf, makeReaders, measure, withBench, type Bench, type Reader } from '../bench.ts';
import { ask } from '../http.ts';

const SECONDS = 6;
const ROUNDS = 3;
const READERS = 2_000;
const AT_ONCE = [16, 64];

/**
 * Compares `like` through HTTP and GraphQL with the bare driver that sends the same statements with
 * the same values.
 */
export const benchDriver = (nodes: 1 | 3) => () =>
  withBench(nodes, async (bench) => {
    const { url } = await bench.startServer();
    const readers = await makeReaders(bench.app, READERS);
    const next = pairs(bench, readers);
    const like = () => {
      const { reader, id } = next();
      return ask(url, reader.token, LIKE, { id });
    };
    const bare = () => {
      const { reader, id } = next();
      return likeBySameStatements(bench.app.cassandra.client, reader.userId, likeableIdOf(id).replace('Book:', ''));
    };
    // Three cold JVMs on few cores take a long time to warm up.
    for (const work of [like, bare]) await measure({ seconds: 15 * nodes, atOnce: 32 }, work);
    for (const atOnce of AT_ONCE) {
      const measured = await inTurns(ROUNDS, {
        like: () => measure({ seconds: SECONDS, atOnce }, like),
        'bare driver': () => measure({ seconds: SECONDS, atOnce }, bare),
      });
      const ratio = measured.like.rate / measured['bare driver'].rate;
      say(
        `${nodes} node${nodes > 1 ? 's' : ''}, ${atOnce} at once: ` +
          `like ${measured.like.rate.toFixed(0)}/s, ${ratio.toFixed(2)} × the bare driver`,
      );
    }
  });

/**
 * Yields every pair of a reader and a book once: nobody likes a likeable twice, and no likeable is
 * hot.
 */
function pairs({ bookIds }: Bench, readers: readonly Reader[]) {
  let count = 0;
  return (): { reader: Reader; id: string } => {
    const reader = readers[count % readers.length];
    const id = bookIds[(count * 7 + Math.floor(count / readers.length)) % bookIds.length];
    count++;
    if (!reader || id === undefined) throw new Error('there are no readers or books');
    return { reader, id };
  };
}
