import type { Audience } from '../documents.generated.ts';

/** The audiences that a reader can choose, with what they are called. */
export const AUDIENCES: readonly (readonly [Audience, string])[] = [
  ['EVERYONE', 'Everyone'],
  ['SIGNED_IN', 'Readers who are logged in'],
  ['FOLLOWERS', 'Readers who follow me'],
  ['ONLY_ME', 'Only me'],
];

/** Returns the name of an audience, as readers see it. */
export const audienceName = (audience: Audience): string =>
  AUDIENCES.find(([each]) => each === audience)?.[1] ?? audience;
