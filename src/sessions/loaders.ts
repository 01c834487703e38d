import { loaderOf } from '../cassandra/key-loaders.ts';
import { perRequest } from '../context/context.ts';
import { selectSessions } from './tables.ts';

export const sessionLoader = perRequest((context) => loaderOf(context, selectSessions));
