import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const PROJECT = join(import.meta.dirname, '../..');

/** Copies the parts of the project that the generator needs, so that they can be changed. */
function copyOfProject(t) {
  const folder = mkdtempSync(join(tmpdir(), 'codegen-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const part of [
    'schema.graphql',
    'tools/contract/package.json',
    'tools/contract/codegen.js',
    'src/graphql/schema.generated.ts',
    'src/graphql/resolvers.generated.ts',
  ])
    cpSync(join(PROJECT, part), join(folder, part));
  symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'tools/contract/node_modules'));

  return {
    schema: join(folder, 'schema.graphql'),
    types: join(folder, 'src/graphql/schema.generated.ts'),
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
