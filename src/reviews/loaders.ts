import { loaderOf } from '../cassandra/key-loaders.ts';
import { perRequest } from '../context/context.ts';
import { selectReviews } from './tables.ts';

export const reviewLoader = perRequest((context) => loaderOf(context, selectReviews));
