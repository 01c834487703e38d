import { isDeepStrictEqual } from 'node:util';
import type { LimitFunction } from 'p-limit';
import { z } from 'zod';
import { inBatches } from '../cassandra/batches.ts';
import { keysInParts } from '../cassandra/statement-builders.ts';
import { batch, bind, rows, type Bound } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { inBulk } from '../bulk-import/in-bulk.ts';
import {
  importFile,
  optionalText,
  requiredText,
  tidyText,
  type FileKind,
  type ImportFigures,
  type ImportOptions,
} from '../bulk-import/operations.ts';
import { sortKey } from '../text/sorting.ts';
import { cellOf } from './cells.ts';
import { cityKey, countryName, stateKey, stateName } from './geography.ts';
import { ANY, UNKNOWN_OPENING, WORLD } from './operations.ts';
import {
  deleteByName,
  deleteByOpening,
  deleteInCell,
  insertByName,
  insertByOpening,
  insertInCell,
  insertLibrary,
  insertPlace,
  selectLibraries,
  type LibraryRow,
} from './tables.ts';

/**
 * Imports libraries from the columns of the Public Libraries Survey, with its faults: names in
 * capitals, postal codes without leading zeros, 0 for both coordinates of an unknown position (a
 * point in the Gulf of Guinea), remarks after the names of cities. An additional column `Opened On`
 * has a day such as 1911-05-23. A year alone is refused, because it names no day.
 */

const COUNTRY = 'US';

const coordinate = (most: number) =>
  z
    .string()
    .regex(/^(?:-?\d{1,3}(?:\.\d+)?)?$/, 'is not a number of degrees')
    .refine((text) => Math.abs(Number(text)) <= most, `is not from -${most} to ${most} degrees`)
    .transform((text) => (text === '' ? null : Number(text)));

const openingDay = z.iso
  .date('is not a date such as 1911-05-23; leave it empty where the day is not known')
  .refine(
    (day) => day >= '0001-01-01',
    'is of the year 0, which no calendar has; leave it empty where the day is not known',
  )
  .refine((day) => day !== UNKNOWN_OPENING, `is ${UNKNOWN_OPENING}, which stands for no date; leave it empty`);

const columns = z.object({
  State: requiredText,
  'Library ID': z.string().regex(/^[A-Z]{2}[\w-]{1,20}$/, 'is not an id of a library'),
  'Library Name': requiredText,
  'Street Address': tidyText,
  City: requiredText,
  'Zip Code': z.string().regex(/^\d{0,5}$/, 'is not a postal code'),
  Longitude: coordinate(180),
  Latitude: coordinate(90),
  'Opened On': optionalText.pipe(openingDay.nullable()).optional(),
});

/**
 * `ST. PAUL` → `St. Paul`, `O'FALLON` → `O'Fallon`, `MCALLEN` → `McAllen`, `L'ANSE` → `L'Anse`. A
 * text that is not all capitals is returned unchanged.
 */
function capitalised(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}]|\p{L}['’])\p{L}/gu, (letter) => letter.toUpperCase())
    .replace(/\b(Mc|[DLO]['’])(\p{Ll}\p{L})/gu, (_all, prefix: string, rest: string) => prefix + firstUpper(rest))
    .replace(/(?<=\s)(?:And|At|De|Du|For|In|Of|On|The)(?=\s)/g, (word) => word.toLowerCase())
    .replace(/(?<=-)(?:Au|By|In|On|The)(?=-)/g, (word) => word.toLowerCase())
    .replace(/(?<=\s)D(?=['’]\p{Lu})/gu, 'd');
}

const firstUpper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Removes remarks behind a city: `PULASKI (S)`, `SUNSET, LOUISIANA`, `NARROWS, VA.`. */
const cityOf = (text: string) => text.replace(/\s*(?:\(.*\)|,.*)$/, '');

const libraries: FileKind<typeof columns, LibraryRow> = {
  columns,
  noun: 'library',
  keyOf: ({ library_id }) => library_id,
  read: (row) => {
    const state = stateKey(COUNTRY, row.State);
    if (stateName(COUNTRY, state) === undefined)
      return { reason: `State ${JSON.stringify(row.State)} is not a state`, kind: 'State is not a state' };
    const city = capitalised(cityOf(row.City));
    if (cityKey(city) === '') return { reason: 'City has no letters' };
    return {
      row: {
        library_id: `${COUNTRY}-${row['Library ID']}`,
        name: capitalised(row['Library Name']),
        address: capitalised(row['Street Address']),
        postal_code: row['Zip Code'].padStart(5, '0'),
        city,
        state,
        country: COUNTRY,
        ...positionOf(row),
        opened_on: row['Opened On'] ?? null,
      },
      leftOut:
        (row.Longitude === null) === (row.Latitude === null) ? [] : ['Longitude or Latitude is without the other'],
    };
  },
  write: writeLibraries,
};

/** The position of a library: both coordinates, or neither. */
function positionOf({ Longitude: longitude, Latitude: latitude }: z.output<typeof columns>) {
  const isKnown = longitude !== null && latitude !== null && (longitude !== 0 || latitude !== 0);
  return isKnown ? { longitude, latitude } : { longitude: null, latitude: null };
}

/** The keys of the rows of a library in each list of a city. */
function keysInCities({ country, state, city, name, opened_on, library_id }: LibraryRow) {
  const areas = [
    { country, state },
    { country, state: ANY },
    { country: ANY, state: ANY },
  ];
  const byName = areas.map((area) => ({ ...area, city: cityKey(city), name_sort: sortKey(name), library_id }));
  const byOpening = byName.map((key) => ({ ...key, opened_on: opened_on ?? UNKNOWN_OPENING }));
  return { byName, byOpening };
}

/**
 * The partition of a row: a city, a cell or a list of places. Libraries of a city are written
 * together as well.
 */
const partitionOf = ({ label, params }: Bound) =>
  [label, params['inside'], params['country'], params['state'], params['city'], params['cell']].join('/');

/**
 * Writes libraries and their lists. The row of a new library is written first, because no list may
 * name a missing library. The row of a known library is written last: until then it has the former
 * keys under which the library is listed, so that a repetition removes those.
 */
async function writeLibraries(app: AppContext, libraries: readonly LibraryRow[], limit: LimitFunction): Promise<void> {
  const { cassandra } = app;
  const ids = libraries.map(({ library_id }) => library_id);
  const read = (library_ids: string[]) => rows(cassandra, selectLibraries, { library_ids });
  const found = await inBulk(app, keysInParts(ids), read, limit);
  const before = new Map(found.flat().map((library) => [library.library_id, library]));
  const isKnown = ({ library_id }: LibraryRow) => before.has(library_id);
  const steps = [
    libraries.filter((library) => !isKnown(library)).map((library) => bind(insertLibrary, library)),
    [...libraries.flatMap(listed), ...placesOf(libraries)],
    libraries.flatMap((library) => listedNoMore(before.get(library.library_id), library)),
    libraries.filter(isKnown).map((library) => bind(insertLibrary, library)),
  ];
  for (const writes of steps)
    await inBulk(app, inBatches(writes, partitionOf), (some) => batch(cassandra, some), limit);
}

/** The row of a library in its cell; none if its position is not known. */
function rowsInCells({ library_id, latitude, longitude }: LibraryRow) {
  if (latitude === null || longitude === null) return [];
  return [{ cell: cellOf({ latitude, longitude }), library_id, latitude, longitude }];
}

const cellsOf = (library: LibraryRow) => rowsInCells(library).map(({ cell, library_id }) => ({ cell, library_id }));

const listed = (library: LibraryRow): Bound[] => [
  ...keysInCities(library).byOpening.flatMap((row) => [bind(insertByName, row), bind(insertByOpening, row)]),
  ...rowsInCells(library).map((row) => bind(insertInCell, row)),
];

/** The deletions from the lists that a library is no longer in. */
function listedNoMore(before: LibraryRow | undefined, library: LibraryRow): Bound[] {
  if (!before) return [];
  const [former, now] = [keysInCities(before), keysInCities(library)];
  return [
    ...without(former.byName, now.byName).map((key) => bind(deleteByName, key)),
    ...without(former.byOpening, now.byOpening).map((key) => bind(deleteByOpening, key)),
    ...without(cellsOf(before), cellsOf(library)).map((key) => bind(deleteInCell, key)),
  ];
}

/** A list of a whole country may keep the key of a library that moves to another state. */
const without = <Key>(keys: readonly Key[], kept: readonly Key[]): Key[] =>
  keys.filter((key) => !kept.some((other) => isDeepStrictEqual(key, other)));

const namedPlace = (name: string) => ({ name_sort: sortKey(name), name });

/** The writes for the places of libraries, each once. */
function placesOf(libraries: readonly LibraryRow[]): Bound[] {
  const places = libraries.flatMap(({ country, state, city }) => [
    { inside: WORLD, ...namedPlace(countryName(country)) },
    { inside: country, ...namedPlace(stateName(country, state) ?? state) },
    { inside: `${country}/${state}`, name_sort: cityKey(city), name: city },
  ]);
  const byKey = new Map(places.map((place) => [`${place.inside}/${place.name_sort}`, place]));
  return [...byKey.values()].map((place) => bind(insertPlace, place));
}

/**
 * Imports a file of libraries. It can be repeated, and continues where it was interrupted.
 * @throws {ImportError} when the file is not UTF-8, or lacks a column
 */
export const importLibraries = (app: AppContext, file: string, options: ImportOptions = {}): Promise<ImportFigures> =>
  importFile(app, libraries, file, options);
