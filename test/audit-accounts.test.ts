import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { accountAudit } from '../src/accounts/audit.ts';
import { changeEmail } from '../src/accounts/changes.ts';
import { ANONYMOUS, requestContext } from '../src/context/context.ts';
import { ownKeyspace, startServer, type TestServer } from './support/app.ts';
import { audited } from './support/audit.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { intercepted } from './support/intercept.ts';

/** Audits of accounts, of the reservations on their emails, and of the names in their lists. */

let server: TestServer;
let readers: Client[];

beforeAll(async () => {
  server = await startServer(await ownKeyspace());
  readers = await Promise.all(Array.from({ length: 5 }, () => server.client().registerSomebody('Somebody')));
  await readers[0]!.mutate('updateProfile', { fullName: 'Somebody else' }, 'viewer { id }');
  await readers[1]!.mutate('changeEmail', { email: 'another@example.com', password: PASSWORD }, 'viewer { id }');
  readers[1]!.email = 'another@example.com';
  const gone = await server.client().registerSomebody('Nobody');
  await gone.mutate('deleteAccount', { password: PASSWORD }, '__typename');
});

const execute = (cql: string, params: unknown[] = []) =>
  server.app.cassandra.client.execute(cql, params, { prepare: true });
const idOf = (reader: Client) => keyOf(reader.viewerId);
const canLogIn = (reader: Client) => server.client().login(reader.email);
const tablesOf = (drift: readonly { table: string }[]) => [...new Set(drift.map(({ table }) => table))];

const reserve = (email: string, userId: string, at = new Date(Date.now() - 3_600_000)) =>
  execute(
    'INSERT INTO users_by_login_info (email, user_id, reservation_id, account_version, reserved_at) VALUES (?, ?, ?, 1, ?) IF NOT EXISTS',
    [email, userId, randomUUID(), at],
  );
const release = (email: string) => execute('DELETE FROM users_by_login_info WHERE email = ? IF EXISTS', [email]);
const rename = (reader: Client, name: string | null, version: bigint) =>
  execute('UPDATE books_read_by_user USING TIMESTAMP ? SET full_name = ? WHERE user_id = ?', [
    version,
    name,
    idOf(reader),
  ]);

test('rows that servers have written have not drifted', async () => {
  const found = await audited(server.app, [accountAudit]);
  expect(found.drift).toEqual([]);
  // There are six accounts, one of them deleted, and five reservations.
  expect(found.rows).toBe(11);
});

test.each<[string, string, () => Promise<unknown>]>([
  ['an account whose email is not reserved', 'users_by_login_info', () => release(readers[0]!.email)],
  [
    'an account on whose email it has another reservation',
    'users_by_login_info',
    async () => {
      await release(readers[1]!.email);
      await reserve(readers[1]!.email, idOf(readers[1]!));
    },
  ],
  [
    'an account on whose email another one has a reservation that it does not name',
    'users_by_login_info',
    async () => {
      await release(readers[2]!.email);
      await reserve(readers[2]!.email, idOf(readers[3]!));
    },
  ],
  [
    'a reservation that its account does not name',
    'users_by_login_info',
    () => reserve('x@example.com', idOf(readers[0]!)),
  ],
  ['a reservation of no account', 'users_by_login_info', () => reserve('y@example.com', randomUUID())],
  ['a reader whose list has no name', 'books_read_by_user', () => rename(readers[2]!, null, 1n)],
  ['a reader whose list has another name', 'books_read_by_user', () => rename(readers[0]!, 'Nobody', 40n)],
])('%s is found by name, and repaired', async (_what, table, plant) => {
  await plant();
  const found = await audited(server.app, [accountAudit]);
  expect(tablesOf(found.drift)).toEqual([table]);
  expect(JSON.stringify(found.drift)).not.toContain('@');

  const repaired = await audited(server.app, [accountAudit], { repair: true });
  expect(tablesOf(repaired.drift)).toEqual([table]);
  for (const drift of repaired.drift) expect(drift).toMatchObject({ kind: 'accounts', repaired: true });
  expect((await audited(server.app, [accountAudit])).drift).toEqual([]);
  for (const reader of readers) await canLogIn(reader);
});

test('a repaired name can still be replaced by the next one', async () => {
  await readers[0]!.mutate('updateProfile', { fullName: 'The next one' }, 'viewer { id }');
  const { rows } = await execute('SELECT full_name FROM books_read_by_user WHERE user_id = ?', [idOf(readers[0]!)]);
  expect(rows[0]?.['full_name']).toBe('The next one');
  expect((await audited(server.app, [accountAudit])).drift).toEqual([]);
});

test('two accounts with one email are reported as not repairable, because only people can decide', async () => {
  const { rows } = await execute('SELECT state FROM users_by_id WHERE user_id = ?', [idOf(readers[4]!)]);
  const twin = randomUUID();
  await execute('INSERT INTO users_by_id (user_id, state) VALUES (?, ?)', [twin, rows[0]!['state']]);
  await rename({ viewerId: Buffer.from(`User:${twin}`).toString('base64url') } as Client, 'Somebody', 1n);
  const found = await audited(server.app, [accountAudit], { repair: true });
  expect(found.drift).toMatchObject([{ table: 'users_by_login_info', repaired: false }]);
  await canLogIn(readers[4]!);
});

test('a reservation made a moment ago is not released, because a slow call may still name it', async () => {
  await reserve('slow@example.com', randomUUID(), new Date());
  const { drift } = await audited(server.app, [accountAudit], { repair: true });
  expect(drift.filter(({ what }) => what.startsWith('the reservation'))).toEqual([]);
  expect((await execute("SELECT email FROM users_by_login_info WHERE email = 'slow@example.com'")).rowLength).toBe(1);
});

test('a reservation is not released if its change takes an hour and has made the reservation again', async () => {
  const reader = await server.client().registerSomebody('Somebody slow');
  const [reserved, fenced, again, released] = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>());
  const email = `slow-${reader.email}`;
  let decisions = 0;
  const slow = intercepted(server.app.cassandra, async ({ cql, send }) => {
    if (!cql.startsWith('UPDATE users_by_id ')) return send();
    (++decisions === 1 ? reserved : again)!.resolve(undefined);
    await (decisions === 1 ? fenced : released)!.promise;
    return send();
  });
  const context = requestContext({ ...server.app, cassandra: slow }, { ...ANONYMOUS, viewerId: idOf(reader) });
  const changed = changeEmail(context, { email, password: PASSWORD });
  await reserved!.promise;

  const cassandra = intercepted(server.app.cassandra, async ({ cql, values, send }) => {
    // An hour later the audit also releases reservations that others left, before or after this
    // one.
    if (!cql.startsWith('DELETE FROM users_by_login_info') || values['email'] !== email) return send();
    fenced!.resolve(undefined);
    await again!.promise;
    return send().finally(() => released!.resolve(undefined));
  });
  const later = { ...server.app, cassandra, clock: () => new Date(Date.now() + 3_600_000) };
  await audited(later, [accountAudit], { repair: true });
  await changed;
  await server.client().login(email);
  expect((await audited(server.app, [accountAudit])).drift.filter(({ what }) => what.includes(idOf(reader)))).toEqual(
    [],
  );
});
