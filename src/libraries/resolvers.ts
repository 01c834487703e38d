import type { Cursor } from '../graphql/connections.ts';
import { encodeId } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { existingLibrary, librariesOf, placesIn, type Library, type Place } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Library: Library;
    LibraryEdge: { cursor: Cursor; libraryId: string; distanceKm: number | null };
    PlaceEdge: { cursor: Cursor; node: Place };
  }
}

export const resolvers = {
  Query: {
    libraries: (_query, { near, country, state, city, orderBy, openedBetween, ...page }, context) =>
      librariesOf(context, { near, country, state, city, orderBy, openedBetween }, page),
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
} satisfies Resolvers;
