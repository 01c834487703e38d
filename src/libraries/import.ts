import pLimit from 'p-limit';
import { z } from 'zod';
import { batch, bind, first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import {
  importFile,
  optionalText,
  requiredText,
  tidyText,
  type FileKind,
  type ImportFigures,
  type ImportProgress,
} from '../imports/operations.ts';
import { folded } from '../text/text.ts';
import { cityKey, countryName, stateKey, stateName } from './geography.ts';
import { UNKNOWN_OPENING, WORLD, type LibraryRow } from './operations.ts';
import {
  deleteByName,
  deleteByOpening,
  insertByName,
  insertByOpening,
  insertLibrary,
  insertPlace,
  selectLibraries,
} from './tables.ts';

/**
 * The import of libraries in the columns of the Public Libraries Survey, as it is: names in capitals, leading zeros of
 * postal codes lost, a 0 where a coordinate is not known, remarks behind the names of cities.
 * A column `Opened On`, a date as 1911-05-23, is read where there is one; the survey itself has none.
 */

const COUNTRY = 'US';
const WRITES_AT_ONCE = 64;

const coordinate = z
  .string()
  .regex(/^(?:-?\d{1,3}(?:\.\d+)?)?$/, 'is not a number of degrees')
  .transform((text) => (Number(text) === 0 ? null : Number(text)));

const columns = z.object({
  State: requiredText,
  'Library ID': z.string().regex(/^[A-Z]{2}[\w-]{1,20}$/, 'is not an id of a library'),
  'Library Name': requiredText,
  'Street Address': tidyText,
  City: requiredText,
  'Zip Code': z.string().regex(/^\d{0,5}$/, 'is not a postal code'),
  Longitude: coordinate,
  Latitude: coordinate,
  'Opened On': optionalText.pipe(z.iso.date('is not a date').nullable()).optional(),
});

/** `ST. PAUL` → `St. Paul`; what is not all capitals stays as it is. */
function capitalised(text: string): string {
  if (text !== text.toUpperCase()) return text;
  return text
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}]|\p{L}['’])\p{L}/gu, (letter) => letter.toUpperCase())
    .replace(/\bMc(\p{Ll})/gu, (_all, letter: string) => `Mc${letter.toUpperCase()}`)
    .replace(/(?<=\s)(?:And|At|For|In|Of|On|The)(?=\s)/g, (word) => word.toLowerCase());
}

/** `PULASKI (S)`, `SUNSET, LOUISIANA` and `NARROWS, VA.` without what is not the city. */
const cityOf = (text: string) => text.replace(/\s*(?:\(.*\)|,.*)$/, '');

const libraries: FileKind<typeof columns, LibraryRow> = {
  columns,
  thing: 'library',
  keyOf: ({ library_id }) => library_id,
  read: (row) => {
    const state = stateKey(COUNTRY, row.State);
    if (stateName(COUNTRY, state) === undefined) return { reason: `State ${JSON.stringify(row.State)} is not a state` };
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
        longitude: row.Longitude,
        latitude: row.Latitude,
        opened_on: row['Opened On'] ?? null,
      },
    };
  },
  write: async (app, rows) => {
    await pLimit(WRITES_AT_ONCE).map(rows, (row) => writeLibrary(app, row));
  },
};

/** What a library is listed under. */
const listedAs = ({ country, state, city, name, opened_on, library_id }: LibraryRow) => ({
  country,
  state,
  city: cityKey(city),
  name_sort: folded(name),
  library_id,
  opened_on: opened_on ?? UNKNOWN_OPENING,
});

/**
 * Writes a library and its lists. Its own row comes last: until then it says what else may be listed, and doing it again
 * takes that away.
 */
async function writeLibrary({ cassandra }: AppContext, library: LibraryRow): Promise<void> {
  const before = await first(cassandra, selectLibraries, { library_ids: [library.library_id] });
  const { opened_on, ...byName } = listedAs(library);
  const { country, state, city } = byName;
  await batch(cassandra, [
    bind(insertByName, byName),
    bind(insertByOpening, { ...byName, opened_on }),
    bind(insertPlace, { inside: WORLD, name_sort: country, name: countryName(country) }),
    bind(insertPlace, { inside: country, name_sort: state, name: stateName(country, state) ?? state }),
    bind(insertPlace, { inside: `${country}/${state}`, name_sort: city, name: library.city }),
  ]);
  if (before) {
    const { opened_on: openedBefore, ...nameBefore } = listedAs(before);
    const isElsewhere = ['state', 'city', 'name_sort'].some(
      (key) => byName[key as keyof typeof byName] !== nameBefore[key as keyof typeof byName],
    );
    if (isElsewhere) await write(cassandra, deleteByName, nameBefore);
    if (isElsewhere || openedBefore !== opened_on)
      await write(cassandra, deleteByOpening, { ...nameBefore, opened_on: openedBefore });
  }
  await write(cassandra, insertLibrary, library);
}

/**
 * Imports a file of libraries; it can be repeated, and goes on where it was interrupted.
 * @param rejectsFile gets every refused row with its line and reason
 * @throws {ImportError} when the file lacks a column
 */
export const importLibraries = (
  app: AppContext,
  file: string,
  rejectsFile: string,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportFigures> => importFile(app, libraries, file, rejectsFile, onProgress);
