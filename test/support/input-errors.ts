import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
} from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { registerAdministrator } from './accounts.ts';
import type { TestServer } from './app.ts';
import type { Client } from './client.ts';

/**
 * Tests that a mutation reports everything that is wrong with its input at once, before anything is
 * read, hashed, counted or written, and that no message repeats the input.
 */

const SCHEMA = buildSchema(readFileSync(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));
export const MUTATIONS = SCHEMA.getMutationType()!.getFields();

/** A text that is too long for every field, and an id that no mutation accepts. */
export const LONG = 'nonsense'.repeat(250);
export const LIBRARY = encodeId({ type: 'Library', key: 'US-1' });

type Who = 'anybody' | 'reader' | 'administrator';

/** A server, and its callers. */
export interface Callers {
  readonly server: TestServer;
  readonly clients: Readonly<Record<Who, Client>>;
}

/** Makes a caller of each kind. */
export async function callersOf(server: TestServer): Promise<Callers> {
  const reader = await server.client().registerSomebody();
  return { server, clients: { anybody: server.client(), reader, administrator: await registerAdministrator(server) } };
}

/** An input of a mutation in which everything is wrong; unset if nothing can be wrong. */
export interface InputCase {
  readonly who: Who;
  readonly input?: Record<string, unknown>;
  /** The fields that can be wrong independently, as they are named in the input. */
  readonly wrong: readonly string[];
  /**
   * The fields that only the database can check, or that are always valid: a password, the words of
   * a login, an id that the client makes.
   */
  readonly never?: readonly string[];
}

const CODES: Readonly<Record<string, string>> = {
  email: 'INVALID_EMAIL',
  password: 'INVALID_PASSWORD',
  newPassword: 'INVALID_PASSWORD',
  token: 'INVALID_TOKEN',
  refreshToken: 'INVALID_TOKEN',
  response: 'INVALID_PASSKEY',
};
export const errorAt = (path: string) => ({
  code: CODES[path] ?? 'INVALID_INPUT',
  path: ['input', ...path.split('.')],
});

/** Lists the fields of an input, nested ones included, whose values GraphQL alone cannot check. */
function fieldsOf(type: GraphQLNamedType | undefined, within = ''): string[] {
  if (!isInputObjectType(type)) return [];
  return Object.values((type satisfies GraphQLInputObjectType).getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    const path = `${within}${field.name}`;
    if (isInputObjectType(named)) return fieldsOf(named, `${path}.`);
    return isEnumType(named) || named.name === 'Boolean' ? [] : [path];
  });
}

/** Sends a mutation that requests all payload fields except nested ones. */
export async function send(client: Client, name: string, input: Record<string, unknown>) {
  const mutation = MUTATIONS[name]!;
  const payload = getNamedType(mutation.type);
  const fields = isObjectType(payload) ? Object.values(payload.getFields()) : [];
  const rest = fields.filter((field) => field.name !== 'userErrors');
  const selection = rest.map((field) =>
    isLeafType(getNamedType(field.type)) ? field.name : `${field.name} { __typename }`,
  );
  return client.send(
    `mutation ($input: ${String(mutation.args[0]?.type)}) {
      ${name}(input: $input) { ${selection.join(' ')} userErrors { code message path } }
    }`,
    { input },
  );
}

/** Records all further writes, except the heartbeat of the transaction log. */
function writes({ client }: TestServer['app']['cassandra']): () => string[] {
  const [execute, batch] = [vi.spyOn(client, 'execute'), vi.spyOn(client, 'batch')];
  return () =>
    [...execute.mock.calls.map(([cql]) => cql), ...batch.mock.calls.map(([queries]) => JSON.stringify(queries))].filter(
      (cql) => !cql.startsWith('SELECT') && !cql.includes(' incarnations '),
    );
}

/**
 * Tests the input of a mutation.
 * @param callers returns the callers once the test file has started its server
 */
export function testInput(name: string, { who, input, wrong, never = [] }: InputCase, callers: () => Callers): void {
  test(`the case of ${name} has every field`, () => {
    const fields = fieldsOf(MUTATIONS[name]!.args[0] && getNamedType(MUTATIONS[name]!.args[0].type));
    const told = new Set(wrong.map((path) => path.replaceAll(/\.\d+/g, '')));
    expect([...told, ...never].toSorted()).toEqual(expect.arrayContaining(fields));
    expect(never.filter((path) => told.has(path))).toEqual([]);
  });
  if (!input) return;

  test(`${name} reports everything that is wrong at once, and has no effect`, async () => {
    onTestFinished(() => void vi.restoreAllMocks());
    const { server, clients } = callers();

    const [hash, verify] = [vi.spyOn(server.app.passwords, 'hash'), vi.spyOn(server.app.passwords, 'verify')];
    const written = writes(server.app.cassandra);
    const { data, errors } = await send(clients[who], name, input);

    expect(errors).toBeUndefined();
    const { userErrors, ...rest } = data[name] as { userErrors: { message: string }[] };
    expect(userErrors).toEqual(wrong.map((path) => ({ ...errorAt(path), message: expect.stringMatching(/\.$/) })));
    for (const { message } of userErrors) expect(message).not.toContain('nonsense');
    for (const [field, value] of Object.entries(rest)) expect([null, false, 0], field).toContain(value);
    expect([hash.mock.calls, verify.mock.calls, written()]).toEqual([[], [], []]);
  });

  if (who === 'anybody') return;
  test(`${name} reports nothing to a caller who may not use it`, async () => {
    const { clients } = callers();
    const { errors } = await send(clients.anybody, name, input);
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    if (who === 'reader') return;
    const { data } = await send(clients.reader, name, input);
    expect(data[name].userErrors).toMatchObject([{ code: 'FORBIDDEN', path: ['input'] }]);
  });
}
