import { encodeId } from '../../src/graphql/ids.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBooks, type BookImportFigures } from '../../src/catalogue/import.ts';
import type { AppContext } from '../../src/context/context.ts';
import { SAMPLE } from '../../src/app/places.ts';
import type { TestServer } from './app.ts';

/** Imports the most popular thousand books of the sample catalogue. */
export async function importSample(app: AppContext): Promise<BookImportFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  const file = join(folder, 'books.csv');
  const lines = (await readFile(SAMPLE, 'utf8')).split('\n').slice(0, 1_001);
  await writeFile(file, lines.join('\n'));
  try {
    return await importBooks(app, file, `${file}.rejects`, () => undefined);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** ISBNs of the sample's most popular books, each of another title. */
export const ISBNS = [
  '0439023483',
  '0439554934',
  '0316015849',
  '0061120081',
  '0743273567',
  '0525478817',
  '0618260307',
  '0316769177',
] as const;

/** The ids of the books of {@link ISBNS}. */
export async function bookIds(server: TestServer): Promise<string[]> {
  const fields = ISBNS.map((isbn, index) => `b${index}: book(isbn: "${isbn}") { id }`);
  const data = (await server.client().data(`{ ${fields.join(' ')} }`)) as Record<string, { id: string }>;
  return Object.values(data).map(({ id }) => id);
}

/** The ids of some books of the catalogue, in no order. */
export async function manyBookIds({ app }: TestServer, count: number): Promise<string[]> {
  const { rows } = await app.cassandra.client.execute(`SELECT book_id FROM books LIMIT ${count}`);
  return rows.map((row) => encodeId({ type: 'Book', key: row['book_id'] as string }));
}
