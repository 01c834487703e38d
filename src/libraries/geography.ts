import countries from 'i18n-iso-countries';
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { wordsOf } from '../text/folding.ts';

/** Converts places as people type them to the form in which they are compared. */

countries.registerLocale(english);

/**
 * The states of the United States, the District of Columbia and the territories, by their postal
 * codes.
 */
// prettier-ignore
const US_STATES: Readonly<Record<string, string>> = {
  AL: 'Alabama', AK: 'Alaska', AZ: 'Arizona', AR: 'Arkansas', CA: 'California', CO: 'Colorado', CT: 'Connecticut',
  DE: 'Delaware', DC: 'District of Columbia', FL: 'Florida', GA: 'Georgia', HI: 'Hawaii', ID: 'Idaho', IL: 'Illinois',
  IN: 'Indiana', IA: 'Iowa', KS: 'Kansas', KY: 'Kentucky', LA: 'Louisiana', ME: 'Maine', MD: 'Maryland',
  MA: 'Massachusetts', MI: 'Michigan', MN: 'Minnesota', MS: 'Mississippi', MO: 'Missouri', MT: 'Montana',
  NE: 'Nebraska', NV: 'Nevada', NH: 'New Hampshire', NJ: 'New Jersey', NM: 'New Mexico', NY: 'New York',
  NC: 'North Carolina', ND: 'North Dakota', OH: 'Ohio', OK: 'Oklahoma', OR: 'Oregon', PA: 'Pennsylvania',
  RI: 'Rhode Island', SC: 'South Carolina', SD: 'South Dakota', TN: 'Tennessee', TX: 'Texas', UT: 'Utah', VT: 'Vermont',
  VA: 'Virginia', WA: 'Washington', WV: 'West Virginia', WI: 'Wisconsin', WY: 'Wyoming', AS: 'American Samoa',
  GU: 'Guam', MP: 'Northern Mariana Islands', PR: 'Puerto Rico', VI: 'U.S. Virgin Islands',
};

/** Words that people abbreviate in the names of places. */
const ABBREVIATIONS: Readonly<Record<string, string>> = { saint: 'st', sainte: 'ste', fort: 'ft', mount: 'mt' };

const compared = (text: string) => wordsOf(text).join(' ');

/** The letters of an abbreviation: `U.S.A.` → `USA`. */
const letters = (text: string) => wordsOf(text).join('').toUpperCase();

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
  const short = letters(country);
  if (countries.isValid(short)) return countries.toAlpha2(short) ?? short;
  return codesOfCountries.get(compared(country)) ?? compared(country);
}

/**
 * The postal code of a state of the United States, given its code or name. For other states, the
 * folded name.
 */
export function stateKey(country: string, state: string): string {
  if (country !== 'US') return compared(state);
  const short = letters(state);
  return short in US_STATES ? short : (codesOfStates.get(compared(state)) ?? compared(state));
}

/** The folded name of a city, with abbreviations. */
export const cityKey = (city: string): string =>
  wordsOf(city)
    .map((word) => ABBREVIATIONS[word] ?? word)
    .join(' ');

/** The English name of a country. */
export const countryName = (key: string): string =>
  key === 'US' ? 'United States' : (countries.getName(key, 'en') ?? key);

/** The name of a state. */
export const stateName = (country: string, key: string): string | undefined =>
  country === 'US' ? US_STATES[key] : undefined;
