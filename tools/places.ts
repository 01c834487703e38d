import { join } from 'node:path';
import type { LaunchPlaces } from './launch/launch.ts';

const PROJECT = join(import.meta.dirname, '..');

/** The catalogue and the libraries that the project ships. */
export const SAMPLE = join(PROJECT, 'data/books.csv');
export const SAMPLE_LIBRARIES = join(PROJECT, 'data/libraries.csv');

/** The places where a started Cassandra stores its data between starts. */
export const PLACES: LaunchPlaces = {
  folder: join(PROJECT, '.cassandra'),
  dataFolder: join(PROJECT, '.cassandra/data'),
  volume: 'social-e-library',
  isTemporary: false,
  isShort: false,
};
