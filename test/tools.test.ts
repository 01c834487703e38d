import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { WORKLOADS } from '../bench/api/workloads.ts';

/** The scripts `admin`, `bench` and `chaos`, which run a tool by its name. */

const ROOT = join(import.meta.dirname, '..');
const LINE_MAX = 120;

const run = (folder: string, ...given: string[]) =>
  new Promise<{ code: unknown; printed: string }>((resolve) => {
    execFile(process.execPath, ['tools/run.ts', folder, ...given], { cwd: ROOT }, (error, out, errors) => {
      resolve({ code: error?.code ?? 0, printed: out + errors });
    });
  });

test.each(['tools/admin', 'tools/chaos'])('each file of %s is listed with a line about it', async (folder) => {
  const { code, printed } = await run(folder);
  expect(code).toBe(0);
  const [first = '', ...lines] = printed.trimEnd().split('\n');
  expect(first).toBe(`Usage: npm run ${basename(folder)} -- NAME, which is one of:`);
  const names = readdirSync(join(ROOT, folder)).map((file) => basename(file, '.ts'));
  expect(lines.map((line) => /^ {2}(\S+) +\w/.exec(line)?.[1])).toEqual(names.toSorted());
  expect(lines.filter(({ length }) => length > LINE_MAX)).toEqual([]);
});

test('the list of benchmarks excludes their shared files', async () => {
  const { printed } = await run('bench', '--help');
  expect(printed).toMatch(/^ {2}likes +\w/m);
  expect(printed).not.toMatch(/^ {2}processor /m);
});

test('an unknown name is answered with the existing names', async () => {
  const { code, printed } = await run('tools/admin', 'import');
  expect(code).toBe(2);
  expect(printed).toMatch(/^There is no "import"\. Usage: npm run admin -- NAME[^]*\n {2}import-books /);
});

test.each(['tools/admin', 'tools/chaos', 'bench'])(
  '--help describes a tool of %s instead of running it',
  async (folder) => {
    const { printed: list } = await run(folder);
    const names = [...list.matchAll(/^ {2}(\S+) /gm)].map(([, name = '']) => name);
    const answers = await Promise.all(names.map((name) => run(folder, name, '--help')));
    for (const [index, name] of names.entries()) {
      const { code, printed } = answers[index] ?? {};
      expect(code).toBe(0);
      expect(printed).toContain(`\`npm run ${basename(folder)} -- ${name}`);
      expect(printed).not.toContain('${');
    }
  },
);

test('an option that a tool does not have is answered with its help', async () => {
  const { code, printed } = await run('bench', 'api', '--nonsense');
  expect(code).toBe(2);
  expect(printed).toMatch(/^Unknown option '--nonsense'[^]*\nUsage: npm run bench -- api /);
  expect(printed).toContain(`  ${Object.keys(WORKLOADS).join(' ')}; by default all`);
});

test('a tool receives its arguments', async () => {
  const { code, printed } = await run('tools/admin', 'remove-book', '12345');
  expect(code).toBe(2);
  expect(printed).toMatch(/Usage: npm run admin -- remove-book ISBN; the given one \w/);
});
