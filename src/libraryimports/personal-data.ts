import { each, page, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetImport, imports } from './aggregate.ts';
import { linesOf } from './lines.ts';
import { eraseImportsOf, eraseUnlistedOf, selectImportsOf } from './tables.ts';

async function* importsOfUser(app: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { import_id, begun_at } of each(app.cassandra, selectImportsOf, { user_id })) {
    const state = await imports.read(app, { importId: import_id });
    if (state) yield { import: import_id, begunAt: begun_at, source: state.source, status: state.status };
  }
}

async function* linesOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { import_id } of each(cassandra, selectImportsOf, { user_id }))
    for await (const { line, said, fate, book_id } of linesOf(cassandra, import_id))
      yield { import: import_id, line, said: JSON.parse(said) as unknown, fate, book: book_id };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'library_import_lines',
    exported: linesOfUser,
    erased: 'with library_imports_by_user',
  },
  {
    table: 'unlisted_books_by_user',
    exported: 'contains no data that the export of library_import_lines lacks',
    erased: erasedBy(eraseUnlistedOf, 'user_id'),
  },
  {
    table: 'awaited_books',
    exported: 'contains no data that the export of library_import_lines lacks',
    erased: 'with library_imports_by_user',
  },
  {
    table: 'library_imports',
    exported: 'contains no data that the export of library_imports_by_user lacks',
    erased: 'with library_imports_by_user',
  },
  {
    table: 'library_imports_by_user',
    exported: importsOfUser,
    erased: async (app, user_id, after) => {
      const some = await page(app.cassandra, selectImportsOf, { user_id }, after);
      for (const { import_id } of some.rows) await forgetImport(app, { importId: import_id });
      if (some.pageState === undefined) await write(app.cassandra, eraseImportsOf, { user_id });
      return some.pageState;
    },
  },
];
