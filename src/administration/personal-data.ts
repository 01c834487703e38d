import { each, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { subjectOf } from '../graphql/ids.ts';
import { eraseDecisions, selectDecisions } from './tables.ts';

const subjectOfUser = (userId: string) => subjectOf({ type: 'User', key: userId });

/**
 * The decisions about a reader, without the administrator's id, which is the administrator's
 * personal data.
 */
async function* decisionsAboutUser({ cassandra }: AppContext, userId: string): AsyncGenerator<object> {
  for await (const { at, kind, reason } of each(cassandra, selectDecisions, { subject: subjectOfUser(userId) }))
    yield { at, kind, reason };
}

export const personalData: readonly PersonalTable[] = [
  {
    table: 'administration_by_subject',
    exported: decisionsAboutUser,
    // Decisions that the person made as an administrator are kept, with only their id.
    erased: async ({ cassandra }, userId) => {
      await write(cassandra, eraseDecisions, { subject: subjectOfUser(userId) });
    },
  },
];
