import { endOfTick, type Soon } from './soon.ts';

/** What was found by keys. Of what could not be found out there is the error. */
export type Batch<Row> = ReadonlyMap<string, Row | Error>;

/**
 * What one request loads by keys, each once: those that are asked for within one tick come together, and what has come is given at once.
 * DataLoader makes several promises for each key, which for a page that shows three things of twenty books took a third of its time.
 */
export class BatchLoader<Row> {
  readonly #read: (keys: readonly string[]) => Promise<Batch<Row>>;
  readonly #atHand: (key: string) => Row | undefined;
  readonly #known = new Map<string, Row | undefined>();
  /** Where those come that are being read. */
  readonly #coming = new Map<string, Promise<Batch<Row>>>();
  #next: { readonly keys: string[]; readonly coming: Promise<Batch<Row>> } | undefined;

  /**
   * @param read finds what each of the keys has; those that have nothing are missing
   * @param atHand what a key has, where that need not be read; `undefined` where it must
   */
  constructor(
    read: (keys: readonly string[]) => Promise<Batch<Row>>,
    atHand: (key: string) => Row | undefined = () => undefined,
  ) {
    this.#read = read;
    this.#atHand = atHand;
  }

  /**
   * What a key has; `undefined` where there is nothing.
   * @throws what it could not be found out for; the next one to ask tries again
   */
  load(key: string): Soon<Row | undefined> {
    if (this.#isKnown(key)) return this.#known.get(key);

    const coming = this.#coming.get(key) ?? this.#begin(key);
    return coming.then((found) => {
      const row = found.get(key);
      if (row instanceof Error) throw row;
      return row;
    });
  }

  /** Loads what is going to be asked for. That something could not be found out, whoever asks for it hears. */
  async ahead(keys: readonly string[]): Promise<void> {
    const coming = new Set<Promise<unknown>>();
    for (const key of keys) if (!this.#isKnown(key)) coming.add(this.#coming.get(key) ?? this.#begin(key));
    if (coming.size > 0) await Promise.allSettled(coming);
  }

  /** What a key has is found out anew by the next one to ask. */
  clear(key: string): void {
    this.#known.delete(key);
    this.#coming.delete(key);
  }

  /** Says what a key has, unless that is known. */
  prime(key: string, row: Row | undefined): void {
    if (!this.#known.has(key)) this.#known.set(key, row);
  }

  #isKnown(key: string): boolean {
    if (this.#known.has(key)) return true;
    const row = this.#coming.has(key) ? undefined : this.#atHand(key);
    if (row === undefined) return false;
    this.#known.set(key, row);
    return true;
  }

  #begin(key: string): Promise<Batch<Row>> {
    if (!this.#next) {
      const keys: string[] = [];
      this.#next = { keys, coming: this.#readNext(keys) };
    }
    const { keys, coming } = this.#next;
    keys.push(key);
    this.#coming.set(key, coming);
    return coming;
  }

  async #readNext(keys: readonly string[]): Promise<Batch<Row>> {
    await endOfTick();
    const coming = this.#next?.coming;
    this.#next = undefined;
    try {
      const found = await this.#read(keys);
      for (const key of keys) {
        const row = found.get(key);
        if (this.#coming.get(key) === coming && !(row instanceof Error)) this.prime(key, row);
      }
      return found;
    } finally {
      for (const key of keys) if (this.#coming.get(key) === coming) this.#coming.delete(key);
    }
  }
}
