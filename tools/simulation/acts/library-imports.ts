import { encodeId } from '../../../src/graphql/ids.ts';
import { readLibrary, receiveLibrary, resolveImportRow, undoImport } from '../../../src/libraryimports/operations.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/** The days of the importing reader's files, and of all readings in them. */
export const DAYS = ['2025-01-01', '2025-01-02'] as const;

const UNKNOWN_CHANCE = 0.3;

/** Makes a Goodreads file in which all books were read on one day. */
const fileOf = (day: string, books: readonly string[]): Buffer =>
  Buffer.from(
    [
      'Title,Author,Bookshelves,Exclusive Shelf,Date Read,ISBN13',
      ...books.map((isbn) => `Unknown ${isbn},Nobody,read,read,${day.replaceAll('-', '/')},${isbn}`),
    ].join('\n'),
  );

/** A file of books that the catalogue never has, for readers whose readings are checked. */
const UNKNOWN = Buffer.from(
  ['Title,Author,Bookshelves,Exclusive Shelf', 'Unheard Of,Nobody,,read', 'Unseen,Nobody,,to-read'].join('\n'),
);

const sendUnknown = async (scene: Scene): Promise<string> => {
  const context = contextOf(scene, scene.world.pick(scene.library.readers));
  return receiveLibrary(context, await readLibrary(UNKNOWN, context.clock()));
};

/**
 * A reader who only imports sends a file, undoes an import, or chooses the book of a line; or
 * another reader, who may delete their account meanwhile, imports books that the catalogue lacks.
 */
export async function callLibraryImports(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const context = contextOf(scene, library.importer);
  if (world.chance(UNKNOWN_CHANCE)) return (await attempt(scene, () => sendUnknown(scene))).outcome;

  const known = [...library.libraryImports];
  if (known.length === 0 || world.chance(0.4)) {
    const file = fileOf(world.pick(DAYS), library.books);
    const came = await attempt(scene, async () => receiveLibrary(context, await readLibrary(file, context.clock())));
    if (came.outcome === 'DONE') library.libraryImports.add(came.result);
    return came.outcome;
  }

  const importId = encodeId({ type: 'LibraryImport', key: world.pick(known) });
  const line = 1 + world.below(library.books.length);
  const bookId = encodeId({ type: 'Book', key: world.pick(library.books) });
  const change = world.pick<() => Promise<unknown>>([
    () => undoImport(context, { importId }),
    () => resolveImportRow(context, { importId, line, bookId }),
  ]);
  return (await attempt(scene, change)).outcome;
}
