import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { transactionKinds } from '../../src/app/workers.ts';
import type { AppContext } from '../../src/context/context.ts';
import { transactionLog } from '../../src/transactions/log.ts';
import type { TransactionKind, TransactionKinds } from '../../src/transactions/operations.ts';
import { beat, recoverTransactions } from '../../src/transactions/recovery.worker.ts';

/** Processes as the transaction log knows them, with time as they know it. */

/** A process whose steady clock moves only when a test lets time pass. */
export interface TestProcess extends AppContext {
  /** Lets time pass for this process alone. */
  readonly pass: (milliseconds: number) => void;
}

/**
 * Makes another process beside one, with a heartbeat and a log of its own. Its heart beats when a
 * test says so.
 */
export function anotherProcess(app: AppContext, given: Partial<AppContext> = {}): TestProcess {
  let passed = 0;
  return {
    ...app,
    cassandra: { ...app.cassandra },
    monotonicNow: () => passed,
    pass: (milliseconds) => (passed += milliseconds),
    ...given,
  };
}

/** Lives one second of a process, until it has tried to finish what it should. */
export async function liveOn(app: AppContext, kinds: TransactionKinds = transactionKinds): Promise<void> {
  await beat(app);
  await (
    await recoverTransactions(app, kinds)
  ).tried;
}

/**
 * Lets a process live long enough to take over all whose hearts do not beat meanwhile, and to
 * finish what they left.
 */
export async function liveLong(app: TestProcess, kinds: TransactionKinds = transactionKinds): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await liveOn(app, kinds);
    app.pass(2_100);
  }
  await liveOn(app, kinds);
}

/** Lets a process strike out what is complete, as it does by itself once a second. */
export async function strikeOut(app: AppContext): Promise<void> {
  await beat(app);
  await transactionLog(app).strikeOut(app);
}

/** Lets a process log a transaction that it never finishes. */
export async function leaveEntry(process: AppContext, kind: string, payload: string): Promise<void> {
  const logged = { transaction_id: randomUUID(), kind, payload, begun_at: process.clock(), request_id: '' };
  await transactionLog(process).write(process, logged);
}

export const kindsOf = (...kinds: TransactionKind<{ number: number }>[]): TransactionKinds => kinds;

/**
 * Returns a kind of transaction that notes which ones were recovered.
 * @param fails the error with which each recovery ends
 */
export const counting = (recovered: number[], fails?: Error): TransactionKind<{ number: number }> => ({
  name: 'counting',
  payload: z.strictObject({ number: z.int() }),
  recover: ({}, { number }) => {
    if (fails) return Promise.reject(fails);
    recovered.push(number);
    return Promise.resolve();
  },
});
