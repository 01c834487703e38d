import fc from 'fast-check';
import { beforeAll, afterEach, describe, expect, test, vi } from 'vitest';
import { dayIn, zoneNames } from '../src/time/zones.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';

/**
 * Luxon and ICU permanently keep data for each name of a time zone that they receive, so they
 * receive only names of a closed set.
 */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace());
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Spells a name in one of many ways: each letter in either case, as the bits of a number say. */
const spelled = (name: string, bits: bigint) =>
  Array.from(name, (letter, index) =>
    (bits >> BigInt(index)) & 1n ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('');

/** Records the names that `Intl` receives. */
function watchIntl(): Set<string> {
  const seen = new Set<string>();
  const real = Intl.DateTimeFormat;
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function watched(locale, options) {
    if (options?.timeZone !== undefined) seen.add(options.timeZone);
    return new real(locale, options);
  });
  return seen;
}

const NAME = 'America/Argentina/ComodRivadavia';
const aliased = (count: number, field: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `f${index}: ${field(index)}`).join(' ');

describe('a thousand spellings of a time zone', () => {
  test('are one zone to every library, for a signed-in caller', async () => {
    const reader = await server.client().registerSomebody();
    const seen = watchIntl();
    for (let round = 0; round < 20; round++) {
      const fields = aliased(
        50,
        (index) => `logins(timeZone: "${spelled(NAME, BigInt(round * 50 + index))}") { thisDay { succeeded } }`,
      );
      const { viewer } = await reader.data(`{ viewer { ${fields} } }`);
      expect(Object.keys(viewer)).toHaveLength(50);
    }
    expect([...seen].filter((name) => name.toLowerCase() === NAME.toLowerCase()).length).toBeLessThanOrEqual(1);
    expect(seen.size).toBeLessThanOrEqual(2);
  });

  test('are one zone to every library, for a signed-out caller', async () => {
    const reader = await server.client().registerSomebody();
    const [bookId] = await ownBooks(server.app, 1);
    await reader.mutate('markAsRead', { bookId }, 'book { id }');
    const seen = watchIntl();
    for (let round = 0; round < 20; round++) {
      const fields = aliased(50, (index) => `readOn(timeZone: "${spelled(NAME, BigInt(round * 50 + index))}")`);
      const query = `{ node(id: "${reader.viewerId}") { ... on User { readBooks(first: 10) { edges { ${fields} } } } } }`;
      const { node } = await reader.data(query);
      expect(new Set(Object.values(node.readBooks.edges[0] as object)).size).toBe(1);
    }
    expect(seen.size).toBeLessThanOrEqual(2);
  });

  test('that are no zones do not reach the libraries', async () => {
    const reader = await server.client().registerSomebody();
    const seen = watchIntl();
    const wrong = ['+02:00', '-23:59', 'Etc/GMT+99', 'posixrules', 'Factory', '__proto__', 'constructor', 'İstanbul'];
    const query = 'query ($timeZone: String!) { viewer { logins(timeZone: $timeZone) { thisDay { failed } } } }';
    for (const timeZone of wrong) expect(await reader.errorCode(query, { timeZone }), timeZone).toBe('BAD_USER_INPUT');
    expect([...seen]).toEqual([]);
  });
});

test('every name of the tz database is a zone, in any spelling', () => {
  const at = new Date('2026-07-01T09:30:00Z');
  for (const name of zoneNames) expect(dayIn(at, name), name).toMatch(/^2026-0[67]-\d\d$/);
  expect(zoneNames).toEqual(
    expect.arrayContaining(['Asia/Calcutta', 'Asia/Kolkata', 'US/Eastern', 'UTC', 'GMT', 'EST']),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...zoneNames),
      fc.bigInt({ min: 0n, max: 2n ** 40n }),
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
      (name, bits, moment) => {
        expect(dayIn(moment, spelled(name, bits))).toBe(dayIn(moment, name));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a field that takes a time zone costs more than one that does not', async () => {
  const reader = await server.client().registerSomebody();
  const asked = (field: string) => `{ viewer { readBooks(first: 100) { edges { ${aliased(11, () => field)} } } } }`;
  const { errors } = await reader.send(asked('readOn(timeZone: "UTC")'));
  expect(errors?.[0]?.message).toMatch(/^This query may ask for 11\d{3} fields/);
  await reader.data(asked('readAt'));
});
