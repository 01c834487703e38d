import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import pLimit, { type LimitFunction } from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportOptions } from '../src/bulk-import/operations.ts';
import { importLibraries } from '../src/libraries/import.ts';
import { SAMPLE_LIBRARIES } from '../tools/places.ts';
import { startServer, ownKeyspace, type TestServer } from './support/app.ts';
import { PAGE_INFO } from './support/client.ts';
import { IS_FULL, runs } from './support/full.ts';
import { jsonRows } from '../tools/support/patience.ts';

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  folder = await mkdtemp(join(tmpdir(), 'libraries-'));
});
afterAll(() => rm(folder, { recursive: true }));

const HEADER = 'State,Library ID,Library Name,Street Address,City,Zip Code,Longitude,Latitude,Opened On\n';

async function importRows(name: string, rows: string[], header = HEADER, options: ImportOptions = {}) {
  const file = join(folder, name);
  await writeFile(file, header + rows.join('\n'));
  const figures = await importLibraries(server.app, file, { ...options, rejectsFile: `${file}.rejects` });
  const rejects = parse<Record<string, string>>(await readFile(`${file}.rejects`), { columns: true });
  return { figures, reasons: rejects.map(({ line, reason }) => `${line}: ${reason}`) };
}

const FIELDS = 'name address postalCode city state country longitude latitude openedOn';
const libraries =
  (country: string | null, state: string | null, city: string, orderBy = 'NAME') =>
  (args: string) =>
    server
      .client()
      .data(
        `query ($country: String, $state: String, $city: String!) { libraries(country: $country, state: $state, city: $city, orderBy: ${orderBy} ${args}) { edges { cursor node { id ${FIELDS} } } ${PAGE_INFO} } }`,
        { country, state, city },
      )
      .then((data) => data.libraries);
const namesIn = async (
  country: string | null,
  state: string | null,
  city: string,
  orderBy?: string,
): Promise<string[]> =>
  (await libraries(country, state, city, orderBy)('first: 100')).edges.map(
    (edge: { node: { name: string } }) => edge.node.name,
  );

const OPENINGS = join(import.meta.dirname, '../data/openings.csv');

interface StoredLibrary {
  readonly library_id: string;
  readonly opened_on: string | null;
}

/** Reads every row of a table of libraries, in a fixed order. */
async function rowsOf(table: string): Promise<string[]> {
  return (await jsonRows(server.app.cassandra.client, table)).toSorted();
}

describe('the sample libraries', () => {
  /** The sample's rows without the column of openings; in a short test those of two states. */
  let undated: StoredLibrary[];

  const stored = async () => (await rowsOf('libraries_by_id')).map((row) => JSON.parse(row) as StoredLibrary);

  beforeAll(async () => {
    const header = /^(.*),Opened On\n/;
    const sample = await readFile(SAMPLE_LIBRARIES, 'utf8');
    expect(sample).toMatch(header);
    const file = join(folder, 'undated.csv');
    const lines = sample.replaceAll(/,[^,\n]*\n/g, '\n').split('\n');
    const kept = lines.filter((line) => IS_FULL || /^(?:State|PA|WY),/.test(line));
    await writeFile(file, kept.join('\n'));
    /** The last row is the refused one. */
    const figuresOf = (rows: number) => {
      const leftOut = [{ reason: 'City is empty', count: 1, lines: [rows + 1] }];
      return { rows, imported: rows - 1, rejected: 1, leftOut };
    };
    expect(await importLibraries(server.app, file)).toEqual(figuresOf(kept.filter((line) => line !== '').length - 1));
    undated = await stored();
    const rejects = join(folder, 'sample.rejects');
    const figures = await importLibraries(server.app, SAMPLE_LIBRARIES, { rejectsFile: rejects });
    expect(figures).toEqual(figuresOf(9_225));
    expect(await readFile(rejects, 'utf8')).toMatch(/"9226","City is empty","WY,WY0006/);
  });

  test('are found by their place in any spelling, with its usual name', async () => {
    const [anchorage] = (await libraries('US', 'AK', 'anchorage')('first: 1')).edges;
    const { id, ...fields } = anchorage.node;
    expect(fields).toEqual({
      name: 'Anchorage Public Library',
      address: '3600 Denali Street',
      postalCode: '99503',
      city: 'Anchorage',
      state: 'Alaska',
      country: 'United States',
      longitude: -149.876781,
      latitude: 61.187677,
      openedOn: null,
    });
    const { node } = await server
      .client()
      .data(`query ($id: ID!) { node(id: $id) { id ... on Library { ${FIELDS} } } }`, { id });
    expect(node).toEqual(anchorage.node);
    for (const country of ['US', 'usa', 'United States', 'u.s.a.', 'UNITED STATES OF AMERICA'])
      for (const state of ['AK', 'ak', 'Alaska', 'alaská'])
        expect(await namesIn(country, state, ' ANCHORÂGE '), `${country} ${state}`).toEqual([
          'Anchorage Public Library',
        ]);
    const stLouis = await namesIn('US', 'MO', 'Saint Louis');
    expect(stLouis.length).toBeGreaterThan(0);
    expect(await namesIn('US', 'Missouri', 'st louis')).toEqual(stLouis);
    // A remark behind the city in the file is not part of it.
    expect(await namesIn('US', 'TN', 'Memphis')).toContain('Memphis Public Library and Information Center');
  });

  test('are found only by the city, in all states, by name', async () => {
    const inStates = await Promise.all(
      ['CT', 'IA', 'IL', 'IN', 'MA', 'MO', 'NH', 'NJ', 'NY', 'OH', 'OR', 'UT', 'VA', 'WI'].map((state) =>
        namesIn('US', state, 'Salem'),
      ),
    );
    const all = await namesIn('US', null, 'Salem');
    expect(all.length).toBeGreaterThan(8);
    expect(all.toSorted()).toEqual(inStates.flat().toSorted());
    expect(await namesIn(null, null, 'salem')).toEqual(all);
    const edges = await server.client().allPages(3, 'backward', libraries(null, null, 'Salem', 'OPENED_DESC'));
    expect(edges.map(({ node }) => node.name).toSorted()).toEqual(all.toSorted());
    expect(await namesIn('Canada', null, 'Salem')).toEqual([]);
  });

  test.each([
    ['IL', "O'Fallon"],
    ['TX', 'McAllen'],
    ['ID', "Coeur d'Alene"],
    ['MI', "L'Anse"],
    ['ME', "Swan's Island"],
    ['WI', 'Fond du Lac'],
    ['NJ', 'Avon-by-the-Sea'],
    ['NJ', 'Ho-Ho-Kus'],
    ['NC', 'Winston-Salem'],
  ])('of %s are in %s, as people write it', async (state, city) => {
    const [first] = (await libraries('US', state, city)('first: 1')).edges;
    expect(first.node.city).toBe(city);
  });

  test('imported with the column of openings equal those imported without it, except for the known days', async () => {
    const known = parse<Record<'Library ID' | 'Opened On' | 'What' | 'Source', string>>(await readFile(OPENINGS), {
      columns: true,
    });
    for (const { What, Source } of known) {
      expect(What).toMatch(/^(?:library|building) (?:opened|dedicated)$/);
      expect(Source).toMatch(/^https?:\/\/\S+$/);
    }
    const days = new Map(known.map((row) => [`US-${row['Library ID']}`, row['Opened On']]));
    expect(days.size).toBe(known.length);
    const all = await stored();
    expect(all).toHaveLength(9_224);
    for (const { library_id, opened_on } of all) expect(opened_on, library_id).toBe(days.get(library_id) ?? null);
    expect(undated.length).toBeGreaterThan(400);
    expect(undated.filter((library) => library.opened_on !== null)).toEqual([]);
    const before = new Set(undated.map((library) => library.library_id));
    expect(all.filter((library) => before.has(library.library_id))).toEqual(
      undated.map((library) => ({ ...library, opened_on: days.get(library.library_id) ?? null })),
    );
    // Each library is in the lists of its state, its country and the world.
    expect(await rowsOf('libraries_by_city')).toHaveLength(3 * 9_224);
    expect(await rowsOf('libraries_by_city_opened')).toHaveLength(3 * 9_224);
  });

  test('of a city are sorted by name, each once, in pages of every size, from either end', async () => {
    const all = await namesIn('US', 'PA', 'Pittsburgh');
    expect(all).toHaveLength(16);
    expect(all).toEqual(all.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
    const dated = [
      'Carnegie Library of Pittsburgh',
      'Mount Lebanon Public Library',
      'Whitehall Public Library',
      'Cooper-Siegel Community Library',
    ];
    const others = all.filter((name) => !dated.includes(name));
    const orders = {
      NAME: all,
      OPENED: [...dated, ...others],
      OPENED_DESC: [...dated.toReversed(), ...others],
    };
    for (const size of [1, 3, 16, 17])
      for (const direction of ['forward', 'backward'] as const)
        for (const [order, expected] of Object.entries(orders)) {
          const edges = await server.client().allPages(size, direction, libraries('US', 'PA', 'Pittsburgh', order));
          expect(edges.map((edge) => edge.node.name)).toEqual(expected);
        }
  });

  test('can be chosen: countries, states, cities, each city with a library', async () => {
    const client = server.client();
    const names = (edges: { node: { name: string } }[]) => edges.map(({ node }) => node.name);
    const page = (field: string) => (args: string) =>
      client
        .data(`{ places: ${field.replace('ARGS', args)} { edges { cursor node { name } } ${PAGE_INFO} } }`)
        .then((data) => data.places);
    expect(names(await client.allPages(1, 'forward', page('countries(ARGS)')))).toEqual(['United States']);
    const states = names(await client.allPages(20, 'backward', page('states(country: "usa", ARGS)')));
    expect(states).toHaveLength(51);
    expect(states).toEqual(states.toSorted());
    expect(states.slice(0, 4)).toEqual(['Alabama', 'Alaska', 'Arizona', 'Arkansas']);
    expect(states).toContain('District of Columbia');
    const cities = names(await client.allPages(100, 'forward', page('cities(country: "US", state: "texas", ARGS)')));
    expect(cities.length).toBeGreaterThan(400);
    expect(new Set(cities).size).toBe(cities.length);
    for (const city of cities.slice(0, 20)) expect((await namesIn('US', 'TX', city)).length, city).toBeGreaterThan(0);
    expect(names((await page('cities(country: "Atlantis", state: "Deep", ARGS)')('first: 5')).edges)).toEqual([]);
  });
});

describe('the import of libraries', () => {
  test('lists by opening, with unknown openings last; changed rows leave nothing stale', async () => {
    const city = (name: string, id: string, opened: string, place = 'Nowhere') =>
      `WY,WY${id},${name},1 Main,${place},6037,0,0,${opened}`;
    await importRows('first.csv', [
      city('b', '9001', '1950-05-01'),
      city('C', '9002', ''),
      city('a', '9003', ''),
      city('á', '9004', '1911-01-31'),
    ]);
    expect(await namesIn('US', 'WY', 'nowhere')).toEqual(['a', 'á', 'b', 'C']);
    expect(await namesIn('US', 'WY', 'nowhere', 'OPENED')).toEqual(['á', 'b', 'a', 'C']);
    const [{ node }] = (await libraries('US', 'WY', 'Nowhere')('first: 1')).edges;
    expect(node).toMatchObject({ postalCode: '06037', longitude: null, latitude: null });
    // One library gets another name, one another opening, one another city.
    await importRows('second.csv', [
      city('bb', '9001', '1950-05-01'),
      city('C', '9002', '1900-01-01'),
      city('a', '9003', '', 'Elsewhere'),
    ]);
    expect(await namesIn('US', 'WY', 'nowhere')).toEqual(['á', 'bb', 'C']);
    expect(await namesIn('US', 'WY', 'nowhere', 'OPENED')).toEqual(['C', 'á', 'bb']);
    expect(await namesIn('US', 'WY', 'elsewhere')).toEqual(['a']);
    // One library moves to a city of the same name in another state.
    await importRows('third.csv', [city('bb', '9001', '1950-05-01').replace('WY,', 'CO,')]);
    expect(await namesIn('US', 'WY', 'nowhere')).toEqual(['á', 'C']);
    for (const order of ['NAME', 'OPENED']) {
      expect(await namesIn('US', 'CO', 'nowhere', order)).toEqual(['bb']);
      expect((await namesIn('US', null, 'nowhere', order)).toSorted()).toEqual(['C', 'bb', 'á']);
      expect((await namesIn(null, null, 'nowhere', order)).toSorted()).toEqual(['C', 'bb', 'á']);
    }
  });

  test('never lists a library that is not there', async () => {
    const limit = pLimit(1);
    let looks = 0;
    // The lists are checked after each step of the import.
    const watched: LimitFunction = Object.assign((...given: Parameters<LimitFunction>) => limit(...given), limit, {
      map: async (...given: Parameters<LimitFunction['map']>) => {
        const done = await limit.map(...given);
        looks++;
        for (const order of ['NAME', 'OPENED', 'OPENED_DESC', 'NAME, openedBetween: { to: "2000-01-01" }'])
          for (const name of await namesIn('US', 'WY', 'Watched', order)) expect(name).toMatch(/^[ab]+$/);
        return done;
      },
    });
    for (const [name, day] of [
      ['a', '1911-05-23'],
      ['b', '1950-05-01'],
    ])
      await importRows(`${name}.csv`, [`WY,WY9301,${name},1 Main,Watched,6037,0,0,${day}`], HEADER, { limit: watched });
    expect(looks).toBeGreaterThan(6);
    expect(await namesIn('US', 'WY', 'Watched')).toEqual(['b']);
  });

  test('refuses rows that it cannot read, each with its reason', async () => {
    const { figures, reasons } = await importRows('dirt.csv', [
      'XX,XX0001,A,,B,1,0,0,',
      'WY,nothing,A,,B,1,0,0,',
      'WY,WY9101,,,B,1,0,0,',
      'WY,WY9102,A,,B,1,0,0,soon',
      'WY,WY9103,A,,B,1,east,0,',
      'WY,WY9104,A,,(),1,0,0,',
      'WY,WY9105,A,,B,1,0,0,1999-12-31',
      'WY,WY9105,A,,B,1,0,0,',
      'WY,WY9106,A,,B,1,0,0,23.05.1911',
      'WY,WY9107,A,,B,1,0,0,1911',
      'WY,WY9108,A,,B,1,0,0,1911-02-29',
      'WY,WY9109,A,,B,1,0,0,9999-12-31',
    ]);
    expect(figures).toMatchObject({ rows: 12, imported: 1, rejected: 11 });
    expect(figures.leftOut).toContainEqual({ reason: 'is the same library as an earlier line', count: 1, lines: [9] });
    expect(figures.leftOut[0]).toEqual({ reason: 'State is not a state', count: 1, lines: [2] });
    const notADate = 'Opened On is not a date such as 1911-05-23; leave it empty where the day is not known';
    expect(reasons).toEqual([
      '2: State "XX" is not a state',
      '3: Library ID is not an id of a library',
      '4: Library Name is empty',
      `5: ${notADate}`,
      '6: Longitude is not a number of degrees',
      '7: City has no letters',
      '9: is the same library as line 8',
      `10: ${notADate}`,
      `11: ${notADate}`,
      `12: ${notADate}`,
      '13: Opened On is 9999-12-31, which stands for no date; leave it empty',
    ]);
  });
});

describe('libraries by opening', () => {
  /** The names as they sort: case and accents are ignored, and equal names are ordered by id. */
  const NAMES = { Ann: 'ann', ÁNN: 'ann', bea: 'bea', Çem: 'cem', dora: 'dora' } as const;
  const DAYS = ['0001-01-01', '0099-12-31', '1899-12-31', '1911-05-23', '1911-05-24', '2000-02-29', '9999-12-30'];
  const day = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...DAYS) },
    fc.integer({ min: -60_000, max: 30_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10)),
  );
  const opening = fc.option(day, { nil: '', freq: 3 });
  const end = fc.option(fc.oneof(day, fc.constant('9999-12-31')), { freq: 2 });
  const library = fc.record({
    name: fc.constantFrom(...(Object.keys(NAMES) as (keyof typeof NAMES)[])),
    first: opening,
    second: opening,
  });

  const REVERSED = 'The argument "openedBetween": "from" must not be after "to".';
  const literal = (range: string) =>
    `{ libraries(country: "US", state: "WY", city: "Cody", openedBetween: ${range}) { edges { cursor } } }`;
  const refused = async (query: string, variables = {}) => {
    const { data, errors } = await server.client().send(query, variables);
    expect(data?.libraries ?? null).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    return errors?.[0]?.message;
  };

  interface Listed {
    readonly id: string;
    readonly sort: string;
    readonly openedOn: string;
  }
  const byName = (one: Listed, other: Listed) =>
    one.sort === other.sort ? (one.id < other.id ? -1 : 1) : one.sort < other.sort ? -1 : 1;
  const byDay = (one: Listed, other: Listed) =>
    one.openedOn === other.openedOn ? byName(one, other) : one.openedOn < other.openedOn ? -1 : 1;

  /** Computes the expected list by sorting in memory. */
  function expectedOf(all: readonly Listed[], order: string, from: string | null, to: string | null): string[] {
    const known = all.filter(({ openedOn }) => openedOn !== '');
    const within = known.filter(({ openedOn }) => (from ?? '') <= openedOn && (to === null || openedOn < to));
    const unknown = from === null && to === null ? all.filter(({ openedOn }) => openedOn === '') : [];
    if (order === 'NAME') return [...within, ...unknown].toSorted(byName).map(({ id }) => id);
    const days = within.toSorted(byDay);
    return [...(order === 'OPENED' ? days : days.toReversed()), ...unknown.toSorted(byName)].map(({ id }) => id);
  }

  test('match plain sorting in every order and range, in pages of every size, from either end, even after changes of their days', async () => {
    let cities = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(library, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('NAME', 'OPENED', 'OPENED_DESC'),
        fc.option(fc.tuple(end, end), { freq: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('forward' as const, 'backward' as const),
        async (given, order, ends, size, direction) => {
          const city = `Model ${String(++cities)}`;
          const [from, to] = ends ?? [null, null];
          const range = ends && `, openedBetween: ${JSON.stringify({ from, to }).replaceAll(/"(from|to)":/g, '$1: ')}`;
          const read = libraries('US', 'WY', city, `${order}${range ?? ''}`);
          for (const which of ['first', 'second'] as const) {
            const all = given.map((each, index) => ({
              id: `WY${String(cities)}x${String(index)}`,
              sort: NAMES[each.name],
              openedOn: each[which],
            }));
            const rows = all.map(
              ({ id, openedOn }, index) => `WY,${id},${given[index]!.name},${id},${city},1,,,${openedOn}`,
            );
            const { figures } = await importRows(`${city}-${which}.csv`, rows);
            expect(figures.imported).toBe(all.length);
            if (from !== null && to !== null && from > to) {
              expect(await refused(literal(`{ from: "${from}", to: "${to}" }`))).toBe(REVERSED);
              continue;
            }
            const edges = await server.client().allPages(size, direction, read);
            // The address is the id.
            expect(edges.map(({ node }) => node.address)).toEqual(expectedOf(all, order, from, to));
            for (const { node } of edges)
              expect(node.openedOn ?? '').toBe(all.find(({ id }) => id === node.address)?.openedOn);
          }
        },
      ),
      { numRuns: runs(60, 8) },
    );
  });

  describe('an invalid argument is refused by its name', () => {
    const variable =
      'query ($range: DateRange) { libraries(country: "US", state: "WY", city: "Cody", openedBetween: $range) { edges { cursor } } }';
    test.each(['23.05.1911', '1911', '1911-02-29', '1911-5-23', '', 'soon', 1911, null, '11911-05-23'])(
      'a day such as %j',
      async (wrong) => {
        const isMissing = wrong === null;
        for (const name of ['from', 'to']) {
          const written = literal(`{ ${name}: ${JSON.stringify(wrong)} }`);
          const given = { range: { [name]: wrong } };
          if (isMissing) {
            await server.client().data(written);
            await server.client().data(variable, given);
            continue;
          }
          expect(await refused(written)).toBe(
            `"${name}": A Date is a day of the calendar from the year 1 on, such as 2026-03-01.`,
          );
          expect(await refused(variable, given)).toBe(
            `Variable "$range" has an invalid value at "range.${name}". A Date is a day of the calendar from the year 1 on, such as 2026-03-01.`,
          );
        }
      },
    );

    test('a range that ends before it begins is refused; an empty one has no libraries', async () => {
      expect(await refused(literal('{ from: "1911-05-24", to: "1911-05-23" }'))).toBe(REVERSED);
      const { libraries: none } = await server.client().data(literal('{ from: "1911-05-24", to: "1911-05-24" }'));
      expect(none.edges).toEqual([]);
    });

    test('a cursor from another order or range', async () => {
      const kinds = ['NAME', 'OPENED', 'OPENED_DESC', 'OPENED, openedBetween: { to: "2012-01-01" }'];
      const cursorOf = async (kind: string) =>
        (await libraries('US', 'PA', 'Pittsburgh', kind)('first: 1')).edges[0].cursor as string;
      for (const kind of kinds)
        for (const other of kinds) {
          const query = `{ libraries(country: "US", state: "PA", city: "Pittsburgh", first: 1, orderBy: ${other}, after: "${await cursorOf(kind)}") { edges { cursor } } }`;
          if (kind === other) await server.client().data(query);
          else expect(await refused(query)).toMatch(/^The argument "after" is not a cursor of this list/);
        }
    });
  });
});

describe('invalid places', () => {
  test.each([
    ['country', '', 'WY', 'Cody'],
    ['state', 'US', ' ', 'Cody'],
    ['city', 'US', 'WY', 'x'.repeat(201)],
  ])('%s is refused with its name', async (argument, country, state, city) => {
    const query =
      'query ($a: String!, $b: String!, $c: String!) { libraries(country: $a, state: $b, city: $c) { edges { cursor } } }';
    const { errors } = await server.client().send(query, { a: country, b: state, c: city });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(errors?.[0]?.message).toContain(`"${argument}"`);
  });

  test('the error of a state without a country names the missing argument', async () => {
    const { errors } = await server.client().send('{ libraries(state: "OR", city: "Salem") { edges { cursor } } }');
    expect(errors?.[0]?.message).toBe(
      'The argument "state" needs "country", such as "US". Without both, the whole world is searched.',
    );
  });

  test('unknown ones are empty', async () => {
    expect(await namesIn('Atlantis', 'Deep', 'Blue')).toEqual([]);
    expect(await namesIn('US', 'Wyoming', '???')).toEqual([]);
  });
});
