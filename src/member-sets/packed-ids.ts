/** Ids of readers, packed into 16 characters each, and the search for many of them at once. */

/** The places of an id's bytes in its text, of two hexadecimal digits each. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;
/** The number of characters of a packed id, each of which is a byte. */
const CHARACTERS = PLACES.length;
/** The number of different hashes of an id; a power of two. */
const HASHES = 8_192;

/** Packs ids, which keep their order. A string takes less memory than a typed array. */
export const packed = (ids: readonly string[]): string =>
  Buffer.from(ids.join('').replaceAll('-', ''), 'hex').toString('latin1');

/** Ids that are searched for among packed ids. Most of these are passed over after one look. */
export class SoughtIds {
  readonly #ids: readonly string[];
  /** By hash, the number of the newest id with it, counted from 1; 0 if there is none. */
  readonly #newest = new Uint16Array(HASHES);
  /** By number, the number of the next older id with the same hash. */
  readonly #older: Uint16Array;

  /** @param ids at most 65,535, with small letters */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
    this.#older = new Uint16Array(ids.length + 1);
    for (const [index, id] of ids.entries()) {
      const hash = hashOf(byteAt(id, 0), byteAt(id, 1));
      this.#older[index + 1] = this.#newest[hash] ?? 0;
      this.#newest[hash] = index + 1;
    }
  }

  /** Returns the ids that are among packed ones, in the order of these. */
  among(members: string): string[] {
    const found: string[] = [];
    for (let at = 0; at < members.length; at += CHARACTERS) {
      let number = this.#newest[hashOf(members.charCodeAt(at), members.charCodeAt(at + 1))] ?? 0;
      for (; number > 0; number = this.#older[number] ?? 0) {
        const id = this.#ids[number - 1] ?? '';
        if (!isAt(id, members, at)) continue;
        found.push(id);
        break;
      }
    }
    return found;
  }
}

/** Ids are random, so two of their bytes are a hash. */
const hashOf = (first: number, second: number): number => (first + 256 * second) % HASHES;

/** The values of hexadecimal digits, by their character codes. */
const DIGITS = new Uint8Array(128);
for (const [value, digit] of [...'0123456789abcdef'].entries()) DIGITS[digit.charCodeAt(0)] = value;

/** Returns a byte of an id. */
function byteAt(id: string, byte: number): number {
  const place = PLACES[byte] ?? 0;
  return 16 * (DIGITS[id.charCodeAt(place)] ?? 0) + (DIGITS[id.charCodeAt(place + 1)] ?? 0);
}

function isAt(id: string, members: string, at: number): boolean {
  for (let byte = 0; byte < CHARACTERS; byte++)
    if (byteAt(id, byte) !== members.charCodeAt(at + byte)) return false;
  return true;
}
