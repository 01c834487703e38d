/** Ids of readers in little memory, and the search for those that two lists have in common. */

/** The number of bytes of an id. */
const ID_BYTES = 16;
/** The number of different hashes for each id, at least. */
const HASHES_PER_ID = 2;

/** Different ids in an order, packed into 26 bytes each at most. */
export class PackedIds {
  /** The number of the ids. */
  readonly length: number;
  /** The ids, a character for each byte. A string takes less memory than an array of any kind. */
  readonly #bytes: string;
  /** One less than the number of hashes, which is a power of two. */
  readonly #mask: number;
  /** By hash, the number of the last id with it, counted from 1; 0 if there is none. */
  readonly #last: Uint16Array;
  /** By number, the number of the id before it with the same hash. */
  readonly #before: Uint16Array;

  /** @param ids at most 16,384 */
  constructor(ids: readonly string[]) {
    this.length = ids.length;
    this.#bytes = Buffer.from(ids.join('').replaceAll('-', ''), 'hex').toString('latin1');
    this.#mask = 2 ** Math.ceil(Math.log2(HASHES_PER_ID * ids.length + 1)) - 1;
    this.#last = new Uint16Array(this.#mask + 1);
    this.#before = new Uint16Array(ids.length + 1);
    for (let number = 1; number <= ids.length; number++) {
      const hash = this.#hashOf(this, number);
      this.#before[number] = this.#last[hash] ?? 0;
      this.#last[hash] = number;
    }
  }

  /** The memory of the ids in bytes. */
  get bytes(): number {
    return this.#bytes.length + this.#last.byteLength + this.#before.byteLength;
  }

  /** Returns the place here and the place there of each id that other ids include as well. */
  placesIn(others: PackedIds): [here: number, there: number][] {
    if (others.length < this.length) return others.placesIn(this).map(([there, here]) => [here, there]);

    const places: [number, number][] = [];
    for (let number = 1; number <= this.length; number++) {
      const found = others.#numberOf(this, number);
      if (found > 0) places.push([number - 1, found - 1]);
    }
    return places;
  }

  /** Returns the number of an id of others, 0 if it is missing here. */
  #numberOf(others: PackedIds, theirs: number): number {
    let number = this.#last[this.#hashOf(others, theirs)] ?? 0;
    while (number > 0 && !this.#isSame(number, others, theirs)) number = this.#before[number] ?? 0;
    return number;
  }

  /** Ids are random, so two of their bytes are a hash. */
  #hashOf(others: PackedIds, theirs: number): number {
    const at = (theirs - 1) * ID_BYTES;
    return (others.#bytes.charCodeAt(at) + 256 * others.#bytes.charCodeAt(at + 1)) & this.#mask;
  }

  #isSame(number: number, others: PackedIds, theirs: number): boolean {
    const own = (number - 1) * ID_BYTES;
    const other = (theirs - 1) * ID_BYTES;
    for (let byte = ID_BYTES - 1; byte >= 0; byte--)
      if (this.#bytes.charCodeAt(own + byte) !== others.#bytes.charCodeAt(other + byte)) return false;
    return true;
  }
}
