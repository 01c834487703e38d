import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const PROJECT = join(import.meta.dirname, '../..');

/** Copies the parts of the project that the generator needs, so that they can be changed. */
function copyOfProject(t) {
  const folder = mkdtempSync(join(tmpdir(), 'codegen-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const part of ['schema.graphql', 'tools/contract/package.json', 'tools/contract/codegen.js', 'src'])
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true });
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'tools/contract/node_modules'));

  return {
    folder,
    schema: join(folder, 'schema.graphql'),
    types: join(folder, 'src/graphql/generated/schema-types.ts'),
    run: (...args) =>
      spawnSync(process.execPath, [join(folder, 'tools/contract/codegen.js'), ...args], { encoding: 'utf8' }),
  };
}

test('the check of the generated types fails until they are made anew, and changes nothing', (t) => {
  const { schema, types, run } = copyOfProject(t);
  const before = readFileSync(types, 'utf8');
  assert.partialDeepStrictEqual(run('--check'), { status: 0, stdout: '' });

  appendFileSync(schema, '\n"""A shelf."""\ntype Shelf { name: String! }\n');
  const check = run('--check');
  assert.equal(check.status, 1);
  assert.match(check.stdout, /run: npm run codegen/);
  assert.equal(readFileSync(types, 'utf8'), before);

  assert.equal(run().status, 0);
  assert.match(readFileSync(types, 'utf8'), /export type Shelf = {/);
  assert.equal(run('--check').status, 0);
});

test('a mistake in the schema is reported with its place', (t) => {
  const { schema, run } = copyOfProject(t);
  appendFileSync(schema, '\ntype Shelf { name Strin! }\n');
  const { status, stdout } = run();
  assert.equal(status, 1);
  assert.match(stdout, /schema\.graphql:\d+:\d+[^]*type Shelf { name Strin! }/);
});

test('resolvers receive the model that a feature declares for a type, and pages of a model of edges', (t) => {
  const { folder, schema, run } = copyOfProject(t);
  appendFileSync(
    schema,
    `
type Shelf { name: String! }
type ShelfRow { name: String! }
type ShelfRowEdge { node: ShelfRow! }
type ShelfRowConnection { edges: [ShelfRowEdge!]! }
`,
  );
  mkdirSync(join(folder, 'src/shelves'));
  writeFileSync(
    join(folder, 'src/shelves/resolvers.ts'),
    `declare module '../graphql/models.ts' {
  interface Models {
    Shelf: Shelf;
    ShelfRowEdge: {
      node: ShelfRow;
    };
  }
}
`,
  );

  assert.equal(run().status, 0);
  const resolvers = readFileSync(join(folder, 'src/graphql/generated/resolver-types.ts'), 'utf8');
  assert.match(resolvers, /^ {2}Shelf: ResolverTypeWrapper<Models\['Shelf'\]>;$/m);
  assert.match(resolvers, /^ {2}ShelfRowConnection: ResolverTypeWrapper<Connection<Models\['ShelfRowEdge'\]>>;$/m);
  assert.doesNotMatch(resolvers, /Models\['node'\]/);
});
