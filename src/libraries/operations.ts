import { connection, type Connection, type PageArguments, type Cursor } from '../graphql/connections.ts';
import type { RequestContext } from '../context/context.ts';
import { cql } from '../cassandra/columns.ts';
import { FILTERED_ROWS_MIN, listInMemory } from '../cassandra/paging.ts';
import { cursorOf, type RangeList, type Within } from '../cassandra/range.ts';
import { rows } from '../cassandra/statement.ts';
import { badUserInput } from '../graphql/errors.ts';
import type { LibraryOrder } from '../graphql/generated/schema-types.ts';
import { isLongerThan } from '../text/text.ts';
import { requireOrderedRange } from '../time/ranges.ts';
import { cellsAround, metresBetween, RADIUS_KM_MAX, type Position } from './cells.ts';
import { cityKey, countryKey, countryName, stateKey, stateName } from './geography.ts';
import { libraryLoader } from './loaders.ts';
import { librariesByName, librariesByOpening, places, selectInCells, type LibraryRow } from './tables.ts';

/** A place that has libraries. */
export interface Place {
  readonly name: string;
}

/** The stored day of an unknown opening, later than all others. */
export const UNKNOWN_OPENING = '9999-12-31';
/** Stands for any country or state in keys. No name is converted to this text. */
export const ANY = '*';
/** The maximum number of libraries that are read of a cell; the fullest of the sample has 138. */
const LIBRARIES_PER_CELL_MAX = 5_000;
/** The parent of the countries. */
export const WORLD = 'world';
const PLACE_LENGTH_MAX = 200;

/** Returns a library by id; null if there is none. */
export async function libraryById(context: RequestContext, libraryId: string): Promise<Library | null> {
  const row = await libraryLoader(context).load(libraryId);
  return row ? libraryOf(row) : null;
}

/** Returns a library that is known to exist because a list names it. */
export async function existingLibrary(context: RequestContext, libraryId: string): Promise<Library> {
  const library = await libraryById(context, libraryId);
  if (!library) throw new Error(`The library ${libraryId} is listed, but does not exist`);
  return library;
}

const libraryOf = (row: LibraryRow) => ({
  type: 'Library' as const,
  id: row.library_id,
  name: row.name,
  address: row.address,
  postalCode: row.postal_code,
  city: row.city,
  state: stateName(row.country, row.state) ?? row.state,
  country: countryName(row.country),
  longitude: row.longitude,
  latitude: row.latitude,
  openedOn: row.opened_on,
});

/** A library as a place that readers can visit. */
export type Library = Readonly<ReturnType<typeof libraryOf>>;

function placeArgument(name: 'country' | 'state' | 'city', text: string): string {
  if (text.trim() === '' || isLongerThan(text, PLACE_LENGTH_MAX)) {
    throw badUserInput(`The argument "${name}" must have 1 to ${PLACE_LENGTH_MAX} characters.`);
  }
  return text;
}

/** A circle on the earth, as a query gives it. */
export interface Circle extends Position {
  readonly withinKm: number;
}

/** The cities with a name, as people type it, in a state, a country or the world. */
interface City {
  readonly country?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly city?: string | null | undefined;
}

/** The libraries of a city, in an order; by name if none is given. */
interface InCity extends City {
  readonly orderBy?: LibraryOrder | null | undefined;
  /**
   * Days such as `1911-05-23`. Libraries with an unknown opening are left out. A range without ends
   * filters nothing.
   */
  readonly openedBetween?: Within<string> | null | undefined;
}

/** The libraries that a query asks for: those in a circle, or those of a city. */
export interface LibrariesAsked extends InCity {
  readonly near?: Circle | null | undefined;
}

/** A page of libraries. `distanceKm`: the distance to the centre of the circle. */
export type LibraryConnection = Connection<{ cursor: Cursor; libraryId: string; distanceKm: number | null }>;

/**
 * Returns a page of the libraries in a circle, nearest first, or of those of a city; empty if the
 * place is not known.
 * @throws `BAD_USER_INPUT` when there is neither a circle nor a city, when there are both, when a
 *   state is without its country, or a value cannot be used
 */
export const librariesOf = (
  context: RequestContext,
  { near, ...inCity }: LibrariesAsked,
  page: PageArguments,
): Promise<LibraryConnection> =>
  near ? librariesNear(context, near, inCity, page) : librariesInCity(context, inCity, page);

async function librariesNear(
  { cassandra }: RequestContext,
  circle: Circle,
  inCity: InCity,
  page: PageArguments,
): Promise<LibraryConnection> {
  requireNoCity(inCity);
  requireValidCircle(circle);
  const { latitude, longitude, withinKm } = circle;

  const found = await rows(cassandra, selectInCells, {
    cells: cellsAround(circle, withinKm),
    rows_max: LIBRARIES_PER_CELL_MAX,
  });
  const near = found
    .map((library) => ({ metres: metresBetween(circle, library), library_id: library.library_id }))
    .filter(({ metres }) => metres <= withinKm * 1_000)
    .toSorted(byDistance);
  const list = {
    ...listInMemory(near, byDistance),
    name: `libraries near ${latitude} ${longitude} ${withinKm}`,
    descending: false,
    cursor: cursorOf({ metres: cql.int, library_id: cql.text }),
  };
  return connection(page, list, ({ metres, library_id }, cursor) => ({
    cursor,
    libraryId: library_id,
    distanceKm: metres / 1_000,
  }));
}

interface Distant {
  readonly metres: number;
  readonly library_id: string;
}

const byDistance = (one: Distant, other: Distant) =>
  one.metres - other.metres || Number(one.library_id > other.library_id) - Number(one.library_id < other.library_id);

function requireNoCity(inCity: InCity): void {
  for (const [name, value] of Object.entries(inCity))
    if (value != null)
      throw badUserInput(
        `The argument "${name}" cannot be used with "near", which lists the nearest libraries first; ` +
          'leave one of them out.',
      );
}

function requireValidCircle({ latitude, longitude, withinKm }: Circle): void {
  const wrong = (name: string, least: number, most: number) =>
    badUserInput(`The argument "near": "${name}" must be from ${least} to ${most}.`);
  if (Math.abs(latitude) > 90) throw wrong('latitude', -90, 90);
  if (Math.abs(longitude) > 180) throw wrong('longitude', -180, 180);
  if (withinKm < 0 || withinKm > RADIUS_KM_MAX) throw wrong('withinKm', 0, RADIUS_KM_MAX);
}

async function librariesInCity(
  { cassandra }: RequestContext,
  { orderBy, openedBetween, ...place }: InCity,
  page: PageArguments,
): Promise<LibraryConnection> {
  const key = cityIn(place);
  const order = orderBy ?? 'NAME';
  const { from, to } = openedBetween ?? {};
  requireOrderedRange({ from, to }, 'openedBetween');
  const opened = from || to ? { from, to: to ?? UNKNOWN_OPENING } : undefined;

  const shared = {
    name: `libraries ${order} ${key.country}/${key.state}/${key.city} ${from ?? ''} ${to ?? ''}`,
    descending: order === 'OPENED_DESC',
  };
  const edgeOf = ({ library_id }: { library_id: string }, cursor: Cursor) => ({
    cursor,
    libraryId: library_id,
    distanceKm: null,
  });
  if (order === 'NAME') {
    const filter = opened && { keep: openedWithin(opened), rowsMin: FILTERED_ROWS_MIN };
    return connection(page, { ...shared, ...librariesByName.list(cassandra, key), filter }, edgeOf);
  }
  const byOpening = (within: Within<string>) => librariesByOpening.list(cassandra, key, { within });
  const list =
    order === 'OPENED_DESC' && !opened
      ? knownFirst(byOpening({ to: UNKNOWN_OPENING }), byOpening({ from: UNKNOWN_OPENING }))
      : byOpening(opened ?? {});
  return connection(page, { ...shared, ...list }, edgeOf);
}

/** Returns a city in the form in which it is compared. */
function cityIn({ country, state, city }: City) {
  if (city == null)
    throw badUserInput(
      'Give the argument "city", such as "Salem", or "near", ' +
        'such as { latitude: 44.94, longitude: -123.04, withinKm: 10 }.',
    );
  if (state != null && country == null)
    throw badUserInput(
      'The argument "state" needs "country", such as "US". Without both, the whole world is searched.',
    );
  const countryIn = country == null ? ANY : countryKey(placeArgument('country', country));
  const stateIn = state == null ? ANY : stateKey(countryIn, placeArgument('state', state));
  return { country: countryIn, state: stateIn, city: cityKey(placeArgument('city', city)) };
}

const openedWithin =
  ({ from, to }: { from?: string | null | undefined; to: string }) =>
  ({ opened_on }: { opened_on: string }) =>
    (!from || opened_on >= from) && opened_on < to;

/**
 * The list by opening, newest day first, followed by the libraries with an unknown opening: two
 * parts of one partition. The second part is read in reverse, so that it is also sorted by name.
 */
function knownFirst<Row, Position extends { readonly opened_on: string }>(
  known: RangeList<Row, Position>,
  unknown: RangeList<Row, Position>,
): RangeList<Row, Position> {
  const parts = [unknown, known];
  return {
    ...known,
    partitions: [...parts.keys()],
    partitionOf: ({ opened_on }) => parts.indexOf(opened_on === UNKNOWN_OPENING ? unknown : known),
    read: async (some, slice) => {
      const reads = some.map((part) =>
        parts[part] === known ? known.read([0], slice) : unknown.read([0], { ...slice, descending: !slice.descending }),
      );
      return (await Promise.all(reads)).flat().slice(0, slice.limit);
    },
  };
}

/** A page of places. */
export type PlaceConnection = Connection<{ cursor: Cursor; node: Place }>;

/**
 * Returns a page, by name, of the countries, the states of a country or the cities of a state that
 * have libraries.
 * @throws `BAD_USER_INPUT` when a place's name or the paging arguments cannot be used
 */
export async function placesIn(
  { cassandra }: RequestContext,
  within: { country?: string; state?: string },
  page: PageArguments,
): Promise<PlaceConnection> {
  const country = within.country === undefined ? WORLD : countryKey(placeArgument('country', within.country));
  if (country === '') throw badUserInput('The argument "country" must have a letter or a digit.');
  const inside =
    within.state === undefined ? country : `${country}/${stateKey(country, placeArgument('state', within.state))}`;
  const list = { name: `places ${inside}`, descending: false, ...places.list(cassandra, { inside }) };
  return connection(page, list, ({ name }, cursor) => ({ cursor, node: { name } }));
}
