import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, test } from 'vitest';
import { IS_FULL } from './support/full.ts';

/**
 * The example of CONTRIBUTING: an aggregate that is added to a copy of the project, with no other
 * files than those that CONTRIBUTING names.
 */

const PROJECT = join(import.meta.dirname, '..');
const EXAMPLE = join(PROJECT, 'examples/note');
const FILES_MAX = 11;
const NOT_COPIED = ['.git', '.cassandra', 'node_modules', 'examples'];

const exampleFiles = readdirSync(EXAMPLE, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(EXAMPLE, join(entry.parentPath, entry.name)));

let copy: string;

/** Runs a program of the copy, and returns its output. The output is in the error if it fails. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', CASSANDRA_CONTACT_POINTS: inject('contactPoints') };
  const { stdout } = await promisify(execFile)(program, args, { cwd: copy, env }).catch((error: unknown) => {
    const { stdout: out, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${out}${stderr}`);
  });
  return stdout;
}

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'note-example-'));
  cpSync(PROJECT, copy, { recursive: true, filter: (file) => !NOT_COPIED.includes(basename(file)) });
  await promisify(execFile)('npm', ['run', 'packages', '--prefix', 'tools/contract'], { cwd: PROJECT });
  for (const modules of ['node_modules', 'tools/contract/node_modules'])
    symlinkSync(join(PROJECT, modules), join(copy, modules));

  for (const file of exampleFiles.filter((name) => name !== 'schema.graphql'))
    cpSync(join(EXAMPLE, file), join(copy, file));
  appendFileSync(join(copy, 'schema.graphql'), `\n${readFileSync(join(EXAMPLE, 'schema.graphql'), 'utf8')}`);
  const features = readFileSync(join(copy, 'src/features.ts'), 'utf8');
  const listed = features.replace(/^ {2}accounts,$/m, '  notes,\n  accounts,');
  expect(listed).not.toBe(features);
  writeFileSync(join(copy, 'src/features.ts'), `import { feature as notes } from './notes/feature.ts';\n${listed}`);
  return () => {
    rmSync(copy, { recursive: true });
  };
});

test(`CONTRIBUTING names its files, at most ${FILES_MAX}`, () => {
  const contributing = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
  const section = contributing.split(/^## /m).find((part) => part.startsWith('A new aggregate\n')) ?? '';
  const named = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => file);
  expect(named.toSorted()).toEqual([...exampleFiles, 'src/features.ts'].toSorted());
  expect(named.length).toBeLessThanOrEqual(FILES_MAX);
});

/** The tests of the rules that an aggregate must keep, by their files. */
const RULES = {
  notes: 'notes',
  statements: 'every statement|every table',
  contract: 'describes',
  // The other one starts a process for each folder.
  tidy: IS_FULL ? 'the structure' : 'the structure (?!a module can be imported first)',
  'input-errors': 'every mutation has a case',
};
const TESTED = Object.keys(RULES).map((name) => `test/${name}.test.ts`);

test('its files pass the type check and the linter without any other file', async () => {
  await run(process.execPath, 'tools/contract/codegen.js');
  const checked = IS_FULL ? ['src', 'test', 'tools', 'bench', '*.ts'] : ['src', 'test/support', ...TESTED];
  writeFileSync(join(copy, 'tsconfig.notes.json'), JSON.stringify({ extends: './tsconfig.json', include: checked }));
  await run('node_modules/.bin/tsc', '-p', 'tsconfig.notes.json');
  await run('node_modules/.bin/oxlint', 'src/notes', 'test/notes.test.ts');
});

test('its own tests pass, and the tests of the rules that it must follow', async () => {
  const names = Object.values(RULES).join('|');
  // One worker makes one keyspace with the table of notes, and loads the modules once.
  const output = await run('node_modules/.bin/vitest', 'run', '--maxWorkers=1', '-t', names, ...TESTED);
  // A file without a test of these names would be skipped.
  expect(output).toMatch(new RegExp(`Test Files +${TESTED.length} passed \\(${TESTED.length}\\)`));
});
