import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { parse, type InfoRecord } from 'csv-parse';
import pLimit, { type LimitFunction } from 'p-limit';
import { z } from 'zod';
import { first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { tidied } from '../text/text.ts';
import { repeated } from './in-bulk.ts';
import { insertImport, selectImport } from './tables.ts';

/** The import of a CSV file: every row is written or refused with a reason, and a kill loses nothing but time. */

const ROWS_PER_BATCH = 500;
const WRITES_AT_ONCE = 64;

/** A row that can be imported, or why it cannot. */
export type ReadRow<Row> = { row: Row; reason?: never } | { row?: never; reason: string };

/** What a kind of file holds. */
export interface FileKind<Columns extends z.ZodObject, Row> {
  /** The columns that are read; others are left alone. Optional ones need not be there. */
  readonly columns: Columns;
  readonly read: (columns: z.output<Columns>) => ReadRow<Row>;
  /** What a row is about, of which there is one: `the same book`. */
  readonly noun: string;
  readonly keyOf: (row: Row) => string;
  /** Writes some rows, so much at once as the limit says, each until it is written. Doing so again changes nothing. */
  readonly write: (app: AppContext, rows: readonly Row[], limit: LimitFunction) => Promise<void>;
}

/** What an import did; the same for a file however often it was interrupted. */
export interface ImportFigures {
  /** Rows of the file, the header not counted. */
  readonly rows: number;
  readonly imported: number;
  readonly rejected: number;
}

export interface ImportProgress {
  readonly rows: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface ImportOptions {
  /** How much is written at once. */
  readonly limit?: LimitFunction;
  /** Imports only so many rows from the beginning; the next import goes on behind them. */
  readonly rowsMax?: number;
  /** Gets every refused row with its line and reason; written anew. */
  readonly rejectsFile?: string;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Files that cannot be imported at all. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** A text without stray spaces, in one Unicode spelling. */
export const tidyText = z.string().transform(tidied);
export const requiredText = tidyText.pipe(z.string().min(1, 'is empty'));
export const optionalText = tidyText.transform((text) => (text === '' ? null : text));

/** Whether a file was imported to its end. */
export const isImported = async (app: AppContext, file: string): Promise<boolean> =>
  (await importProgress(app, await checksumOf(file))).isFinished;

/** How far an import is, by the checksum of what it imports. */
export async function importProgress(
  app: AppContext,
  checksum: string,
): Promise<{ rowsDone: number; isFinished: boolean }> {
  const found = await repeated(app, () => first(app.cassandra, selectImport, { file_checksum: checksum }));
  return { rowsDone: found?.rows_done ?? 0, isFinished: found?.finished_at != null };
}

/** Remembers how far an import is. */
export async function keepImportProgress(
  app: AppContext,
  checksum: string,
  rowsDone: number,
  isFinished: boolean,
): Promise<void> {
  const finished_at = isFinished ? app.clock() : null;
  const done = { file_checksum: checksum, rows_done: rowsDone, finished_at };
  await repeated(app, () => write(app.cassandra, insertImport, done));
}

/**
 * Imports a file. Writing a row again changes nothing, so it can be repeated; one that was interrupted goes on where it
 * was, but checks the whole file anew, so that its figures and its rejects are those of the whole file.
 * @param onImported is told of every row that is not refused, those that were written before included
 * @throws {ImportError} when the file lacks a column
 */
export async function importFile<Columns extends z.ZodObject, Row>(
  app: AppContext,
  kind: FileKind<Columns, Row>,
  file: string,
  { limit = pLimit(WRITES_AT_ONCE), rowsMax, rejectsFile, onProgress }: ImportOptions,
  onImported: (row: Row) => void = () => undefined,
): Promise<ImportFigures> {
  const fileChecksum = await checksumOf(file);
  const bytesTotal = (await stat(file)).size;
  const { rowsDone, isFinished } = await importProgress(app, fileChecksum);
  const rowsWritten = isFinished ? 0 : rowsDone;
  const rejects = rejectsFile === undefined ? undefined : await open(rejectsFile, 'w');
  const figures = { rows: 0, imported: 0, rejected: 0 };
  let batch: Row[] = [];

  const finishBatch = async (isLast: boolean) => {
    await kind.write(app, batch, limit);
    batch = [];
    await keepImportProgress(app, fileChecksum, Math.max(figures.rows, rowsWritten), isLast);
  };

  try {
    await rejects?.write('line,reason,row\n');
    for await (const { line, raw, bytesDone, row, reason = '' } of rowsOfFile(kind, file)) {
      figures.rows += 1;
      if (row === undefined) {
        figures.rejected += 1;
        await rejects?.write([String(line), reason, raw].map(quoted).join(',') + '\n');
      } else {
        figures.imported += 1;
        onImported(row);
        if (figures.rows > rowsWritten) batch.push(row);
      }
      if (figures.rows % ROWS_PER_BATCH === 0 || figures.rows === rowsMax) {
        if (figures.rows > rowsWritten) await finishBatch(false);
        onProgress?.({ rows: figures.rows, bytesDone, bytesTotal });
      }
      if (figures.rows === rowsMax) return figures;
    }
    await finishBatch(true);
    onProgress?.({ rows: figures.rows, bytesDone: bytesTotal, bytesTotal });
    return figures;
  } finally {
    await rejects?.close();
  }
}

/**
 * The rows of a file, each as it can be imported, or with the reason why it cannot.
 * @throws {ImportError} when the file lacks a column
 */
export async function* rowsOfFile<Columns extends z.ZodObject, Row>(
  kind: FileKind<Columns, Row>,
  file: string,
): AsyncGenerator<ReadRow<Row> & { readonly line: number; readonly raw: string; readonly bytesDone: number }> {
  const linesOfKeys = new Map<string, number>();
  for await (const { record, info, raw: withEnd } of recordsOf(file, kind.columns)) {
    const raw = withEnd.trimEnd();
    const line = info.lines - raw.split('\n').length + 1;
    const read = readRecord(kind, linesOfKeys, record, info);
    if (read.row !== undefined) linesOfKeys.set(kind.keyOf(read.row), line);
    yield { ...read, line, raw, bytesDone: info.bytes };
  }
}

function readRecord<Columns extends z.ZodObject, Row>(
  kind: FileKind<Columns, Row>,
  linesOfKeys: ReadonlyMap<string, number>,
  record: Record<string, string>,
  info: InfoRecord,
): ReadRow<Row> {
  if ((info as { error?: unknown }).error) return { reason: 'has another number of columns than the header' };
  const columns = kind.columns.safeParse(record);
  if (!columns.success) {
    const [issue] = columns.error.issues;
    return { reason: `${String(issue?.path[0])} ${issue?.message ?? ''}` };
  }
  const read = kind.read(columns.data);
  const earlier = read.row === undefined ? undefined : linesOfKeys.get(kind.keyOf(read.row));
  return earlier === undefined ? read : { reason: `is the same ${kind.noun} as line ${String(earlier)}` };
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The SHA-256 of a file, in hexadecimal digits. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function* recordsOf(file: string, columns: z.ZodObject) {
  const needed = Object.entries(columns.shape)
    .filter(([, type]) => !(type instanceof z.ZodOptional))
    .map(([name]) => name);
  const parser = createReadStream(file).pipe(
    parse({
      bom: true,
      info: true,
      raw: true,
      skip_empty_lines: true,
      relax_column_count: true,
      columns: (header: string[]) => {
        const missing = needed.filter((name) => !header.includes(name));
        if (missing.length > 0)
          throw new ImportError(`${file} has no column ${missing.join(', ')}; a header line with them is needed`);
        return header;
      },
    }),
  );
  for await (const each of parser) yield each as { record: Record<string, string>; info: InfoRecord; raw: string };
}
