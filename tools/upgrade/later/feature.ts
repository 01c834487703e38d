import { z } from 'zod';
import { insertInto } from '../../../src/cassandra/statement-builders.ts';
import { cql } from '../../../src/cassandra/columns.ts';
import { write } from '../../../src/cassandra/statement.ts';
import type { AppContext } from '../../../src/context/context.ts';
import type { Feature } from '../../../src/feature/feature.ts';
import { beginJob } from '../../../src/jobs/operations.ts';
import { transact, type TransactionKind } from '../../../src/transactions/operations.ts';

/** A feature that only the later release has. It writes a row, which a job writes again. */

const PERIOD_MS = 300;

const insertRow = insertInto('later', { id: cql.uuid, value: cql.text });

const writeRow = ({ cassandra }: AppContext, id: string, value: string) => write(cassandra, insertRow, { id, value });

const kind: TransactionKind<{ id: string }> = {
  name: 'later',
  payload: z.strictObject({ id: z.uuid() }),
  recover: (app, { id }, step) => step('row', () => writeRow(app, id, 'recovered')),
};

/** Every second transaction fails after it was logged, so that recovery has to finish it. */
async function writeSome(app: AppContext): Promise<void> {
  if (process.env['LATER_WRITES'] === 'off') return;
  const id = app.randomId();
  await beginJob(app, { type: 'User', key: id }, 'LATER', 'later', app.clock());
  await transact(app, kind, { id }, async ({ step }) => {
    if (id < '8') throw new Error('left to recovery');
    await step('row', () => writeRow(app, id, 'written'));
  }).catch(() => undefined);
}

export const feature = {
  impersonalTables: ['later'],
  transactions: [kind],
  jobs: {
    LATER: async (app, id) => {
      await writeRow(app, id, 'written by the job');
      return undefined;
    },
  },
  workers: [{ name: 'later', periodMs: PERIOD_MS, run: writeSome }],
} satisfies Feature;
