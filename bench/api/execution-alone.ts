import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema, execute, parse } from 'graphql';

/**
 * The process that measures graphql-js alone, which is the minimum of a request: it executes an
 * operation whose values are all at hand, and prints the microseconds of processor.
 */

/** The operation, and the data of its answer. */
export interface Executed {
  readonly query: string;
  readonly variables: Record<string, unknown>;
  readonly data: unknown;
}

const SCHEMA = join(import.meta.dirname, '../../schema.graphql');
const WARM_UP = 5_000;
const MEASURED = 5_000;

const { query, variables, data } = JSON.parse(process.argv[2] ?? '') as Executed;
const schema = buildSchema(await readFile(SCHEMA, 'utf8'));
const document = parse(query);
const once = () =>
  execute({
    schema,
    document,
    rootValue: data,
    variableValues: variables,
    typeResolver: (_value, _context, _info, { name }) => (name === 'Node' ? 'User' : 'Book'),
  });

for (let turn = 0; turn < WARM_UP; turn++) await once();
const begun = process.cpuUsage();
for (let turn = 0; turn < MEASURED; turn++) await once();
const { user, system } = process.cpuUsage(begun);
process.stdout.write(String((user + system) / MEASURED));
