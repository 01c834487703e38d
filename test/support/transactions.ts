import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { transactionKinds } from '../../src/app/workers.ts';
import type { AppContext } from '../../src/context/context.ts';
import { transactionLog } from '../../src/transactions/log.ts';
import type { TransactionKind, TransactionKinds } from '../../src/transactions/operations.ts';
import { sendHeartbeat, recoverTransactions } from '../../src/transactions/recovery.worker.ts';

/** Processes of the transaction log, each with its own clock. */

/** A process whose monotonic clock moves only when a test lets time pass. */
export interface TestProcess extends AppContext {
  /** Advances the clock of only this process. */
  readonly pass: (milliseconds: number) => void;
}

/**
 * Makes another process with its own heartbeat and log. It sends a heartbeat only when a test calls
 * it.
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

/** Runs one second of a process, until it has tried to finish its transactions. */
export async function liveOn(app: AppContext, kinds: TransactionKinds = transactionKinds): Promise<void> {
  await sendHeartbeat(app);
  await (
    await recoverTransactions(app, kinds)
  ).tried;
}

/**
 * Runs a process long enough to take over all processes without a heartbeat, and to finish their
 * transactions.
 */
export async function liveLong(app: TestProcess, kinds: TransactionKinds = transactionKinds): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await liveOn(app, kinds);
    app.pass(2_100);
  }
  await liveOn(app, kinds);
}

/** Makes a process strike out complete transactions, as it normally does once a second. */
export async function strikeOut(app: AppContext): Promise<void> {
  await sendHeartbeat(app);
  await transactionLog(app).strikeOut(app);
}

/** Makes a process log a transaction that it never finishes. */
export async function leaveEntry(process: AppContext, kind: string, payload: string): Promise<void> {
  const logged = { transaction_id: randomUUID(), kind, payload, begun_at: process.clock(), request_id: '' };
  await transactionLog(process).write(process, logged);
}

export const kindsOf = (...kinds: TransactionKind<{ number: number }>[]): TransactionKinds => kinds;

/**
 * Returns a kind of transaction that records the recovered ones.
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
