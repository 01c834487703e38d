import { say } from '../../src/terminal/progress.ts';
import { LIKE, makeReaders, measure, percentile, withBench } from '../bench.ts';
import { ask } from '../http.ts';
import { residentMebibytesOf } from '../processor.ts';

const MINUTES = 10;
const AT_ONCE = 32;

const PAGE = `query ($id: ID!) { node(id: $id) { ... on Book { title likeCount viewerHasLiked
  likers(first: 20) { edges { likedAt node { fullName } } } } } }`;

/** Measures the server's memory under a load of likes, unlikes and pages, for ten minutes. */
export async function benchMemory(): Promise<void> {
  await withBench(1, async (bench) => {
    const server = await bench.startServer();
    const readers = await makeReaders(bench.app, 2_000);
    const resident = () => residentMebibytesOf(server.process.pid ?? 0);
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)];
    const work = () => {
      const [{ token } = { token: '' }, id] = [pick(readers) ?? undefined, pick(bench.bookIds)];
      const query = pick([LIKE, LIKE, LIKE.replace('like(', 'unlike('), PAGE]) ?? PAGE;
      return ask(server.url, token, query, { id });
    };
    say(`before the load ${resident().toFixed(0)} MB`);
    for (let minute = 1; minute <= MINUTES; minute++) {
      const samples: number[] = [];
      const sampler = setInterval(() => samples.push(resident()), 1_000);
      const { rate } = await measure({ seconds: 60, atOnce: AT_ONCE }, work);
      clearInterval(sampler);
      say(
        `minute ${minute}: ${percentile(samples, 50).toFixed(0)} MB, ` +
          `at most ${Math.max(...samples).toFixed(0)} MB, at ${rate.toFixed(0)} requests/s`,
      );
    }
  });
}
