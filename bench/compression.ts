import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../src/terminal/progress.ts';
import { machine, makeReaders, measure, median, withBench, type Bench, type Measured, type Reader } from './bench.ts';
import { ask, prepared, send, type PreparedRequest } from './http.ts';
import { processorSecondsOf } from './processor.ts';

/**
 * `npm run bench -- compression`: compares the bytes of pages and the server's processor time,
 * plain and compressed. The codings take turns, and one server process answers over real HTTP.
 */

const ENCODINGS = ['identity', 'gzip', 'br'] as const;
type Encoding = (typeof ENCODINGS)[number];
const ROUNDS = 5;
const SECONDS = 4;
const AT_ONCE = 8;
const BOOKS = 1_000;
/** The number of likes on a page. */
const LIKES = 20;
/** The number of books in the reader's other lists. */
const LISTED = 6;

const CLIENT = join(import.meta.dirname, '../examples/web/src');
const MUTATIONS = {
  like: 'mutation ($id: ID!) { done: like(input: { id: $id }) { userErrors { message } } }',
  read: `mutation ($id: ID!) { done:
     setReadingStatus(input: { bookId: $id, status: READING }) { userErrors { message } } }`,
  view: 'mutation ($id: ID!) { done: recordView(input: { bookId: $id }) { userErrors { message } } }',
};

say(machine());
await withBench(
  1,
  async (bench) => {
    const [reader] = await makeReaders(bench.app, 1);
    if (!reader) throw new Error('There is no reader for the requests');
    const { url, process: server } = await bench.startServer();
    await makeLists(bench, url, reader);

    const home = await webClientQuery('pages/home.graphql');
    const likes = `query Likes($id: ID!) { node(id: $id) {
       ... on User { fullName likes(first: ${LIKES}) {
       edges { cursor likedAt node { ... on Book { ...BookCard } } } pageInfo { hasNextPage endCursor } } } } }
       ${await webClientQuery('components/book-card.graphql')}`;
    const { viewer } = await ask<{ viewer: { id: string } }>(url, reader.token, '{ viewer { id } }', {});
    const of = (query: string, variables: Record<string, unknown>) => (encoding: Encoding) =>
      prepared(url, reader.token, query, variables, encoding);
    await compare('the first page of a reader', server.pid ?? NaN, of(home, { isReader: true }));
    await compare(`a page of ${LIKES} likes`, server.pid ?? NaN, of(likes, { id: viewer.id }));
  },
  BOOKS,
);
process.exit(0);

/** Makes a reader like, read and view books. */
async function makeLists({ bookIds }: Bench, url: string, { token }: Reader): Promise<void> {
  const change = async (mutation: string, ids: readonly string[]) => {
    for (const id of ids) {
      const { done } = await ask<{ done: { userErrors: unknown[] } }>(url, token, mutation, { id });
      if (done.userErrors.length > 0) throw new Error(JSON.stringify(done.userErrors));
    }
  };
  await change(MUTATIONS.like, bookIds.slice(0, 2 * LIKES));
  await change(MUTATIONS.read, bookIds.slice(0, LISTED));
  await change(MUTATIONS.view, bookIds.slice(LISTED, 2 * LISTED));
}

/** Returns a query of the web client with the fragment that it uses. */
async function webClientQuery(file: string): Promise<string> {
  const card = 'components/book-card.graphql';
  const texts = await Promise.all([...new Set([file, card])].map((name) => readFile(join(CLIENT, name), 'utf8')));
  return texts.join('\n');
}

/** Requests a page in each coding in turns, and prints the medians of the rounds. */
async function compare(name: string, pid: number, requestFor: (encoding: Encoding) => PreparedRequest): Promise<void> {
  say(`${name}:`);
  const rounds = new Map<Encoding, (Measured & { processor: number })[]>(ENCODINGS.map((encoding) => [encoding, []]));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const encoding of ENCODINGS) {
      const request = requestFor(encoding);
      const before = processorSecondsOf(pid);
      const measured = await measure({ seconds: SECONDS, atOnce: AT_ONCE }, () => send(request));
      const processor = ((processorSecondsOf(pid) - before) * 1_000_000) / (measured.rate * SECONDS);
      if (round > 0) rounds.get(encoding)?.push({ ...measured, processor });
    }
  }
  for (const [encoding, measured] of rounds) {
    const { bytes, status } = await send(requestFor(encoding));
    if (status !== 200) throw new Error(`The page was answered ${status}`);
    const of = (figure: keyof Measured | 'processor', digits: number) =>
      median(measured.map((each) => each[figure])).toFixed(digits);
    say(
      `  ${encoding}: ${bytes} bytes, processor ${of('processor', 0)} µs, ${of('rate', 0)}/s, p99 ${of('p99', 1)} ms`,
    );
  }
}
