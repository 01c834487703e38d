import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { SAMPLE } from '../tools/places.ts';
import { IMPORT_PATH } from '../src/http/import.ts';
import { quoted } from '../src/text/csv.ts';
import { say } from '../src/terminal/progress.ts';
import { machine, makeReaders, median, withBench } from './bench.ts';
import { ask } from './http.ts';

/**
 * `npm run bench -- imports`: measures the import of a reader's library of 5,000 lines. The results
 * are the time from sending the file until each line has its result, and the longest answer to
 * another reader meanwhile.
 */

const ROUNDS = 3;
const LINES = 5_000;
const LOOK_MS = 100;

interface Import {
  readonly node: Readonly<Record<'status' | 'lines' | 'matched' | 'ambiguous' | 'unlisted', number | string>>;
}

const LOOK = 'query ($id: ID!) { node(id: $id) { ... on LibraryImport { status lines matched ambiguous unlisted } } }';
const PAGE = '{ books(first: 20) { nodes { title likeCount } } }';

say(machine());
await withBench(1, async (bench) => {
  const file = await fileOfLines();
  const { url } = await bench.startServer();
  const readers = await makeReaders(bench.app, ROUNDS);
  const seconds: number[] = [];
  for (const { token } of readers) {
    const begun = performance.now();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
    const sending = fetch(new URL(IMPORT_PATH, url), { method: 'POST', headers, body: file });
    const sent = { isAnswered: false };
    void sending.finally(() => {
      sent.isAnswered = true;
    });
    const waits: number[] = [];
    while (!sent.isAnswered) waits.push(await timeOf(() => ask(url, token, PAGE, {})));
    const { id } = (await (await sending).json()) as { id: string };
    for (;;) {
      const { node } = await ask<Import>(url, token, LOOK, { id });
      waits.push(await timeOf(() => ask(url, token, PAGE, {})));
      if (node.status === 'DONE') {
        say(`${JSON.stringify(node)}; the longest page of books took ${Math.max(...waits).toFixed(0)} ms`);
        break;
      }
      await sleep(LOOK_MS);
    }
    seconds.push((performance.now() - begun) / 1_000);
  }
  const middle = median(seconds);
  say(
    `${LINES} lines: ${middle.toFixed(1)} s, ${(LINES / middle).toFixed(0)} lines a second; ` +
      `all rounds ${seconds.map((each) => each.toFixed(1)).join(', ')} s`,
  );
});
process.exit(0);

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/**
 * Makes a file in the format of Goodreads: a third by id, a third by ISBN, a third by title and
 * author.
 */
async function fileOfLines(): Promise<string> {
  const books = parse<Record<string, string>>(await readFile(SAMPLE), { columns: true, to: LINES });
  const lines = books.map(({ goodreads_book_id, isbn = '', title = '', authors = '' }, index) => {
    const [byId, byIsbn] = [index % 3 === 0, index % 3 === 1];
    const cells = {
      'Book Id': byId ? goodreads_book_id : '',
      Title: title,
      Author: authors.split(', ')[0],
      ISBN: byIsbn ? `="${isbn.padStart(10, '0')}"` : '=""',
      'My Rating': String(index % 6),
      'Date Read':
        index % 2 === 0 ? `20${String(10 + (index % 10))}/03/${String(1 + (index % 28)).padStart(2, '0')}` : '',
      'Date Added': '2010/01/01',
      Bookshelves: '',
      'Exclusive Shelf': index % 2 === 0 ? 'read' : 'to-read',
    };
    return Object.values(cells);
  });
  const header = [
    'Book Id',
    'Title',
    'Author',
    'ISBN',
    'My Rating',
    'Date Read',
    'Date Added',
    'Bookshelves',
    'Exclusive Shelf',
  ];
  return [header, ...lines].map((cells) => cells.map((cell = '') => quoted(cell)).join(',')).join('\n');
}
