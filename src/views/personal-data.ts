import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { forgetViews, viewsOf } from './operations.ts';

async function* viewsOfUser(app: AppContext, userId: string): AsyncGenerator<object> {
  for (const { viewed_at, book_id } of await viewsOf(app, userId)) yield { book: book_id, viewedAt: viewed_at };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'recently_viewed_by_user',
    exported: viewsOfUser,
    erased: async (app, userId) => {
      await forgetViews(app, userId);
    },
  },
];
