import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The roles of a secured cluster, made like an operator does. */

const ROLES = join(import.meta.dirname, '../../deploy/cassandra/roles.cql');

type Execute = (statement: string) => Promise<unknown>;

/** Makes the roles of `deploy/cassandra/roles.cql`, with their permissions on a keyspace. */
export async function makeRoles(execute: Execute, keyspace: string): Promise<void> {
  const text = (await readFile(ROLES, 'utf8'))
    .replaceAll(/^--.*$/gm, '')
    .replaceAll('ON KEYSPACE library', `ON KEYSPACE ${keyspace}`);
  const statements = text.split(';').map((statement) => statement.trim());
  for (const statement of statements.filter((each) => each !== '')) await execute(statement);
}

/** Makes a login with the permissions of a role. */
export async function makeLogin(execute: Execute, name: string, password: string, role: string): Promise<void> {
  await execute(`CREATE ROLE ${name} WITH LOGIN = true AND PASSWORD = '${password}'`);
  await execute(`GRANT ${role} TO ${name}`);
}
