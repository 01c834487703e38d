import { each, first } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { erasedBy } from '../erasure/erasing.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { eraseMark, eraseNotices, selectAllNotices, selectMark } from './tables.ts';

async function* noticesOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  for await (const { day, kind, subject_id } of each(cassandra, selectAllNotices, { user_id }))
    yield { day, kind, subject: subject_id };
}

async function* markOfUser({ cassandra }: AppContext, user_id: string): AsyncGenerator<object> {
  const mark = await first(cassandra, selectMark, { user_id });
  if (mark) yield { readUntil: mark.read_until };
}

export const personalData: readonly PersonalTable[] = [
  { table: 'notices_by_user', exported: noticesOfUser, erased: erasedBy(eraseNotices, 'user_id') },
  { table: 'notification_marks_by_user', exported: markOfUser, erased: erasedBy(eraseMark, 'user_id') },
];
