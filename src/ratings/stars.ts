import { invalidInput } from '../graphql/errors.ts';
import { STEPS } from '../member-sets/histogram.ts';

/**
 * Converts ratings between stars, which clients use, and quarters of a star, which tables store.
 */

const QUARTERS_PER_STAR = 4;

export const starsOf = (quarters: number): number => quarters / QUARTERS_PER_STAR;

/** Returns a rating in quarters; `undefined` if it is not one of the twenty steps. */
export function quartersOf(stars: number): number | undefined {
  const quarters = stars * QUARTERS_PER_STAR;
  return Number.isInteger(quarters) && quarters >= 1 && quarters <= STEPS ? quarters : undefined;
}

/**
 * Reads a rating from the input of a mutation.
 * @returns quarters of a star, from 1 to 20
 * @throws {UserError} `INVALID_INPUT` about `rating`
 */
export function ratingInput(stars: number): number {
  const quarters = quartersOf(stars);
  if (quarters === undefined)
    throw invalidInput(['rating'], 'A rating is a number of stars from 0.25 to 5 in steps of 0.25, for example 3.5.');
  return quarters;
}
