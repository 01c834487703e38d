import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { above, between, POSITION_LENGTH_MAX } from '../src/lists/positions.ts';

/** Positions in lists that readers order by hand. */

const PLACES_MAX = 1_000;

/**
 * An ordered list of texts with their positions, which moves texts in the same way as lists of
 * books.
 */
class ModelList {
  readonly entries: { readonly name: string; position: string }[] = [];
  rebalanced = 0;

  /** Inserts an entry at an index, from 0. */
  put(name: string, place: number): void {
    const former = this.entries.findIndex((entry) => entry.name === name);
    if (former !== -1) this.entries.splice(former, 1);
    const index = Math.min(place, this.entries.length);
    let position = this.#positionAt(index);
    if (position.length > POSITION_LENGTH_MAX) {
      this.#makeRoom(index);
      position = this.#positionAt(index);
    }
    this.entries.splice(index, 0, { name, position });
  }

  #positionAt(index: number): string {
    return between(this.entries[index - 1]?.position, this.entries[index]?.position);
  }

  #makeRoom(index: number): void {
    this.rebalanced++;
    const last = this.entries.at(-1)!.position;
    for (const [places, entry] of this.entries.slice(index).toReversed().entries()) {
      entry.position = above(last, places, PLACES_MAX);
      this.check();
    }
  }

  /** Checks that the positions are in the order of the entries, and not too long. */
  check(): void {
    const positions = this.entries.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted());
    expect(new Set(positions).size).toBe(positions.length);
    expect(Math.max(...positions.map(({ length }) => length))).toBeLessThanOrEqual(POSITION_LENGTH_MAX);
  }
}

describe('positions', () => {
  test('are in the order of the entries after any moves, and never too long', () => {
    const move = fc.record({ name: fc.nat({ max: 12 }).map(String), place: fc.nat({ max: 12 }) });
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 300 }), (moves) => {
        const list = new ModelList();
        for (const { name, place } of moves) list.put(name, place);
        list.check();
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['after the first entry', () => 1],
    ['before the last entry', ({ entries }: ModelList) => entries.length - 1],
    ['between two others, closer and closer', ({ entries }: ModelList) => Math.floor(entries.length / 2)],
  ])('stay short when every entry is put %s', (_where, placeIn) => {
    const list = new ModelList();
    for (let index = 0; index < PLACES_MAX; index++) {
      list.put(String(index), placeIn(list));
      if (index % 50 === 0) list.check();
    }
    list.check();
    expect(list.rebalanced).toBeGreaterThan(0);
    expect(list.rebalanced).toBeLessThan(20);
  });

  test.each([
    ['at the end', () => PLACES_MAX],
    ['at the beginning', () => 0],
  ])('are short for ever when every entry is put %s', (_where, placeIn) => {
    const list = new ModelList();
    for (let index = 0; index < PLACES_MAX; index++) list.put(String(index), placeIn());
    list.check();
    expect(list.rebalanced).toBe(0);
    expect(new Set(list.entries.map(({ position }) => position.length))).toEqual(new Set([8]));
  });

  test('are between any two others', () => {
    const positions = fc.uniqueArray(
      fc.tuple(
        fc.constantFrom('V0000000', 'V0000001', 'Uzzzzzzz', 'A0000000'),
        fc.stringMatching(/^([0-9A-Za-z]{0,6}[1-9A-Za-z])?$/),
      ),
      { minLength: 2, maxLength: 2, selector: (parts) => parts.join('') },
    );
    fc.assert(
      fc.property(positions, (two) => {
        const [low = '', high = ''] = two.map((parts) => parts.join('')).toSorted();
        const found = between(low, high);
        expect(low < found && found < high).toBe(true);
        expect(found).toMatch(/^[0-9A-Za-z]{8}([0-9A-Za-z]*[1-9A-Za-z])?$/);
        expect(between(undefined, low) < low && between(high, undefined) > high).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
