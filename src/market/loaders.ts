import { loaderOf } from '../cassandra/key-loaders.ts';
import { perRequest } from '../context/context.ts';
import { selectListings } from './tables.ts';

export const itemLoader = perRequest((context) => loaderOf(context, selectListings));
