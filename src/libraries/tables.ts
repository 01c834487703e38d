import { cql } from '../cassandra/codecs.ts';
import { statement } from '../cassandra/statement.ts';

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
};

export const insertLibrary = statement({
  cql: `INSERT INTO libraries_by_id (library_id, name, address, postal_code, city, state, country, longitude, latitude, opened_on)
        VALUES (:library_id, :name, :address, :postal_code, :city, :state, :country, :longitude, :latitude, :opened_on)`,
  params: { ...library, opened_on: cql.date.nullable() },
  idempotent: true,
});

export const selectLibraries = statement({
  cql: `SELECT library_id, name, address, postal_code, city, state, country, longitude, latitude, opened_on
        FROM libraries_by_id WHERE library_id IN :library_ids`,
  params: { library_ids: cql.text.array() },
  row: cql.row({ ...library, opened_on: cql.date.nullable() }),
  idempotent: true,
});

// The lists of a city.

const partition = { country: cql.text, state: cql.text, city: cql.text };
const byName = { name_sort: cql.text, library_id: cql.text };

export const insertByName = statement({
  cql: `INSERT INTO libraries_by_city (country, state, city, name_sort, library_id)
        VALUES (:country, :state, :city, :name_sort, :library_id)`,
  params: { ...partition, ...byName },
  idempotent: true,
});

export const deleteByName = statement({
  cql: `DELETE FROM libraries_by_city
        WHERE country = :country AND state = :state AND city = :city AND name_sort = :name_sort AND library_id = :library_id`,
  params: { ...partition, ...byName },
  idempotent: true,
});

export const selectByNameAscending = statement({
  cql: `SELECT name_sort, library_id FROM libraries_by_city WHERE country = :country AND state = :state AND city = :city
        AND (name_sort, library_id) > (:name_sort, :library_id) ORDER BY name_sort ASC, library_id ASC LIMIT :rows_max`,
  params: { ...partition, ...byName, rows_max: cql.int },
  row: cql.row(byName),
  idempotent: true,
});

export const selectByNameDescending = statement({
  cql: `SELECT name_sort, library_id FROM libraries_by_city WHERE country = :country AND state = :state AND city = :city
        AND (name_sort, library_id) < (:name_sort, :library_id) ORDER BY name_sort DESC, library_id DESC LIMIT :rows_max`,
  params: { ...partition, ...byName, rows_max: cql.int },
  row: cql.row(byName),
  idempotent: true,
});

export const insertByOpening = statement({
  cql: `INSERT INTO libraries_by_city_opened (country, state, city, opened_on, name_sort, library_id)
        VALUES (:country, :state, :city, :opened_on, :name_sort, :library_id)`,
  params: { ...partition, ...byName, opened_on: cql.date },
  idempotent: true,
});

export const deleteByOpening = statement({
  cql: `DELETE FROM libraries_by_city_opened WHERE country = :country AND state = :state AND city = :city
        AND opened_on = :opened_on AND name_sort = :name_sort AND library_id = :library_id`,
  params: { ...partition, ...byName, opened_on: cql.date },
  idempotent: true,
});

const openingSlice = { ...partition, ...byName, opened_on: cql.date, rows_max: cql.int };
const openingRow = cql.row({ ...byName, opened_on: cql.date });

export const selectByOpeningAscending = statement({
  cql: `SELECT opened_on, name_sort, library_id FROM libraries_by_city_opened
        WHERE country = :country AND state = :state AND city = :city
        AND (opened_on, name_sort, library_id) > (:opened_on, :name_sort, :library_id)
        ORDER BY opened_on ASC, name_sort ASC, library_id ASC LIMIT :rows_max`,
  params: openingSlice,
  row: openingRow,
  idempotent: true,
});

export const selectByOpeningDescending = statement({
  cql: `SELECT opened_on, name_sort, library_id FROM libraries_by_city_opened
        WHERE country = :country AND state = :state AND city = :city
        AND (opened_on, name_sort, library_id) < (:opened_on, :name_sort, :library_id)
        ORDER BY opened_on DESC, name_sort DESC, library_id DESC LIMIT :rows_max`,
  params: openingSlice,
  row: openingRow,
  idempotent: true,
});

// places: for pickers.

const place = { name_sort: cql.text, name: cql.text };

export const insertPlace = statement({
  cql: `INSERT INTO places (inside, name_sort, name) VALUES (:inside, :name_sort, :name)`,
  params: { inside: cql.text, ...place },
  idempotent: true,
});

export const selectPlacesAscending = statement({
  cql: `SELECT name_sort, name FROM places WHERE inside = :inside AND name_sort > :name_sort
        ORDER BY name_sort ASC LIMIT :rows_max`,
  params: { inside: cql.text, name_sort: cql.text, rows_max: cql.int },
  row: cql.row(place),
  idempotent: true,
});

export const selectPlacesDescending = statement({
  cql: `SELECT name_sort, name FROM places WHERE inside = :inside AND name_sort < :name_sort
        ORDER BY name_sort DESC LIMIT :rows_max`,
  params: { inside: cql.text, name_sort: cql.text, rows_max: cql.int },
  row: cql.row(place),
  idempotent: true,
});
