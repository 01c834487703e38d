import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { wordsOf } from '../text/folding.ts';
import usStates from './us-states.json' with { type: 'json' };

/** Converts places as people type them to the form in which they are compared. */

countries.registerLocale(english);

/**
 * The states of the United States, the District of Columbia and the territories, by their postal
 * codes.
 */
const US_STATES: Readonly<Record<string, string>> = usStates;

/** Words that people abbreviate in the names of places. */
const ABBREVIATIONS: Readonly<Record<string, string>> = { saint: 'st', sainte: 'ste', fort: 'ft', mount: 'mt' };

const compared = (text: string) => wordsOf(text).join(' ');

/** The letters of an abbreviation: `U.S.A.` → `USA`. */
const lettersOf = (words: readonly string[]) => words.join('').toUpperCase();

const codesOfCountries = new Map(
  Object.entries(countries.getNames('en', { select: 'all' })).flatMap(([code, names]) =>
    names.map((name) => [compared(name), code] as const),
  ),
);
const codesOfStates = new Map(Object.entries(US_STATES).map(([code, name]) => [compared(name), code]));

/**
 * The ISO 3166-1 code of a country, given its code of two or three letters or its English name. For
 * an unknown country, its folded name.
 */
export function countryKey(country: string): string {
  const words = wordsOf(country);
  const [short, name] = [lettersOf(words), words.join(' ')];
  if (countries.isValid(short)) return countries.toAlpha2(short) ?? short;
  return codesOfCountries.get(name) ?? name;
}

/**
 * The postal code of a state of the United States, given its code or name. For other states, the
 * folded name.
 */
export function stateKey(country: string, state: string): string {
  const words = wordsOf(state);
  const [short, name] = [lettersOf(words), words.join(' ')];
  if (country !== 'US') return name;
  return short in US_STATES ? short : (codesOfStates.get(name) ?? name);
}

/** The folded name of a city, with abbreviations. */
export const cityKey = (city: string): string =>
  wordsOf(city)
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ');

/** The English name of a country. */
export const countryName = (key: string): string =>
  key === 'US' ? 'United States' : (countries.getName(key, 'en') ?? key);

export const stateName = (country: string, key: string): string | undefined =>
  country === 'US' ? US_STATES[key] : undefined;
