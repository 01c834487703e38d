import { UNKNOWN_FIELDS, unknownFieldsOf } from '../../../src/cassandra/unknown-fields.ts';

/** Returns a state with the field that the later release has added to every state. */
export const withLaterField = <State>(state: State): State =>
  typeof state === 'object' && state !== null
    ? { ...state, [UNKNOWN_FIELDS]: { ...unknownFieldsOf(state), later: 'of the later release' } }
    : state;
