import { encodeId } from '../ids.ts';
import type { Resolvers } from '../schema.generated.ts';
import { existingLibrary, librariesOf, placesIn } from './operations.ts';

export const resolvers: Resolvers = {
  Query: {
    libraries: (_query, { country, state, city, orderBy, ...page }, context) =>
      librariesOf(context, { country, state, city }, orderBy, page),
    countries: (_query, page, context) => placesIn(context, {}, page),
    states: (_query, { country, ...page }, context) => placesIn(context, { country }, page),
    cities: (_query, { country, state, ...page }, context) => placesIn(context, { country, state }, page),
  },
  Library: {
    id: (library) => encodeId({ type: 'Library', key: library.id }),
  },
  LibraryEdge: {
    node: ({ libraryId }, _args, context) => existingLibrary(context, libraryId),
  },
};
