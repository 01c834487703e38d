import { z } from 'zod';
import { each, type Cassandra } from '../cassandra/statement.ts';
import { TEXT_LENGTH_MAX } from '../catalogue/inputs.ts';
import { selectLines } from './tables.ts';

/** The maximum length of a shelf's name, in code points: that of a title. */
export const SHELF_LENGTH_MAX = TEXT_LENGTH_MAX;

const day = z.iso.date().nullable();

/** One reading of a book in a file. An unknown day is null. */
const importedRead = z.object({ startedOn: day, finishedOn: day });

/** The model of a line of a reader's library, the same for every source. */
export const importedLine = z.object({
  /** Empty if only an ISBN or an id names the book. */
  title: z.string(),
  authors: z.array(z.string()),
  /** ISBN-13s. */
  isbns: z.array(z.string()),
  /** The ids of the book at its sources, as the catalogue has them. */
  sourceIds: z.array(z.string()),
  /** The shelf or status in the spelling of the file; null if the line has none. */
  shelf: z.string().nullable(),
  /** The finished readings, oldest first. */
  reads: z.array(importedRead),
  /** The first day of the unfinished reading, which is in progress or was given up. */
  startedOn: day,
  addedOn: day,
  /** In percent; null if unknown. */
  progress: z.number().nullable(),
  /** From 0.25 to 5. */
  rating: z.number().nullable(),
  review: z.string().nullable(),
  hasSpoilers: z.boolean(),
  privateNotes: z.string().nullable(),
  tags: z.array(z.string()),
  /** Sentences about the parts of the line that were not kept. */
  warnings: z.array(z.string()),
});
export type ImportedLine = z.output<typeof importedLine>;

/** Yields the stored lines of an import, in the order of the file. */
export const linesOf = (cassandra: Cassandra, import_id: string) =>
  each(cassandra, selectLines, { import_id, after: 0 });

/** Parses the stored text of a line. */
export const parseLine = (text: string): ImportedLine => importedLine.parse(JSON.parse(text));

/** The title of a line, or the ISBN or id of its book if it has none. */
export const titleOf = ({ title, isbns, sourceIds }: ImportedLine): string => title || (isbns[0] ?? sourceIds[0] ?? '');

export type ImportedRead = z.output<typeof importedRead>;

/** Joins the sentences of a reason. */
export const sentences = (...all: readonly string[]): string => all.join(' ');

/** A line of a file, or the reason why it could not be read. */
export type ReadLine = { readonly line: number } & (
  { readonly content: ImportedLine; readonly problem?: never } | { readonly content?: never; readonly problem: string }
);
