import { appendFile } from 'node:fs/promises';
import type { AppContext, JobHandler } from '../context/context.ts';
import type { PersonalTable } from '../erasure/personal-table.ts';
import { inTurn } from '../jobs/operations.ts';
import { features } from '../features.ts';

/** The export and the erasure of personal data in the tables of all features. */

/** The tables with personal data, in the order of erasure. */
export const personalTables: readonly PersonalTable[] = features.flatMap(({ personalData = [] }) => personalData);

/** Yields everything that is stored about a person, as pieces of JSON. */
export async function* exportOf(app: AppContext, userId: string): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(app.clock())}`;
  for (const { table, exported } of personalTables) {
    if (typeof exported === 'string') continue;
    yield `,\n${JSON.stringify(table)}:[`;
    let separator = '\n';
    for await (const row of exported(app, userId)) {
      yield separator + JSON.stringify(row);
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

/** The tables of an erasure, in order. */
export const erasedTables = personalTables.flatMap(({ table, erased }) =>
  typeof erased === 'string' ? [] : [{ name: table, work: erased }],
);

const eraseTables = inTurn(erasedTables);

/** Erases one page of a person's data. */
export const eraseSome: JobHandler = async (app, userId, position, subject) => {
  if (position === '') await keepErasedId(app, userId);
  return eraseTables(app, userId, position, subject);
};

/**
 * Stores the id of a deleted account outside the cluster. A restore needs it, because the backup
 * may be older than the deletion. An id may be stored several times.
 */
async function keepErasedId({ config }: AppContext, userId: string): Promise<void> {
  if (config.erasedIdsFile !== undefined) await appendFile(config.erasedIdsFile, `${userId}\n`, { flush: true });
}
