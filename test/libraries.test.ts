import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import pLimit, { type LimitFunction } from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportOptions } from '../src/imports/operations.ts';
import { importLibraries } from '../src/libraries/import.ts';
import { SAMPLE_LIBRARIES } from '../src/app/places.ts';
import { startServer, ownKeyspace, type TestServer } from './support/app.ts';
import { PAGE_INFO } from './support/client.ts';

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
  (country: string, state: string, city: string, orderBy = 'NAME') =>
  (args: string) =>
    server
      .client()
      .data(
        `query ($country: String!, $state: String!, $city: String!) { libraries(country: $country, state: $state, city: $city, orderBy: ${orderBy} ${args}) { edges { cursor node { id ${FIELDS} } } ${PAGE_INFO} } }`,
        { country, state, city },
      )
      .then((data) => data.libraries);
const namesIn = async (country: string, state: string, city: string, orderBy?: string): Promise<string[]> =>
  (await libraries(country, state, city, orderBy)('first: 100')).edges.map(
    (edge: { node: { name: string } }) => edge.node.name,
  );

describe('the sample libraries', () => {
  beforeAll(async () => {
    const rejects = join(folder, 'sample.rejects');
    const figures = await importLibraries(server.app, SAMPLE_LIBRARIES, { rejectsFile: rejects });
    expect(figures).toEqual({ rows: 9_225, imported: 9_224, rejected: 1 });
    expect(await readFile(rejects, 'utf8')).toMatch(/"9226","City is empty","WY,WY0006/);
  });

  test('are found by their place as people type it, named as people write it', async () => {
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

  test('of a city are by name, each once, in pages of every size, from either end', async () => {
    const all = await namesIn('US', 'PA', 'Pittsburgh');
    expect(all).toHaveLength(16);
    expect(all).toEqual(all.toSorted((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1)));
    for (const size of [1, 3, 16, 17])
      for (const direction of ['forward', 'backward'] as const)
        for (const order of ['NAME', 'OPENED']) {
          const edges = await server.client().allPages(size, direction, libraries('US', 'PA', 'Pittsburgh', order));
          expect(edges.map((edge) => edge.node.name)).toEqual(all);
        }
  });

  test('can be picked: countries, states, cities, each city with a library', async () => {
    const client = server.client();
    const names = (edges: { node: { name: string } }[]) => edges.map(({ node }) => node.name);
    const page = (field: string) => (args: string) =>
      client
        .data(`{ places: ${field.replace('ARGS', args)} { edges { cursor node { name } } ${PAGE_INFO} } }`)
        .then((data) => data.places);
    expect(names(await client.allPages(1, 'forward', page('countries(ARGS)')))).toEqual(['United States']);
    const states = names(await client.allPages(20, 'backward', page('states(country: "usa", ARGS)')));
    expect(states).toHaveLength(51);
    expect(states).toContain('District of Columbia');
    const cities = names(await client.allPages(100, 'forward', page('cities(country: "US", state: "texas", ARGS)')));
    expect(cities.length).toBeGreaterThan(400);
    expect(new Set(cities).size).toBe(cities.length);
    for (const city of cities.slice(0, 20)) expect((await namesIn('US', 'TX', city)).length, city).toBeGreaterThan(0);
    expect(names((await page('cities(country: "Atlantis", state: "Deep", ARGS)')('first: 5')).edges)).toEqual([]);
  });
});

describe('the import of libraries', () => {
  test('lists by opening, unknown ones last; changed rows leave nothing stale', async () => {
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
    // One gets another name, one another opening, one another city.
    await importRows('second.csv', [
      city('bb', '9001', '1950-05-01'),
      city('C', '9002', '1900-01-01'),
      city('a', '9003', '', 'Elsewhere'),
    ]);
    expect(await namesIn('US', 'WY', 'nowhere')).toEqual(['á', 'bb', 'C']);
    expect(await namesIn('US', 'WY', 'nowhere', 'OPENED')).toEqual(['C', 'á', 'bb']);
    expect(await namesIn('US', 'WY', 'elsewhere')).toEqual(['a']);
  });

  test('lists at no time a library that is not there', async () => {
    const limit = pLimit(1);
    let looks = 0;
    // Looks after each step of the import.
    const watched: LimitFunction = Object.assign((...given: Parameters<LimitFunction>) => limit(...given), limit, {
      map: async (...given: Parameters<LimitFunction['map']>) => {
        const done = await limit.map(...given);
        looks++;
        for (const order of ['NAME', 'OPENED'])
          for (const name of await namesIn('US', 'WY', 'Watched', order)) expect(name).toMatch(/^[ab]+$/);
        return done;
      },
    });
    for (const name of ['a', 'b'])
      await importRows(`${name}.csv`, [`WY,WY9301,${name},1 Main,Watched,6037,0,0,`], HEADER, { limit: watched });
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
    ]);
    expect(figures).toEqual({ rows: 8, imported: 1, rejected: 7 });
    expect(reasons).toEqual([
      '2: State "XX" is not a state',
      '3: Library ID is not an id of a library',
      '4: Library Name is empty',
      '5: Opened On is not a date',
      '6: Longitude is not a number of degrees',
      '7: City has no letters',
      '9: is the same library as line 8',
    ]);
  });
});

describe('places that cannot be used', () => {
  test.each([
    ['country', '', 'WY', 'Cody'],
    ['state', 'US', ' ', 'Cody'],
    ['city', 'US', 'WY', 'x'.repeat(201)],
  ])('%s is refused by name', async (argument, country, state, city) => {
    const query = 'query ($a: String!, $b: String!, $c: String!) { libraries(country: $a, state: $b, city: $c) { edges { cursor } } }'; // prettier-ignore
    const { errors } = await server.client().send(query, { a: country, b: state, c: city });
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(errors?.[0]?.message).toContain(`"${argument}"`);
  });

  test('unknown ones are empty', async () => {
    expect(await namesIn('Atlantis', 'Deep', 'Blue')).toEqual([]);
    expect(await namesIn('US', 'Wyoming', '???')).toEqual([]);
  });
});
