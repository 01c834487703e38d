import { loaderOf } from '../cassandra/row-loader.ts';
import { perRequest } from '../context/context.ts';
import { selectSessions } from './tables.ts';

export const sessionLoader = perRequest((context) => loaderOf(context, selectSessions));
