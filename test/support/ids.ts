import { idArgument, subjectOf } from '../../src/graphql/ids.ts';

/** Returns the key of an id of the API, as in `9780439023481`. */
export const keyOf = (id: string): string => idArgument('id', id).key;

/** Returns the text that tables store for an id, such as `Book:9780439023481`. */
export const storedIdOf = (id: string): string => subjectOf(idArgument('id', id));
