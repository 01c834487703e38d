import { cql } from '../cassandra/codecs.ts';
import { range } from '../cassandra/range.ts';
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
});

export const selectLibraries = statement({
  cql: `SELECT library_id, name, address, postal_code, city, state, country, longitude, latitude, opened_on
        FROM libraries_by_id WHERE library_id IN :library_ids`,
  params: { library_ids: cql.text.array() },
  row: cql.row({ ...library, opened_on: cql.date.nullable() }),
});

// The lists of a city.

const partition = { country: cql.text, state: cql.text, city: cql.text };
const byName = { name_sort: cql.text, library_id: cql.text };

export const insertByName = statement({
  cql: `INSERT INTO libraries_by_city (country, state, city, name_sort, library_id)
        VALUES (:country, :state, :city, :name_sort, :library_id)`,
  params: { ...partition, ...byName },
});

export const deleteByName = statement({
  cql: `DELETE FROM libraries_by_city
        WHERE country = :country AND state = :state AND city = :city AND name_sort = :name_sort AND library_id = :library_id`,
  params: { ...partition, ...byName },
});

export const librariesByName = range({ table: 'libraries_by_city', partition, order: byName });

export const insertByOpening = statement({
  cql: `INSERT INTO libraries_by_city_opened (country, state, city, opened_on, name_sort, library_id)
        VALUES (:country, :state, :city, :opened_on, :name_sort, :library_id)`,
  params: { ...partition, ...byName, opened_on: cql.date },
});

export const deleteByOpening = statement({
  cql: `DELETE FROM libraries_by_city_opened WHERE country = :country AND state = :state AND city = :city
        AND opened_on = :opened_on AND name_sort = :name_sort AND library_id = :library_id`,
  params: { ...partition, ...byName, opened_on: cql.date },
});

export const librariesByOpening = range({
  table: 'libraries_by_city_opened',
  partition,
  order: { opened_on: cql.date, ...byName },
});

// places: for pickers.

const place = { name_sort: cql.text, name: cql.text };

export const insertPlace = statement({
  cql: `INSERT INTO places (inside, name_sort, name) VALUES (:inside, :name_sort, :name)`,
  params: { inside: cql.text, ...place },
});

export const places = range({
  table: 'places',
  partition: { inside: cql.text },
  order: { name_sort: cql.text },
  columns: { name: cql.text },
});
