import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { finish, findDeadLetters } from '../src/transactions/operations.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { bookIds, importSample } from './support/books.ts';
import { some } from './support/full.ts';
import { keyOf, storedIdOf } from './support/ids.ts';

/** `npm run admin -- letters`, run like an operator. */

const LETTERS = join(import.meta.dirname, '../tools/admin/letters.ts');

let environment: Record<string, string | undefined>;
let server: TestServer;

beforeAll(async () => {
  environment = testEnvironment();
  server = await startServer(await ownKeyspace(environment));
  await importSample(server.app, 10);
});

const runLetters = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [LETTERS, ...args], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
const left = async () =>
  (await Array.fromAsync(findDeadLetters(server.app))).map(({ transaction_id }) => transaction_id);

const REQUEST = '0af7651916cd43dd8448eb211c80319c';

/** Makes a dead letter, like a server that knows no kind of transaction. */
async function deadLetter(kind: string, payload: unknown): Promise<string> {
  const transaction_id = randomUUID();
  const about = { begun_at: server.app.clock(), request_id: kind === 'newer' ? REQUEST : '' };
  await finish(server.app, [], { transaction_id, kind, payload: JSON.stringify(payload), ...about });
  return transaction_id;
}

test('lists dead letters, retries what this release can finish, and deletes only confirmed ones', async () => {
  const reader = await server.client().registerSomebody();
  const [book = ''] = await bookIds(server);
  const like = await deadLetter('like', {
    userId: keyOf(reader.viewerId),
    likeableId: storedIdOf(book),
  });
  const newer = await deadLetter('newer', { about: 'somebody' });

  const listed = await runLetters();
  expect(listed.code).toBe(1);
  expect(listed.output).toContain(`${newer} (newer), begun `);
  expect(listed.output).toContain('This server knows no transaction of the kind newer');
  expect(listed.output).toContain('2 dead letters');
  expect(listed.output.split(`begun by the request ${REQUEST}`)).toHaveLength(2);
  expect(listed.output.split('begun by the request')).toHaveLength(2);
  expect(listed.output).not.toContain('somebody');
  expect((await runLetters('--payload')).output).toContain('{"about":"somebody"}');

  const retried = await runLetters('--retry', 'all');
  expect(retried.output).toContain(`${like} (like): finished`);
  expect(retried.output).toContain(`${newer} (newer): still cannot be finished`);
  expect(retried.code).toBe(1);
  expect(await left()).toEqual([newer]);

  const asked = await runLetters('--give-up', newer);
  expect(asked.code).toBe(1);
  expect(asked.output).toContain('Add --yes');
  expect(await left()).toEqual([newer]);

  const givenUp = await runLetters('--give-up', newer, '--yes');
  expect(givenUp.code).toBe(0);
  expect(givenUp.output).toContain('npm run admin -- audit --repair');
  expect(await left()).toEqual([]);
  expect(await runLetters()).toMatchObject({ code: 0 });
});

test.each(
  some<[string[], RegExp]>(
    [
      [['--give-up', 'all', '--yes'], /takes one transaction ID/],
      [['--retry', 'all', '--payload'], /exclude each other/],
      [['--yes'], /belongs to --give-up/],
    ],
    2,
  ),
)('refuses the arguments %j', async (args, problem) => {
  const refused = await runLetters(...args);
  expect(refused.code).toBe(2);
  expect(refused.output).toMatch(problem);
});
