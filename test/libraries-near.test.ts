import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { SAMPLE_LIBRARIES } from '../tools/places.ts';
import { cellsAround, CELLS_MAX, RADIUS_KM_MAX } from '../src/libraries/cells.ts';
import { importLibraries } from '../src/libraries/import.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { PAGE_INFO } from './support/client.ts';
import { IS_FULL, runs } from './support/full.ts';

/** Libraries near a position, compared with a search of all libraries. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  await importLibraries(server.app, await someLibraries());
});

/** The file of libraries, or those of two states in a short test. */
async function someLibraries(): Promise<string> {
  if (IS_FULL) return SAMPLE_LIBRARIES;
  const file = join(inject('folder'), 'near-some.csv');
  const [header, ...lines] = (await readFile(SAMPLE_LIBRARIES, 'utf8')).split('\n');
  await writeFile(file, [header, ...lines.filter((line) => /^(?:OR|PA),/.test(line))].join('\n'));
  return file;
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}
interface Circle extends Place {
  readonly withinKm: number;
}
interface Edge {
  readonly cursor: string;
  readonly distanceKm: number;
  readonly node: { readonly name: string };
}

let imports = 0;

async function importPlaces(places: readonly { id: string; latitude: string; longitude: string }[]) {
  const file = join(inject('folder'), `near-${String(++imports)}.csv`);
  const header = 'State,Library ID,Library Name,Street Address,City,Zip Code,Longitude,Latitude\n';
  const rows = places.map(({ id, latitude, longitude }) => `WY,${id},${id},,Cody,1,${longitude},${latitude}`);
  await writeFile(file, header + rows.join('\n'));
  return importLibraries(server.app, file);
}

const near =
  (circle: Circle) =>
  async (args: string): Promise<{ edges: Edge[]; pageInfo: { hasNextPage: boolean } }> => {
    const query = `query ($near: Circle) { libraries(near: $near, ${args}) { edges { cursor distanceKm node { name } } ${PAGE_INFO} } }`;
    return (await server.client().data(query, { near: circle })).libraries;
  };

const radians = (degree: number) => (degree * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;

/** Returns a position as a vector of length 1. */
function vectorOf({ latitude, longitude }: Place): [number, number, number] {
  const [north, east] = [radians(latitude), radians(longitude)];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

/** Returns the distance by the chord through the earth, in whole metres. */
function metresBetween(one: Place, other: Place): number {
  const [a, b] = [vectorOf(one), vectorOf(other)];
  const chord = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  return Math.round(2 * 6_371_008.8 * Math.asin(chord / 2));
}

interface Stored extends Record<keyof Place, number | null> {
  readonly library_id: string;
  readonly name: string;
}

async function stored(): Promise<Stored[]> {
  const { client } = server.app.cassandra;
  const { rows } = await client.execute('SELECT library_id, name, latitude, longitude FROM libraries_by_id', [], {
    fetchSize: 40_000,
  });
  return rows as unknown as Stored[];
}

/** Returns a library of a file as it is stored. An unknown position has the coordinates 0, 0. */
function asStored({ id, latitude, longitude }: { id: string; latitude: string; longitude: string }): Stored {
  const [north, east] = [Number(latitude), Number(longitude)];
  const isKnown = north !== 0 || east !== 0;
  return { library_id: `US-${id}`, name: id, latitude: isKnown ? north : null, longitude: isKnown ? east : null };
}

/** Reads every library. */
function expectedIn(all: readonly Stored[], circle: Circle) {
  const places = all.flatMap(({ library_id, name, latitude, longitude }) =>
    latitude === null || longitude === null
      ? []
      : [{ library_id, name, metres: metresBetween(circle, { latitude, longitude }) }],
  );
  return places
    .filter(({ metres }) => metres <= circle.withinKm * 1_000)
    .toSorted((one, other) => one.metres - other.metres || (one.library_id < other.library_id ? -1 : 1))
    .map(({ name, metres }) => ({ name, distanceKm: metres / 1_000 }));
}

test('are listed nearest first, with their distance, in pages from either end', async () => {
  const pittsburgh = { latitude: 40.4406, longitude: -79.9959, withinKm: 20 };
  const expected = expectedIn(await stored(), pittsburgh);
  expect(expected.length).toBeGreaterThan(30);
  const { edges } = await near(pittsburgh)('first: 2');
  expect(edges.map(({ node, distanceKm }) => [node.name, distanceKm])).toEqual([
    ['Allegheny Sys Admin Unit', 3.285],
    ['Carnegie Library of Pittsburgh', 3.979],
  ]);
  for (const size of [7, 100])
    for (const direction of ['forward', 'backward'] as const) {
      const pages = await server.client().allPages(size, direction, near(pittsburgh));
      expect(pages.map(({ node, distanceKm }) => ({ name: node.name, distanceKm }))).toEqual(expected);
    }
});

/** Returns the position at a distance from another one in a direction, in degrees from north. */
function beyond({ latitude, longitude }: Place, km: number, direction: number): Place {
  const [north, bearing, angle] = [radians(latitude), radians(direction), km / 6_371.008_8];
  const sine = Math.sin(north) * Math.cos(angle) + Math.cos(north) * Math.sin(angle) * Math.cos(bearing);
  const reached = Math.asin(Math.max(-1, Math.min(1, sine)));
  const across = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(north),
    Math.cos(angle) - Math.sin(north) * Math.sin(reached),
  );
  const east = longitude + degrees(across);
  return { latitude: degrees(reached), longitude: east > 180 ? east - 360 : east < -180 ? east + 360 : east };
}

test('equal the result of a search of all libraries, also at the poles and the date line', async () => {
  const decimal = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const place = fc.record({
    latitude: fc.oneof(fc.constantFrom(-90, -89.999, -0.001, 0, 44.94, 88.8, 90), decimal(-90, 90)),
    longitude: fc.oneof(fc.constantFrom(-180, -179.999, -123.03, 0, 0.001, 179.999, 180), decimal(-180, 180)),
  });
  const radius = fc.oneof(fc.constantFrom(0, 0.001, 60, 99, RADIUS_KM_MAX), decimal(0, RADIUS_KM_MAX));
  // Most libraries are near the edge of the circle, where a cell may be missed.
  const library = fc.record({
    part: fc.oneof(fc.constantFrom(0, 0.999, 0.9999, 1.0001), decimal(0, 1.2)),
    direction: fc.oneof(fc.constantFrom(0, 45, 90, 180, 270), decimal(0, 360)),
  });
  const sample = await stored();
  const seed = Date.now();
  let found = 0;
  console.info(`libraries near: seed ${seed}`);

  await fc.assert(
    fc.asyncProperty(
      place,
      radius,
      fc.array(library, { minLength: 6, maxLength: 6 }),
      async (centre, withinKm, some) => {
        // The libraries of a run move to those of the next one.
        const places = some.map(({ part, direction }, index) => {
          const { latitude, longitude } = beyond(centre, part * withinKm, direction);
          return { id: `WYnear${index}`, latitude: latitude.toFixed(9), longitude: longitude.toFixed(9) };
        });
        expect(await importPlaces(places)).toMatchObject({ imported: some.length });

        const circle = { ...centre, withinKm };
        const expected = expectedIn([...sample, ...places.map(asStored)], circle);
        const edges = await server.client().allPages(100, 'forward', near(circle));
        expect(edges.map(({ node, distanceKm }) => ({ name: node.name, distanceKm }))).toEqual(expected);
        found += expected.length;
      },
    ),
    { numRuns: runs(300, 40), seed },
  );
  expect(found).toBeGreaterThan(runs(300, 40));
});

test('a circle touches few cells', () => {
  const latitude = fc.double({ min: -90, max: 90, noNaN: true });
  const longitude = fc.double({ min: -180, max: 180, noNaN: true });
  fc.assert(
    fc.property(latitude, longitude, (north, east) => {
      const cells = cellsAround({ latitude: north, longitude: east }, RADIUS_KM_MAX);
      expect(new Set(cells).size).toBe(cells.length);
      expect(cells.length).toBeLessThanOrEqual(Math.abs(north) < 80 ? CELLS_MAX : 2 * CELLS_MAX);
    }),
    { numRuns: runs(20_000, 2_000), examples: [[82.100_670_643_071_81, 0]] },
  );
});

describe('the import', () => {
  test('accepts 0 for a coordinate, unless both are 0', async () => {
    const figures = await importPlaces([
      { id: 'WYequator', latitude: '0', longitude: '-78.5' },
      { id: 'WYgreenwich', latitude: '51.4779', longitude: '0' },
      { id: 'WYunknown', latitude: '0', longitude: '0.0' },
      { id: 'WYempty', latitude: '', longitude: '' },
      { id: 'WYhalf', latitude: '60', longitude: '' },
    ]);
    expect(figures).toMatchObject({
      imported: 5,
      leftOut: [{ reason: 'Longitude or Latitude is without the other', count: 1, lines: [6] }],
    });
    const namesIn = async (latitude: number, longitude: number) =>
      (await near({ latitude, longitude, withinKm: 0 })('first: 100')).edges
        .map(({ node }) => node.name)
        // Generated libraries of the test before this one may be anywhere.
        .filter((name: string) => !name.startsWith('WYnear'));
    expect(await namesIn(0, -78.5)).toEqual(['WYequator']);
    expect(await namesIn(51.4779, 0)).toEqual(['WYgreenwich']);
    expect(await namesIn(0, 0)).toEqual([]);
    const all = await stored();
    for (const name of ['WYunknown', 'WYempty', 'WYhalf'])
      expect(all.find((library) => library.name === name)).toMatchObject({ latitude: null, longitude: null });
  });

  test('removes a library from its cell when it moves or its position becomes unknown', async () => {
    const here = near({ latitude: 64.1, longitude: -21.9, withinKm: 1 });
    const distances = async () => (await here('first: 5')).edges.map(({ distanceKm }) => distanceKm);
    await importPlaces([{ id: 'WYmoving', latitude: '64.1', longitude: '-21.9' }]);
    expect(await distances()).toEqual([0]);
    await importPlaces([{ id: 'WYmoving', latitude: '64.101', longitude: '-21.9' }]);
    expect(await distances()).toEqual([0.111]);
    await importPlaces([{ id: 'WYmoving', latitude: '65.1', longitude: '-21.9' }]);
    expect(await distances()).toEqual([]);
    await importPlaces([{ id: 'WYmoving', latitude: '64.1', longitude: '-21.9' }]);
    await importPlaces([{ id: 'WYmoving', latitude: '', longitude: '' }]);
    expect(await distances()).toEqual([]);
    const { rows } = await server.app.cassandra.client.execute('SELECT library_id FROM libraries_by_cell', [], {
      fetchSize: 40_000,
    });
    expect(rows).toHaveLength((await stored()).filter(({ latitude }) => latitude !== null).length);
  });

  test('refuses impossible coordinates', async () => {
    const figures = await importPlaces([
      { id: 'WYnorth', latitude: '90.001', longitude: '0' },
      { id: 'WYsouth', latitude: '-91', longitude: '0' },
      { id: 'WYeast', latitude: '0', longitude: '180.5' },
      { id: 'WYwest', latitude: '0', longitude: '-360' },
      { id: 'WYcorner', latitude: '-90', longitude: '180' },
    ]);
    expect(figures).toMatchObject({
      imported: 1,
      leftOut: [
        { reason: 'Latitude is not from -90 to 90 degrees', lines: [2, 3] },
        { reason: 'Longitude is not from -180 to 180 degrees', lines: [4, 5] },
      ],
    });
  });
});

describe('the error of a query that cannot be answered names the argument to change', () => {
  const HERE = 'near: { latitude: 44.9, longitude: -123, withinKm: 10 }';
  test.each([
    ['near: { latitude: 90.1, longitude: 0, withinKm: 1 }', 'The argument "near": "latitude" must be from -90 to 90.'],
    ['near: { latitude: -91, longitude: 0, withinKm: 1 }', 'The argument "near": "latitude" must be from -90 to 90.'],
    [
      'near: { latitude: 0, longitude: 181, withinKm: 1 }',
      'The argument "near": "longitude" must be from -180 to 180.',
    ],
    ['near: { latitude: 0, longitude: 0, withinKm: -1 }', 'The argument "near": "withinKm" must be from 0 to 100.'],
    ['near: { latitude: 0, longitude: 0, withinKm: 100.1 }', 'The argument "near": "withinKm" must be from 0 to 100.'],
    ...['country: "US"', 'state: "OR"', 'city: "Salem"', 'orderBy: NAME', 'openedBetween: { from: "1900-01-01" }'].map(
      (other) => [
        `${HERE}, ${other}`,
        `The argument "${other.split(':')[0]}" cannot be used with "near", which lists the nearest libraries first; leave one of them out.`,
      ],
    ),
    [
      'country: "US"',
      'Give the argument "city", such as "Salem", or "near", such as { latitude: 44.94, longitude: -123.04, withinKm: 10 }.',
    ],
  ])('%s', async (args, message) => {
    const { data, errors } = await server.client().send(`{ libraries(${args}) { edges { cursor } } }`);
    expect(data?.libraries ?? null).toBeNull();
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test('a cursor of another circle', async () => {
    const [edge] = (await near({ latitude: 44.94, longitude: -123.04, withinKm: 50 })('first: 1')).edges;
    const { errors } = await server
      .client()
      .send(`{ libraries(${HERE}, after: "${edge!.cursor}") { edges { cursor } } }`);
    expect(errors?.[0]?.message).toMatch(/^The argument "after" is not a cursor of this list/);
  });
});

test('libraries that are listed by city have no distance', async () => {
  const { libraries } = await server.client().data('{ libraries(city: "Salem", first: 1) { edges { distanceKm } } }');
  expect(libraries.edges).toEqual([{ distanceKm: null }]);
});
