import { parseArgs } from 'node:util';
import { transactionKinds } from '../../src/app/workers.ts';
import type { AppContext } from '../../src/context/context.ts';
import { say } from '../../src/terminal/progress.ts';
import {
  findDeadLetters,
  removeDeadLetter,
  retryDeadLetter,
  type DeadLetter,
} from '../../src/transactions/operations.ts';
import { withApp } from '../with-app.ts';

/** `npm run admin -- letters`: shows the dead letters, retries them, or deletes one. */

const USAGE = `Usage: npm run admin -- letters [--payload | --retry ID|all | --give-up ID --yes]
  --payload  print also what the log keeps of each change; it may name readers
  --retry    try again to finish the change with this transaction ID, or all of them
  --give-up  remove the dead letter, so that nobody finishes the change
It exits with 1 if a dead letter is left, or if there is none with the ID.`;

class Usage extends Error {}

function readArguments() {
  const { values } = parseArgs({
    options: {
      payload: { type: 'boolean', default: false },
      retry: { type: 'string' },
      'give-up': { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
  const { payload, retry, 'give-up': givenUp, yes } = values;
  if ([payload, retry !== undefined, givenUp !== undefined].filter(Boolean).length > 1)
    throw new Usage('--payload, --retry and --give-up exclude each other');
  if (yes && givenUp === undefined) throw new Usage('--yes belongs to --give-up');
  if (givenUp === 'all') throw new Usage('--give-up takes one transaction ID');
  return { payload, retry, givenUp, yes };
}

function show(letter: DeadLetter, withPayload: boolean) {
  const { transaction_id, kind, begun_at, dead_lettered_at, request_id, reason, payload } = letter;
  say(`${transaction_id} (${kind}), begun ${begun_at.toISOString()}, dead since ${dead_lettered_at.toISOString()}`);
  if (request_id !== '') say(`  begun by the request ${request_id}`);
  say(`  ${reason}`);
  if (withPayload) say(`  ${payload}`);
}

async function list(app: AppContext, withPayload: boolean): Promise<number> {
  let count = 0;
  for await (const letter of findDeadLetters(app)) {
    count++;
    show(letter, withPayload);
  }
  say(`${count} dead letters`);
  return count === 0 ? 0 : 1;
}

async function lettersOf(app: AppContext, id: string): Promise<readonly DeadLetter[]> {
  const letters = await Array.fromAsync(findDeadLetters(app));
  const found = letters.filter(({ transaction_id }) => id === 'all' || transaction_id === id.toLowerCase());
  if (found.length === 0) say(id === 'all' ? 'there are no dead letters' : 'no dead letter has this transaction ID');
  return found;
}

async function retry(app: AppContext, id: string): Promise<number> {
  const letters = await lettersOf(app, id);
  let left = 0;
  for (const letter of letters) {
    // A failure of Cassandra must not hide the dead letters after it.
    const outcome = await retryDeadLetter(app, transactionKinds, letter).then(
      (isFinished) => (isFinished ? 'finished' : 'still cannot be finished'),
      (error: unknown) => `could not be retried now: ${error instanceof Error ? error.message : String(error)}`,
    );
    if (outcome !== 'finished') left++;
    say(`${letter.transaction_id} (${letter.kind}): ${outcome}`);
  }
  return left > 0 || (letters.length === 0 && id !== 'all') ? 1 : 0;
}

async function giveUp(app: AppContext, id: string, isConfirmed: boolean): Promise<number> {
  const [letter] = await lettersOf(app, id);
  if (!letter) return 1;
  show(letter, false);
  if (!isConfirmed) {
    say('The change can no longer be finished once it is given up. Add --yes to give it up.');
    return 1;
  }

  await removeDeadLetter(app, letter);
  say(
    'given up. Run `npm run admin -- audit --repair` now: ' +
      'it corrects the lists and counts that the change left behind.',
  );
  return 0;
}

try {
  const given = readArguments();
  await withApp((app) => {
    if (given.retry !== undefined) return retry(app, given.retry);
    if (given.givenUp !== undefined) return giveUp(app, given.givenUp, given.yes);
    return list(app, given.payload);
  });
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`.trim());
  process.exitCode = 2;
}
