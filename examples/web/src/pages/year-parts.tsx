import { Bars } from '../components/bars.tsx';
import { BookCard } from '../components/book-card.tsx';
import { Section } from '../components/section.tsx';
import type { YearOfReadingFragment } from '../documents.generated.ts';
import { counted, monthOf } from '../format.ts';

/** The parts of a year that its reader and others see. */

interface Props {
  readonly statistics: NonNullable<YearOfReadingFragment['statistics']>;
}

interface MonthsProps extends Props {
  /** Returns the path of the page that a month leads to; by default it leads nowhere. */
  readonly pathOf?: (month: number) => string;
}

export function Months({ statistics, pathOf }: MonthsProps) {
  return (
    <Section title="Months">
      <p>
        {readOf(statistics)}
        {!statistics.isComplete && '. The year has more books, which are not counted here.'}
      </p>
      <Bars
        label="Books by month"
        bars={statistics.months.map(({ month, books, pages }) => ({
          name: monthOf(month),
          value: books,
          text: books === 0 ? '' : readOf({ books, pages }),
          to: books === 0 ? undefined : pathOf?.(month),
        }))}
      />
    </Section>
  );
}

export function Genres({ statistics: { genres } }: Props) {
  if (genres.length === 0) return null;
  return (
    <Section title="Genres">
      <Bars
        label="Books by genre"
        bars={genres.map(({ genre, books }) => ({ name: genre, value: books, text: String(books) }))}
      />
    </Section>
  );
}

interface HighlightsProps extends Props {
  /** The stars of the book with the highest rating; unset if the one who looks may not know them. */
  readonly rating?: string;
}

export function Highlights({ statistics: { longest, dearest }, rating }: HighlightsProps) {
  if (!longest && !dearest) return null;
  return (
    <Section title="Highlights">
      <ul className="cards">
        {longest && <BookCard book={longest} note={`The longest: ${longest.pages} pages`} />}
        {dearest && (
          <BookCard
            book={dearest}
            note={rating === undefined ? 'The highest rating' : `Your highest rating: ${rating}`}
          />
        )}
      </ul>
    </Section>
  );
}

/** Returns how much was read. Books whose pages nobody knows have none, which would look like none read. */
const readOf = ({ books, pages }: { readonly books: number; readonly pages: number }) =>
  pages === 0 ? booksOf(books) : `${booksOf(books)}, ${counted(pages, 'page')}`;

export const booksOf = (books: number): string => (books === 1 ? 'one book' : counted(books, 'book'));
