import { loaderOf } from '../cassandra/key-loaders.ts';
import { perRequest } from '../context/context.ts';
import { selectLibraries } from './tables.ts';

export const libraryLoader = perRequest((context) => loaderOf(context, selectLibraries));
