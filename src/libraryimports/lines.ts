import { z } from 'zod';
import { TEXT_LENGTH_MAX } from '../catalogue/inputs.ts';

/** The longest name of a shelf that is kept, in code points: that of a title. */
export const SHELF_LENGTH_MAX = TEXT_LENGTH_MAX;

const day = z.iso.date().nullable();

/** One time of reading a book, as a file tells it. An unknown day is null. */
const importedRead = z.object({ startedOn: day, finishedOn: day });

/** The model of a line of a reader's own list, in one form whatever its source. */
export const importedLine = z.object({
  /** Empty if an ISBN or an id tells the book. */
  title: z.string(),
  authors: z.array(z.string()),
  /** ISBN-13s. */
  isbns: z.array(z.string()),
  /** The ids of the book elsewhere, as the catalogue has them. */
  sourceIds: z.array(z.string()),
  /** The shelf or status in the words of the file; null if the line has none. */
  shelf: z.string().nullable(),
  /** The finished readings, oldest first. */
  reads: z.array(importedRead),
  /** The day on which the reading that is not finished, or was given up, was begun. */
  startedOn: day,
  addedOn: day,
  /** In percent; null if it is not told. */
  progress: z.number().nullable(),
  /** From 0.25 to 5. */
  rating: z.number().nullable(),
  review: z.string().nullable(),
  hasSpoilers: z.boolean(),
  privateNotes: z.string().nullable(),
  tags: z.array(z.string()),
  /** The parts of the line that were not kept, as sentences. */
  cut: z.array(z.string()),
});
export type ImportedLine = z.output<typeof importedLine>;
/** Reads the line of the file that a row has. */
export const lineOf = ({ said }: { readonly said: string }): ImportedLine => importedLine.parse(JSON.parse(said));

/** The title of a line; the ISBN or the id that tells its book if it has none. */
export const titleOf = ({ title, isbns, sourceIds }: ImportedLine): string => title || (isbns[0] ?? sourceIds[0] ?? '');

export type ImportedRead = z.output<typeof importedRead>;

/** Joins the sentences of a reason. */
export const sentences = (...all: readonly string[]): string => all.join(' ');

/** A line of a file that was read, or the reason why it could not be. */
export type ReadLine = { readonly line: number } & (
  { readonly said: ImportedLine; readonly problem?: never } | { readonly said?: never; readonly problem: string }
);
