import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { z } from 'zod';
import { first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { quoted } from '../text/csv.ts';
import { isVisible, tidied } from '../text/text.ts';
import { recordsOf } from './csv.ts';
import { repeated } from './in-bulk.ts';
import { LeftOutRows, type LeftOut } from './left-out.ts';
import { insertImport, selectImport } from './tables.ts';

/**
 * Imports a CSV file. Each row is written, or refused with a reason. An import that was killed can
 * be repeated without harm.
 */

const ROWS_PER_BATCH = 500;
const WRITES_AT_ONCE = 64;

/**
 * A row that can be imported, with the reasons why parts of it are left out; or the reason why the
 * row is refused. `kind` groups reasons that contain a value of the row.
 */
export type ReadRow<Row> =
  | { row: Row; leftOut?: readonly string[]; reason?: never; kind?: never }
  | { row?: never; leftOut?: never; reason: string; kind?: string };

/** A kind of file. */
export interface FileKind<Columns extends z.ZodObject, Row> {
  /** The columns that are read. Others are ignored, and optional ones may be missing. */
  readonly columns: Columns;
  readonly read: (columns: z.output<Columns>) => ReadRow<Row>;
  /** The subject of a row, for the message about a duplicate row: `the same book`. */
  readonly noun: string;
  readonly keyOf: (row: Row) => string;
  /**
   * Writes rows concurrently within the limit, and repeats each write until it succeeds. Repeating
   * it changes nothing.
   */
  readonly write: (app: AppContext, rows: readonly Row[], limit: LimitFunction) => Promise<void>;
}

/** The result of an import. Interruptions do not change it. */
export interface ImportFigures {
  /** The number of rows of the file, without the header. */
  readonly rows: number;
  readonly imported: number;
  readonly rejected: number;
  /** The refused rows, and the parts left out of imported rows, by reason. */
  readonly leftOut: readonly LeftOut[];
}

export interface ImportProgress {
  readonly rows: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface ImportOptions {
  /** The maximum number of concurrent writes. */
  readonly limit?: LimitFunction;
  /** Ends the import after this many rows of the file. The next import continues after them. */
  readonly rowsMax?: number;
  /** The path of a file for the refused rows, each with its line and reason. It is overwritten. */
  readonly rejectsFile?: string;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** A text without stray spaces, normalized. */
export const tidyText = z
  .string()
  .transform(tidied)
  .refine((text) => text === '' || isVisible(text), 'has an invisible character, or nothing visible');
export const requiredText = tidyText.pipe(z.string().min(1, 'is empty'));
export const optionalText = tidyText.transform((text) => (text === '' ? null : text));

/** True if the file was imported to its end. */
export const isImported = async (app: AppContext, file: string): Promise<boolean> =>
  (await importProgress(app, await checksumOf(file))).isFinished;

/** The progress of an import, by the checksum of its file. */
export async function importProgress(
  app: AppContext,
  checksum: string,
): Promise<{ rowsDone: number; isFinished: boolean }> {
  const found = await repeated(app, () => first(app.cassandra, selectImport, { file_checksum: checksum }));
  return { rowsDone: found?.rows_done ?? 0, isFinished: found?.finished_at != null };
}

/** Stores the progress of an import. */
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
 * Imports a file. It can be repeated, as writing a row again changes nothing. An interrupted import
 * continues where it stopped, but checks the whole file again for its figures and rejects.
 * @param onImported called for each row that is not refused, including rows that were written
 *   before
 * @throws {ImportError} when the file is not UTF-8 or lacks a column
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
  const counts = { rows: 0, imported: 0, rejected: 0 };
  const left = new LeftOutRows();
  const figures = () => ({ ...counts, leftOut: left.all() });
  let batch: Row[] = [];

  const finishBatch = async (isLast: boolean) => {
    await kind.write(app, batch, limit);
    batch = [];
    await keepImportProgress(app, fileChecksum, Math.max(counts.rows, rowsWritten), isLast);
  };

  try {
    await rejects?.write('line,reason,row\n');
    for await (const { line, raw, bytesDone, row, ...read } of rowsOfFile(kind, file)) {
      counts.rows += 1;
      if (row === undefined) {
        counts.rejected += 1;
        left.add(read.kind ?? read.reason ?? '', line);
        await rejects?.write([String(line), read.reason ?? '', raw].map(quoted).join(',') + '\n');
      } else {
        counts.imported += 1;
        for (const part of read.leftOut ?? []) left.add(part, line);
        onImported(row);
        if (counts.rows > rowsWritten) batch.push(row);
      }
      if (counts.rows % ROWS_PER_BATCH === 0 || counts.rows === rowsMax) {
        if (counts.rows > rowsWritten) await finishBatch(false);
        onProgress?.({ rows: counts.rows, bytesDone, bytesTotal });
      }
      if (counts.rows === rowsMax) return figures();
    }
    await finishBatch(true);
    onProgress?.({ rows: counts.rows, bytesDone: bytesTotal, bytesTotal });
    return figures();
  } finally {
    await rejects?.close();
  }
}

/**
 * Yields the rows of a file, each ready to be imported, or with the reason why it is refused.
 * @throws {ImportError} when the file is not UTF-8, or lacks a column
 */
export async function* rowsOfFile<Columns extends z.ZodObject, Row>(
  kind: FileKind<Columns, Row>,
  file: string,
): AsyncGenerator<ReadRow<Row> & { readonly line: number; readonly raw: string; readonly bytesDone: number }> {
  const linesOfKeys = new Map<string, number>();
  const needed = Object.entries(kind.columns.shape)
    .filter(([, type]) => !(type instanceof z.ZodOptional))
    .map(([name]) => name);
  for await (const { record, info, raw: withEnd, problem } of recordsOf(file, needed)) {
    const raw = withEnd.trimEnd();
    const line = info.lines - raw.split('\n').length + 1;
    const read = problem === undefined ? readRecord(kind, linesOfKeys, record) : { reason: problem };
    if (read.row !== undefined) linesOfKeys.set(kind.keyOf(read.row), line);
    yield { ...read, line, raw, bytesDone: info.bytes };
  }
}

function readRecord<Columns extends z.ZodObject, Row>(
  kind: FileKind<Columns, Row>,
  linesOfKeys: ReadonlyMap<string, number>,
  record: Record<string, string>,
): ReadRow<Row> {
  const columns = kind.columns.safeParse(record);
  if (!columns.success) {
    const [issue] = columns.error.issues;
    return { reason: `${String(issue?.path[0])} ${issue?.message ?? ''}` };
  }
  const read = kind.read(columns.data);
  const earlier = read.row === undefined ? undefined : linesOfKeys.get(kind.keyOf(read.row));
  if (earlier === undefined) return read;
  const same = `is the same ${kind.noun} as`;
  return { reason: `${same} line ${String(earlier)}`, kind: `${same} an earlier line` };
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
