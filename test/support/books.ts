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
