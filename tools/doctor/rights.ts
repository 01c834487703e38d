import type { Client } from 'cassandra-driver';
import type { Judgement, NodeFacts } from './judgements.ts';

/** Checks of the permissions in the cluster. */

/** A permission of a role, as named by `LIST ALL PERMISSIONS`. */
export interface Right {
  /** For example `<keyspace library>`, `<table library.books>` or `<all keyspaces>`. */
  readonly resource: string;
  readonly permission: string;
}

/** Cassandra's authorizer unless another one is set. */
const ALLOW_ALL = 'AllowAllAuthorizer';
const SERVER_NEEDS = ['SELECT', 'MODIFY'];
const SCHEMA_RIGHTS = ['CREATE', 'ALTER', 'DROP'];
const SEE = 'See deploy/cassandra/roles.cql.';

/** Checks whether clients must log in, and the permissions of the role in the settings. */
export async function judgeRights(
  client: Client,
  keyspace: string,
  username: string | undefined,
  nodes: readonly NodeFacts[],
): Promise<Judgement[]> {
  const open = nodes.filter(({ settings }) => (settings.get('authorizer') ?? ALLOW_ALL).includes(ALLOW_ALL));
  if (open.length > 0 || username === undefined) {
    const found = `none are checked by ${open.map(({ address }) => address).join(', ')}`;
    const advice =
      'Anybody who can reach these nodes may read and change everything. Set PasswordAuthenticator ' +
      `and CassandraAuthorizer. ${SEE}`;
    return [{ verdict: 'warn', what: 'rights', found, advice }];
  }

  const role = username.replaceAll('"', '""');
  const [rights, roles] = await Promise.all([
    client.execute(`LIST ALL PERMISSIONS OF "${role}"`),
    client.execute(`LIST ROLES OF "${role}"`),
  ]);
  return judgeRole(
    username,
    keyspace,
    roles.rows.some((row) => row['super'] === true),
    rights.rows.map((row) => ({ resource: String(row['resource']), permission: String(row['permission']) })),
  );
}

/** Checks the permissions of the servers' role on a keyspace. */
export function judgeRole(role: string, keyspace: string, isSuperuser: boolean, rights: readonly Right[]): Judgement[] {
  const what = `rights of ${role}`;
  if (isSuperuser)
    return [{ verdict: 'warn', what, found: 'all, as a superuser', advice: `A server needs far less. ${SEE}` }];

  const onKeyspace = rights.filter(
    ({ resource }) => resource === `<keyspace ${keyspace}>` || resource === '<all keyspaces>',
  );
  const has = new Set(onKeyspace.map(({ permission }) => permission));
  const missing = SERVER_NEEDS.filter((each) => !has.has(each));
  const surplus = SCHEMA_RIGHTS.filter((each) => has.has(each));
  const found = [...has].toSorted().join(', ') || 'none';
  if (missing.length > 0)
    return [
      { verdict: 'FAIL', what, found, advice: `A server also needs ${missing.join(' and ')} on ${keyspace}. ${SEE}` },
    ];
  return surplus.length > 0
    ? [{ verdict: 'warn', what, found, advice: `A server needs no ${surplus.join(', ')}; migrations do. ${SEE}` }]
    : [{ verdict: 'ok', what, found, advice: '' }];
}
