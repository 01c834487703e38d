import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { SAMPLE_LIBRARIES } from '../../../tools/places.ts';
import type { AppContext } from '../../../src/context/context.ts';
import { importLibraries } from '../../../src/libraries/import.ts';

/** Imports those of the sample's libraries whose line matches. */
export async function importSomeLibraries(app: AppContext, line: RegExp): Promise<void> {
  const [header, ...lines] = (await readFile(SAMPLE_LIBRARIES, 'utf8')).split('\n');
  const file = join(inject('folder'), 'libraries.csv');
  await writeFile(file, [header, ...lines.filter((each) => line.test(each))].join('\n'));
  await importLibraries(app, file);
}
