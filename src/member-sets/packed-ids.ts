/** Ids of readers, packed into 16 characters each, and the search for many of them at once. */

/** The number of characters of a packed id, each of which is a byte of it. */
const CHARACTERS = 16;
/** The number of different hashes for each sought id, at least. */
const HASHES_PER_ID = 4;

/** Packs ids, which keep their order. A string takes less memory than an array of any kind. */
export const packed = (ids: readonly string[]): string =>
  Buffer.from(ids.join('').replaceAll('-', ''), 'hex').toString('latin1');

/** Returns the number of packed ids. */
export const numberOf = (ids: string): number => ids.length / CHARACTERS;

/** Unpacks ids, which keep their order. */
export const unpacked = (ids: string): string[] =>
  Array.from({ length: numberOf(ids) }, (_, index) => unpackedAt(ids, index * CHARACTERS));

/** Returns the packed id at a place, as it is everywhere else. */
function unpackedAt(ids: string, at: number): string {
  const digits = Buffer.from(ids.slice(at, at + CHARACTERS), 'latin1').toString('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Ids that are searched for among other ids. Most of these are passed over after one look. */
export class SoughtIds {
  readonly #ids: string;
  /** One less than the number of hashes, which is a power of two. */
  readonly #mask: number;
  /** By hash, the number of the newest id with it, counted from 1; 0 if there is none. */
  readonly #newest: Uint16Array;
  /** By number, the number of the next older id with the same hash. */
  readonly #older: Uint16Array;
  /** By number, the ids that were found already. */
  readonly #unpacked: string[] = [];

  /** @param ids packed ids, at most 16,384 */
  constructor(ids: string) {
    this.#ids = ids;
    const count = numberOf(ids);
    this.#mask = 2 ** Math.ceil(Math.log2(HASHES_PER_ID * count + 1)) - 1;
    this.#newest = new Uint16Array(this.#mask + 1);
    this.#older = new Uint16Array(count + 1);
    for (let number = 1; number <= count; number++) {
      const hash = this.#hashAt(ids, (number - 1) * CHARACTERS);
      this.#older[number] = this.#newest[hash] ?? 0;
      this.#newest[hash] = number;
    }
  }

  /** Returns the ids that are among packed ones, in the order of these. */
  among(others: string): string[] {
    const found: string[] = [];
    for (let at = 0; at < others.length; at += CHARACTERS) {
      let number = this.#newest[this.#hashAt(others, at)] ?? 0;
      while (number > 0 && !this.#isAt(number, others, at)) number = this.#older[number] ?? 0;
      if (number > 0) found.push((this.#unpacked[number] ??= unpackedAt(others, at)));
    }
    return found;
  }

  /** Ids are random, so two of their bytes are a hash. */
  #hashAt(ids: string, at: number): number {
    return (ids.charCodeAt(at) + 256 * ids.charCodeAt(at + 1)) & this.#mask;
  }

  #isAt(number: number, others: string, at: number): boolean {
    const own = (number - 1) * CHARACTERS;
    for (let byte = CHARACTERS - 1; byte >= 0; byte--)
      if (this.#ids.charCodeAt(own + byte) !== others.charCodeAt(at + byte)) return false;
    return true;
  }
}
