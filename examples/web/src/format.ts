const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
/** A day is the same in every time zone. */
const DAY_ALONE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a moment as a day, where the reader is; a day as it is. */
export const dayOf = (at: string): string => (at.includes('T') ? DAY : DAY_ALONE).format(new Date(at));

/** Returns the name of a month, from 1 to 12. */
export const monthOf = (month: number): string => MONTH.format(new Date(Date.UTC(2000, month - 1)));

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' });

/** Returns the name of a language by its code: `eng` and `en` are English. */
export function languageOf(code: string): string {
  try {
    return LANGUAGES.of(Intl.getCanonicalLocales(code)[0] ?? code) ?? code;
  } catch {
    return code;
  }
}

export const momentOf = (at: string): string => MOMENT.format(new Date(at));

export function priceOf({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount as `${number}`);
}

const CURRENCIES = new Intl.DisplayNames('en', { type: 'currency' });

/** Returns the name of a currency: EUR is "Euro". */
export const currencyOf = (code: string): string => CURRENCIES.of(code) ?? code;

/** Returns today where the reader is, as a day: `2026-03-01`. */
export function today(): string {
  const now = new Date();
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`;
}

/** Returns a value of an enum as people write it: LIKE_NEW is "Like new". */
export function wordsOf(value: string): string {
  const words = value.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns how much of a book its reader has read. */
export const progressOf = ({ viewerReading }: { readonly viewerReading: { readonly progress: number } | null }) =>
  `${viewerReading?.progress ?? 0} % read`;

/** Returns a number of things in words: `1 book`, `2,000 books`. */
export const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;
