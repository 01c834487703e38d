import { deleteFrom, insertInto, selectAmong } from '../cassandra/statement-builders.ts';
import { cql, type Values } from '../cassandra/columns.ts';
import { statement } from '../cassandra/statement.ts';
import { range } from '../cassandra/range.ts';

/**
 * A stored library. `state` and `country` have the form in which they are compared;
 * degrees are in WGS 84.
 */
const library = {
  library_id: cql.text,
  name: cql.text,
  address: cql.text,
  postal_code: cql.text,
  city: cql.text,
  state: cql.text,
  country: cql.text,
  longitude: cql.double.nullable(),
  latitude: cql.double.nullable(),
  opened_on: cql.date.nullable(),
};

export type LibraryRow = Values<typeof library>;

export const insertLibrary = insertInto('libraries_by_id', library);

export const selectLibraries = selectAmong('libraries_by_id', 'library_id', library);

// The lists of a city.

const partition = { country: cql.text, state: cql.text, city: cql.text };
const byName = { name_sort: cql.text, library_id: cql.text };
const opening = { opened_on: cql.date };
const byOpening = { ...opening, ...byName };

export const insertByName = insertInto('libraries_by_city', { ...partition, ...byName, ...opening });
export const deleteByName = deleteFrom('libraries_by_city', { ...partition, ...byName });
export const librariesByName = range({ table: 'libraries_by_city', partition, order: byName, columns: opening });

export const insertByOpening = insertInto('libraries_by_city_opened', { ...partition, ...byOpening });
export const deleteByOpening = deleteFrom('libraries_by_city_opened', { ...partition, ...byOpening });
export const librariesByOpening = range({ table: 'libraries_by_city_opened', partition, order: byOpening });

// libraries_by_cell: for circles.

const cellKey = { cell: cql.int, library_id: cql.text };
const inCell = { ...cellKey, latitude: cql.double, longitude: cql.double };

export const insertInCell = insertInto('libraries_by_cell', inCell);
export const deleteInCell = deleteFrom('libraries_by_cell', cellKey);
export const selectInCells = statement({
  cql: `SELECT library_id, latitude, longitude
        FROM libraries_by_cell WHERE cell IN :cells PER PARTITION LIMIT :rows_max`,
  params: { cells: cql.int.array(), rows_max: cql.int },
  row: cql.row({ library_id: cql.text, latitude: cql.double, longitude: cql.double }),
});

// places: for pickers.

export const insertPlace = insertInto('places', { inside: cql.text, name_sort: cql.text, name: cql.text });

export const places = range({
  table: 'places',
  partition: { inside: cql.text },
  order: { name_sort: cql.text },
  columns: { name: cql.text },
});
