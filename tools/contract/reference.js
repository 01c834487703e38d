import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pagesOf } from './reference-pages.js';

/** The first step of `npm run reference`: writes the schema of each page. */

const PROJECT = join(import.meta.dirname, '../..');
const FOLDER = join(PROJECT, 'docs/reference');

const pages = pagesOf(await readFile(join(PROJECT, 'schema.graphql'), 'utf8'));
await mkdir(FOLDER, { recursive: true });
for (const [name, schema] of Object.entries(pages)) await writeFile(join(FOLDER, `${name}.graphql`), schema);
