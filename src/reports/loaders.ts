import { loaderOf } from '../cassandra/key-loaders.ts';
import { perRequest } from '../context/context.ts';
import { selectReports } from './tables.ts';

export const reportLoader = perRequest((context) => loaderOf(context, selectReports));
