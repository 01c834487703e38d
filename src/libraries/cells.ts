/**
 * Divides the surface of the earth into cells, to find the libraries near a position. Bands of half
 * a degree of latitude are divided into columns, so that cells are about as wide as they are high,
 * 56 km.
 */

/** A position in degrees (WGS 84). */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** The mean radius of the earth, R₁ of the International Union of Geodesy and Geophysics. */
const EARTH_RADIUS_KM = 6_371.008_8;
const BAND_DEGREES = 0.5;
const BANDS = 180 / BAND_DEGREES;
const COLUMNS_AT_EQUATOR = 360 / BAND_DEGREES;
/** The length by which a circle is enlarged, so that rounding leaves out no cell at its edge. */
const MARGIN_KM = 0.001;

/** The maximum radius of a circle. */
export const RADIUS_KM_MAX = 100;
/**
 * The maximum number of cells that a circle touches, unless it is within ten degrees of a pole,
 * where they are at most 50.
 */
export const CELLS_MAX = 25;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;

const bandOf = (latitude: number) => Math.min(Math.floor((latitude + 90) / BAND_DEGREES), BANDS - 1);

/** The number of columns of a band, in proportion to the length of its middle parallel. */
function columnsOf(band: number): number {
  const middle = (band + 0.5) * BAND_DEGREES - 90;
  return Math.max(1, Math.round(COLUMNS_AT_EQUATOR * Math.cos(radians(middle))));
}

/** The column of a longitude. Longitudes beyond 180 degrees have columns beyond the last one. */
const columnOf = (longitude: number, columns: number) => Math.floor(((longitude + 180) / 360) * columns);

/** Returns a cell by its column, which may have been counted beyond the date line. */
const cellAt = (band: number, column: number, columns: number) =>
  band * COLUMNS_AT_EQUATOR + ((column + columns) % columns);

export function cellOf({ latitude, longitude }: Position): number {
  const band = bandOf(latitude);
  const columns = columnsOf(band);
  return cellAt(band, columnOf(longitude, columns), columns);
}

/**
 * Returns the cells of the smallest rectangle around a circle. Its meridians touch the circle
 * nearer to the pole than its centre is: J. P. Matuschek, Finding Points Within a Distance of a
 * Latitude/Longitude Using Bounding Coordinates, 3.3.
 */
export function cellsAround({ latitude, longitude }: Position, radiusKm: number): number[] {
  const angle = (radiusKm + MARGIN_KM) / EARTH_RADIUS_KM;
  const [south, north] = [latitude - degrees(angle), latitude + degrees(angle)];
  const hasPole = south <= -90 || north >= 90;
  const halfWidth = hasPole ? 180 : degrees(Math.asin(Math.min(1, Math.sin(angle) / Math.cos(radians(latitude)))));

  const cells: number[] = [];
  for (let band = bandOf(Math.max(south, -90)); band <= bandOf(Math.min(north, 90)); band++) {
    const columns = columnsOf(band);
    const west = columnOf(longitude - halfWidth, columns);
    const east = Math.min(columnOf(longitude + halfWidth, columns), west + columns - 1);
    for (let column = west; column <= east; column++) cells.push(cellAt(band, column, columns));
  }
  return cells;
}

/**
 * Returns the distance of two positions in whole metres, by the haversine formula (R. W. Sinnott,
 * Virtues of the Haversine, Sky and Telescope 68, 1984, page 159). The formula takes the earth as a
 * sphere, which changes a distance by at most 0.6 %. Whole metres are the same on every server, so
 * cursors agree.
 */
export function metresBetween(one: Position, other: Position): number {
  const [latitude, otherLatitude] = [radians(one.latitude), radians(other.latitude)];
  const haversine =
    Math.sin((otherLatitude - latitude) / 2) ** 2 +
    Math.cos(latitude) * Math.cos(otherLatitude) * Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  return Math.round(2_000 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine))));
}
