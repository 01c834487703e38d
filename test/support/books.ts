import { encodeId } from '../../src/ids.ts';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBooks, type ImportFigures } from '../../src/catalogue/import.ts';
import type { AppContext } from '../../src/context.ts';
import { SAMPLE } from '../../src/places.ts';
import type { TestServer } from './app.ts';

/** Imports the sample catalogue; its rejects are not kept. */
export async function importSample(app: AppContext): Promise<ImportFigures> {
  const rejects = join(tmpdir(), `${app.config.cassandra.keyspace}.rejects.csv`);
  return importBooks(app, SAMPLE, rejects, () => undefined).finally(() => rm(rejects, { force: true }));
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
