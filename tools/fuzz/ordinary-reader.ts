import { setTimeout as sleep } from 'node:timers/promises';
import { Client, PAGE_INFO, PASSWORD } from '../support/client.ts';
import type { Chance } from '../support/chance.ts';
import { uploadOf } from './files.ts';

/**
 * A reader who likes and pages while others attack, and who sometimes imports and exports. Every
 * answer is checked: an answered like must occur exactly once on the pages of likes.
 */
export class OrdinaryReader {
  /** The answers that were wrong. */
  readonly problems: string[] = [];
  /** The times until likes were answered, refusals included. */
  readonly times: number[] = [];
  likes = 0;
  pages = 0;
  refused = 0;
  /** The number of requests with an unknown outcome. */
  timeouts = 0;
  /** The longest time for which imports and exports were refused, in seconds. */
  readonly keptOut = { import: 0, export: 0 };
  readonly #reader: Client;
  readonly #books: readonly string[];
  readonly #chance: Chance;
  readonly #liked = new Set<string>();
  readonly #isOver: () => boolean;

  constructor(reader: Client, books: readonly string[], chance: Chance, isOver: () => boolean) {
    this.#reader = reader;
    this.#books = books;
    this.#chance = chance;
    this.#isOver = isOver;
  }

  /** Runs until the run is over. */
  async run(): Promise<void> {
    await Promise.all([this.#likeAndPage(), this.#passDoor('import'), this.#passDoor('export')]);
  }

  async #likeAndPage(): Promise<void> {
    for (let round = 0; !this.#isOver(); round++) {
      const id = this.#chance.pick(this.#books);
      const isLiked = this.#liked.has(id);
      const begun = performance.now();
      await this.#untilAnswered(isLiked ? 'unlike' : 'like', id);
      this.times.push(performance.now() - begun);
      if (isLiked) this.#liked.delete(id);
      else this.#liked.add(id);
      this.likes++;
      if (round % LIKES_PER_LOOK === 0) await this.#look();
      await sleep(LIKE_EVERY_MS);
    }
    await this.#look();
  }

  /** Changes a like, and repeats that while it is refused or its outcome is unknown. */
  async #untilAnswered(change: 'like' | 'unlike', id: string): Promise<void> {
    const [name, type] = [change, change === 'like' ? 'LikeInput!' : 'UnlikeInput!'];
    const query = `mutation ($input: ${type}) {
      ${name}(input: $input) { likeable { viewerHasLiked } userErrors { code } }
    }`;
    const data = (await this.#ask(query, { input: { id } })) as Record<
      string,
      { readonly likeable: { readonly viewerHasLiked: boolean } | null; readonly userErrors: readonly unknown[] }
    >;
    const answer = data[name];
    if (answer?.likeable?.viewerHasLiked !== (change === 'like'))
      this.problems.push(`${change} was answered with ${JSON.stringify(answer)}`);
  }

  /** Reads all pages of likes, and a page of books. */
  async #look(): Promise<void> {
    const found: string[] = await this.#reader
      .allPages(PAGE_SIZE, 'forward', async (args) => {
        this.pages++;
        const data = (await this.#ask(
          `{ viewer { likes(${args}) { edges { cursor node { id } } ${PAGE_INFO} } } }`,
        )) as {
          readonly viewer: { readonly likes: unknown };
        };
        return data.viewer.likes;
      })
      .then((edges) => edges.map(({ node }: { readonly node: { readonly id: string } }) => node.id));
    const missing = [...this.#liked].filter((id) => !found.includes(id));
    const more = found.filter((id, index) => !this.#liked.has(id) || found.indexOf(id) !== index);
    if (missing.length > 0 || more.length > 0)
      this.problems.push(`of ${this.#liked.size} likes ${missing.length} are missing, and ${more.length} are too many`);
    const page = (await this.#ask('{ books(first: 50) { nodes { id } pageInfo { hasNextPage } } }')) as {
      readonly books: { readonly nodes: readonly unknown[] };
    };
    if (page.books.nodes.length !== 50) this.problems.push(`a page of 50 books has ${page.books.nodes.length}`);
  }

  /** Repeats a request until its answer is not a refusal. */
  async #ask(query: string, variables: Record<string, unknown> = {}): Promise<unknown> {
    for (;;) {
      const answer = await this.#reader.send(query, variables);
      const { errors } = answer;
      if (!errors) return answer.data as unknown;
      const code = errors[0]?.extensions.code ?? '';
      if (!['OVERLOADED', 'RATE_LIMITED', 'TIMEOUT'].includes(code))
        throw new Error(`the ordinary reader was answered with ${JSON.stringify(errors)}`);
      if (code === 'TIMEOUT') this.timeouts++;
      else this.refused++;
      await sleep(REFUSED_MS);
    }
  }

  /** Returns another reader; `undefined` if the run ends before one could register. */
  async #another(): Promise<Client | undefined> {
    while (!this.#isOver()) {
      const reader = await new Client(this.#reader.url)
        .from('10.9.9.9')
        .registerSomebody()
        .catch(() => undefined);
      if (reader) return reader;
      this.refused++;
      await sleep(REFUSED_MS);
    }
    return undefined;
  }

  /** Imports or exports as a new reader, and again later. */
  async #passDoor(door: 'import' | 'export'): Promise<void> {
    while (!this.#isOver()) {
      const reader = await this.#another();
      if (!reader) return;
      const begun = performance.now();
      const { body } = uploadOf(this.#chance, 0.001, 'honest');
      for (;;) {
        const answer = await (door === 'import'
          ? reader.importMyLibrary(body)
          : reader.exportMyData({ password: PASSWORD, format: 'GOODREADS' }));
        const text = await answer.text();
        this.keptOut[door] = Math.max(this.keptOut[door], (performance.now() - begun) / 1_000);
        if (answer.status === 200) break;
        if (answer.status !== 503) this.problems.push(`${door}: ${answer.status} ${text.slice(0, 200)}`);
        if (answer.status !== 503 || this.#isOver()) break;
        await sleep(REFUSED_MS);
      }
      await sleep(DOOR_EVERY_MS);
    }
  }
}

const LIKES_PER_LOOK = 20;
const LIKE_EVERY_MS = 100;
const PAGE_SIZE = 20;
const REFUSED_MS = 500;
const DOOR_EVERY_MS = 15_000;
