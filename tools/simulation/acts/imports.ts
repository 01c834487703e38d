import pLimit from 'p-limit';
import { putBooks } from '../../../src/catalogue/aggregate.ts';
import { importProgress, keepImportProgress } from '../../../src/bulk-import/operations.ts';
import { begin, type ImportedFile } from '../library.ts';
import { attempt, type Outcome, type Scene } from './act.ts';
import { AUTHORS, GENRES, PUBLISHERS, TITLES } from './books.ts';

const ROWS_MAX = 2;
const WRITES_AT_ONCE = 4;
/**
 * A row is written again after a failure of Cassandra, which may cause more than one change of its
 * book.
 */
const AGAIN = 2;

/** Imports a few books from a new file, or from one whose import has not ended. */
export function callImports(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const left = library.imports.filter(({ isDone }) => !isDone);
  const file = left.length > 0 && world.chance(0.5) ? world.pick(left) : newFile(scene);
  return importAll(scene, file);
}

function newFile({ world, library }: Scene): ImportedFile {
  const books = new Set(Array.from({ length: 1 + world.below(ROWS_MAX) }, () => world.pick(library.books)));
  const rows = [...books].map((bookId) => ({
    bookId,
    fields: {
      isbn: bookId,
      title: world.pick(TITLES),
      authors: [...world.pick(AUTHORS)],
      ratings_count: world.pick([null, 1, 2]),
      ...(world.chance(0.5) && { genres: [...world.pick(GENRES)] }),
      ...(world.chance(0.5) && { publisher: world.pick(PUBLISHERS) }),
    },
  }));
  const file = { checksum: world.uuid(), rows, isDone: false };
  library.imports.push(file);
  return file;
}

/** Processes the rows of a file like `importFile`. The file exists only here. */
export async function importAll(scene: Scene, file: ImportedFile): Promise<Outcome> {
  const { world, library, app } = scene;
  const { checksum, rows } = file;
  const calls = rows.map(({ bookId, fields: { title } }) => {
    const [first, ...others] = Array.from({ length: 1 + AGAIN }, () =>
      begin(library.titles, bookId, `put ${title}` as const, world.steps),
    );
    return { first, others };
  });
  const came = await attempt(scene, async () => {
    if ((await importProgress(app, checksum)).isFinished) return 'FINISHED';
    await putBooks(app, rows, pLimit(WRITES_AT_ONCE));
    await keepImportProgress(app, checksum, rows.length, true);
    return 'PUT';
  });
  if (came.outcome !== 'DONE') return came.outcome;

  file.isDone = true;
  for (const { first, others } of calls) {
    if (came.result === 'PUT') first?.end(world.steps);
    else for (const call of [first, ...others]) call?.withdraw();
  }
  return 'DONE';
}
