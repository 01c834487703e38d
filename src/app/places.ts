import { join } from 'node:path';
import type { LaunchPlaces } from '../launch/launch.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** The catalogue and the libraries that the project ships. */
export const SAMPLE = join(PROJECT, 'data/books.csv');
export const SAMPLE_LIBRARIES = join(PROJECT, 'data/libraries.csv');

/** What a development server signs its tokens with. */
export const SECRET = join(PROJECT, '.cassandra/access-token-secret');

/** Where a Cassandra that we start keeps its data between starts. */
export const PLACES: LaunchPlaces = {
  folder: join(PROJECT, '.cassandra'),
  dataFolder: join(PROJECT, '.cassandra/data'),
  volume: 'social-e-library',
  isTemporary: false,
};
