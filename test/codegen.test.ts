import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..');

/** The parts of the project that the generator needs, copied, to be changed. */
function copyOfProject() {
  const folder = mkdtempSync(join(tmpdir(), 'codegen-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const part of [
    'package.json',
    'schema.graphql',
    'tools/codegen.ts',
    'src/terminal/progress.ts',
    'src/graphql/schema.generated.ts',
    'src/graphql/resolvers.generated.ts',
  ])
    cpSync(join(PROJECT, part), join(folder, part));
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));

  return {
    schema: join(folder, 'schema.graphql'),
    types: join(folder, 'src/graphql/schema.generated.ts'),
    run: (...args: string[]) =>
      spawnSync(process.execPath, [join(folder, 'tools/codegen.ts'), ...args], { encoding: 'utf8' }),
  };
}

test('the check of the generated types fails until they are made anew, and changes nothing', () => {
  const { schema, types, run } = copyOfProject();
  const before = readFileSync(types, 'utf8');
  expect(run('--check')).toMatchObject({ status: 0, stdout: '' });

  appendFileSync(schema, '\n"""A shelf."""\ntype Shelf { name: String! }\n');
  const check = run('--check');
  expect(check.status).toBe(1);
  expect(check.stdout).toContain('run: npm run codegen');
  expect(readFileSync(types, 'utf8')).toBe(before);

  expect(run()).toMatchObject({ status: 0 });
  expect(readFileSync(types, 'utf8')).toContain('export type Shelf = {');
  expect(run('--check')).toMatchObject({ status: 0 });
});

test('a mistake in the schema is told with its place', () => {
  const { schema, run } = copyOfProject();
  appendFileSync(schema, '\ntype Shelf { name Strin! }\n');
  const { status, stdout } = run();
  expect(status).toBe(1);
  expect(stdout).toMatch(/schema\.graphql:\d+:\d+[^]*type Shelf { name Strin! }/);
});
