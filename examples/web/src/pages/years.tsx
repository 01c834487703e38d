import { Link } from '../router.tsx';
import { today } from '../format.ts';

/** The years that have statistics: from the first one to the next year, for its goal. */

const FIRST_YEAR = 1900;

const thisYear = (): number => Number(today().slice(0, 4));

/** Returns the year in an address; this year if there is none that has statistics. */
export function yearIn(asked: string): number {
  const isYear = /^\d{4}$/.test(asked) && Number(asked) >= FIRST_YEAR && Number(asked) <= thisYear() + 1;
  return isYear ? Number(asked) : thisYear();
}

export const yearPath = (year: number): string => `/year/${year}`;

/** Returns the path of a reader's year, as others see it. */
export const sharedYearPath = (readerId: string, year: number): string => `/reader/${readerId}/year/${year}`;

/** Returns the path of the diary of a year, or of a month of it, from 1. */
export const diaryPath = (year: number, month?: number): string =>
  `/history/${year}${month === undefined ? '' : `#${monthId(month)}`}`;

/** The id of a month on the page of the diary. */
export const monthId = (month: number): string => `month-${month}`;

interface Props {
  readonly year: number;
  readonly pathOf: (year: number) => string;
}

/** Links to the years before and after one. */
export function YearLinks({ year, pathOf }: Props) {
  return (
    <>
      {year > FIRST_YEAR && <Link to={pathOf(year - 1)}>← {year - 1}</Link>}{' '}
      {year <= thisYear() && <Link to={pathOf(year + 1)}>{year + 1} →</Link>}
    </>
  );
}
