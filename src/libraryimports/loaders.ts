import { loaderOf } from '../cassandra/key-loaders.ts';
import { perRequest } from '../context/context.ts';
import { selectImports } from './tables.ts';

export const importLoader = perRequest((context) => loaderOf(context, selectImports));
