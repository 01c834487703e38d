import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppContext } from '../../src/context/context.ts';
import { importLibraries } from '../../src/libraries/import.ts';

/**
 * Imports libraries of one city, of other states, and of other cities of its state.
 * @param count the number of libraries of the city
 */
export async function importSomeLibraries(app: AppContext, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'libraries-'));
  const file = join(folder, 'libraries.csv');
  const header = 'State,Library ID,Library Name,Street Address,City,Zip Code,Longitude,Latitude,Opened On';
  const rows = Array.from(
    { length: count },
    (_, index) => `OR,OR00${index},Library ${index},Street,Salem,97301,-123.03,44.94,199${index}-01-01`,
  );
  const states = ['WA', 'CA', 'NY', 'TX'].map(
    (state) => `${state},${state}1,Library,Street,Salem,97301,-122,41,1990-01-01`,
  );
  const cities = ['Bend', 'Eugene', 'Astoria'].map((city, index) => `OR,OR10${index},Library,Street,${city},97301,,,`);
  await writeFile(file, [header, ...rows, ...states, ...cities].join('\n'));
  try {
    await importLibraries(app, file);
  } finally {
    await rm(folder, { recursive: true });
  }
}
