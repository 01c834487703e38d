import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, matchesGlob, relative } from 'node:path';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { ByProject, LONG, UNIT } from '../vitest.config.ts';

/** The house rules, as CONTRIBUTING.md explains them. */

const ROOT = join(import.meta.dirname, '..');
const LINES_PER_FILE_MAX = 500;
/** The number is small because each import takes a second of processor time. */
const MODULES_TRIED = 5;
const COMMENT_WIDTH_MAX = 100;
const COMMENT_LINE = /^ *(?:\/\*\*|\*|\/\/) .*$/gm;
/** The start of a comment that begins with an object or a question instead of its subject. */
const COMMENT_WITHOUT_SUBJECT =
  /^ *(?:\/\*\*(?: |\n *\* )|(?<!^ *\/\/.*\n *)\/\/ )(?:What|Whether|Whoever|Whatever|Who|Which|Where|When|Why|Of|So (?:many|much|long|often|old)|How (?:many|much|long|often))\b.*$/gm;
const COMMENT_FOLDERS = ['src', 'test', 'tools', 'bench'];

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const sources = filesBelow('src', '.ts');
/** The files that declare the tables. Migrations repeat some of them. */
const declared = filesBelow('cql', '.cql').filter((file) => !file.startsWith('cql/migrations/'));
const written = sources.filter((file) => !file.startsWith('src/graphql/generated/'));
/** A file of `src` itself is treated as a folder. */
const folderOf = (file: string) => basename(file.split('/')[1] ?? '', '.ts');
const folders = [...new Set(sources.map(folderOf))];

/**
 * The floors below the features, lowest first, and those above them. Every other folder is a
 * feature. A folder imports only from its own floor and those below, without cycles.
 */
const BELOW_FEATURES = [
  [
    'config',
    'text',
    'time',
    'tracing',
    'terminal',
    'cassandra',
    'schema',
    'context',
    'graphql',
    'passwords',
    'erasure',
    'mail',
  ],
  ['transactions', 'changes', 'aggregates', 'jobs', 'leases', 'trust', 'audit', 'member-sets'],
  ['identity', 'feature'],
];
const ABOVE_FEATURES = [['features'], ['app', 'http'], ['serve'], ['main']];
const FEATURES = BELOW_FEATURES.length;

function floorOf(folder: string): number {
  const below = BELOW_FEATURES.findIndex((floor) => floor.includes(folder));
  return below >= 0 ? below : FEATURES + 1 + ABOVE_FEATURES.findIndex((floor) => floor.includes(folder));
}

interface Import {
  readonly from: string;
  readonly to: string;
}
/** Returns every import of the project's files by a file, including those of types. */
const importsOf = (from: string): Import[] =>
  [...read(from).matchAll(/(?:from|import|declare module) \(?'(\.[^']+)'|import\('(\.[^']+)'\)/g)]
    .map(([, path, later]) => ({ from, to: join(dirname(from), path ?? later ?? '') }))
    .filter(({ to }) => to.endsWith('.ts') && existsSync(join(ROOT, to)));
const imports = sources.flatMap(importsOf);

/**
 * Finds the cycles of a graph: its strongly connected components of more than one node (Tarjan,
 * "Depth-First Search and Linear Graph Algorithms", 1972).
 */
function circlesOf(arrows: readonly Import[]): string[][] {
  const next = Map.groupBy(arrows, ({ from }) => from);
  const found = new Map<string, { index: number; low: number }>();
  const path: string[] = [];
  const circles: string[][] = [];

  const visit = (node: string) => {
    const mine = { index: found.size, low: found.size };
    found.set(node, mine);
    path.push(node);
    for (const { to } of next.get(node) ?? []) {
      const known = found.get(to);
      if (!known) mine.low = Math.min(mine.low, visit(to).low);
      else if (path.includes(to)) mine.low = Math.min(mine.low, known.index);
    }
    if (mine.low === mine.index) {
      const part = path.splice(path.indexOf(node));
      if (part.length > 1) circles.push(part);
    }
    return mine;
  };
  for (const node of next.keys()) if (!found.has(node)) visit(node);
  return circles;
}

/** The files of a feature that other features may not import. */
const PRIVATE = ['tables.ts', 'loaders.ts', 'resolvers.ts', 'personal-data.ts'];

/** The files of the member sets that features may import. */
const PUBLIC_FILES_OF_MEMBER_SETS = ['operations.ts', 'audit.ts', 'tally.ts'];

/**
 * Tables that a folder below the features may read, although a feature owns them: accounts, pairs
 * of hidden readers, and follows.
 */
const READERS: Readonly<Record<string, string>> = {
  users_by_id: 'identity',
  hidden_by_user: 'identity',
  follows_by_user: 'identity',
  following_by_user: 'identity',
};

describe('the structure', () => {
  test('every folder that is assigned to a floor exists', () => {
    expect([...BELOW_FEATURES, ...ABOVE_FEATURES].flat().filter((folder) => !folders.includes(folder))).toEqual([]);
  });

  test('imports run downhill, including imports of types', () => {
    expect(imports.length).toBeGreaterThan(500);
    const uphill = imports.filter(({ from, to }) => floorOf(folderOf(to)) > floorOf(folderOf(from)));
    expect(uphill).toEqual([]);
  });

  test('imports have no cycles between files or between folders', () => {
    expect(circlesOf(imports)).toEqual([]);
    const between = imports.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }));
    expect(circlesOf(between.filter(({ from, to }) => from !== to))).toEqual([]);
  });

  test('bench and tools import no test code, and their imports have no cycles', () => {
    const beside = ['bench', 'tools']
      .flatMap((folder) => filesBelow(folder, '.ts'))
      .filter((file) => !file.includes('node_modules'));
    const arrows = beside.flatMap(importsOf);
    expect(arrows.length).toBeGreaterThan(100);
    const upward = (folder: string, refused: RegExp) =>
      arrows.filter(({ from, to }) => from.startsWith(folder) && refused.test(to));
    expect(upward('bench/', /^test\//)).toEqual([]);
    expect(upward('tools/', /^(?:test|bench)\//)).toEqual([]);
    expect(beside.filter((file) => read(file).includes("from 'vitest"))).toEqual([]);
    expect(imports.filter(({ to }) => !to.startsWith('src/'))).toEqual([]);
    expect(circlesOf(arrows)).toEqual([]);
  });

  // Without cycles every module can be imported first. Node's loader imports the modules that reach
  // the most folders, except src/main.ts, which starts a server.
  test('a module can be imported first, in a separate process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'compile-cache-'));
    const reaches = Map.groupBy(imports, ({ from }) => from);
    const reached = (file: string, seen = new Set<string>()): Set<string> => {
      for (const { to } of reaches.get(file) ?? []) if (!seen.has(to)) reached(to, seen.add(to));
      return seen;
    };
    const most = written
      .filter((file) => folderOf(file) !== 'main')
      .map((file) => ({ file, count: reached(file).size }));
    const firstOfRooms = [
      ...Map.groupBy(
        most.toSorted((a, b) => b.count - a.count),
        ({ file }) => folderOf(file),
      ).values(),
    ];
    const tried = firstOfRooms.slice(0, MODULES_TRIED).map(([first]) => first?.file ?? '');
    expect(tried.length).toBe(MODULES_TRIED);
    const failed: string[] = [];
    await pLimit(2).map(tried, async (file) => {
      const script = `import(${JSON.stringify(join(ROOT, file))}).then(() => process.exit())`;
      const env = { ...process.env, NODE_COMPILE_CACHE: folder };
      await promisify(execFile)(process.execPath, ['-e', script], { env }).catch((error: unknown) => {
        failed.push(`${file}: ${String(error)}`);
      });
    });
    await rm(folder, { recursive: true });
    expect(failed).toEqual([]);
  });

  test('a feature is imported only through its public files', () => {
    const reached = imports.filter(
      ({ from, to }) =>
        folderOf(from) !== folderOf(to) && PRIVATE.includes(basename(to)) && floorOf(folderOf(to)) <= FEATURES,
    );
    expect(reached).toEqual([]);

    const behindFace = imports.filter(
      ({ from, to }) =>
        folderOf(from) === 'likes' &&
        folderOf(to) === 'member-sets' &&
        !PUBLIC_FILES_OF_MEMBER_SETS.includes(basename(to)),
    );
    expect(behindFace).toEqual([]);
  });

  test('a feature declares its parts in feature.ts, which only src/features.ts imports', () => {
    const doors = written.filter((file) => basename(file) === 'feature.ts' && folderOf(file) !== 'feature');
    expect(doors.length).toBeGreaterThan(20);
    const arrows = imports.filter(({ to }) => doors.includes(to));
    expect(arrows.map(({ to }) => to).toSorted()).toEqual(doors.toSorted());
    expect(arrows.filter(({ from }) => from !== 'src/features.ts')).toEqual([]);
  });

  test('within a feature: resolvers → operations → aggregate → loaders → tables, never back', () => {
    const layers = ['tables.ts', 'loaders.ts', 'aggregate.ts', 'operations.ts', 'resolvers.ts'];
    for (const { from, to } of imports) {
      if (folderOf(from) !== folderOf(to)) continue;
      const [upper, lower] = [layers.indexOf(basename(from)), layers.indexOf(basename(to))];
      if (upper >= 0 && lower >= 0) expect(lower, `${from} imports ${to}`).toBeLessThanOrEqual(upper);
    }
  });

  test('an aggregate is declared in aggregate.ts, which does not depend on the caller: the operations are in operations.ts', () => {
    const kinds = written.filter((file) => read(file).includes('= aggregate('));
    expect(kinds.length).toBeGreaterThan(5);
    expect(kinds.filter((file) => basename(file) !== 'aggregate.ts')).toEqual([]);
    for (const file of kinds) {
      expect(read(file), file).not.toMatch(
        /\b(?:RequestContext|readInput|require(?:Viewer|SignedIn|Administrator\w*|Verified|Book))\b/,
      );
    }
  });

  test('statements are declared in tables.ts alone, and a table is named only by the feature that owns it', () => {
    const owners = new Map<string, string>();
    for (const file of declared) {
      for (const [, table = ''] of read(file).matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)) {
        owners.set(table, basename(file, '.cql'));
      }
    }
    expect(owners.size).toBeGreaterThan(10);
    for (const file of written) {
      const text = read(file);
      if (basename(file) !== 'tables.ts')
        expect(text, file).not.toMatch(
          /= (?:statement|range|stateTable|versionedList|insertInto|deleteFrom|selectFrom)\(/,
        );
      for (const [table, owner] of owners) {
        if (
          new RegExp(
            `(?:FROM |INTO |UPDATE |(?:range|stateTable|versionedList)\\(\\{\\s*table: '|\\w+\\(\\s*')${table}\\b`,
          ).test(text)
        )
          expect([owner, READERS[table]], `${file} names ${table}`).toContain(folderOf(file));
      }
    }
  });

  test('resolvers hold no logic: no loop, no CQL, no loader', () => {
    for (const file of written.filter((name) => basename(name) === 'resolvers.ts')) {
      expect(read(file), file).not.toMatch(/\bfor \(|\bwhile \(|cassandra|Loader\(/);
    }
  });
});

describe('the files', () => {
  test('a test file is in the project `unit` exactly if it reaches no database', () => {
    const reachesDatabase = (file: string, seen = new Set([file])): boolean =>
      file === 'test/support/app.ts' ||
      /\binject\b.*'vitest'/.test(read(file)) ||
      importsOf(file).some(({ to }) => !seen.has(to) && reachesDatabase(to, seen.add(to)));
    const files = filesBelow('test', '.test.ts').filter((file) => !LONG.some((glob) => matchesGlob(file, glob)));
    expect(files.filter((file) => !reachesDatabase(file)).toSorted()).toEqual(UNIT);
  });

  test('the files that an example imports exist, in the project or in the example', () => {
    const EXAMPLE = 'examples/note';
    const imported = filesBelow(EXAMPLE, '.ts').flatMap((file) =>
      [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
        join(dirname(relative(EXAMPLE, file)), path),
      ),
    );
    expect(imported.length).toBeGreaterThan(30);
    const isThere = (file: string) => [file, join(EXAMPLE, file)].some((each) => existsSync(join(ROOT, each)));
    expect(imported.filter((file) => !isThere(file))).toEqual([]);
  });

  test('each test file is in one shard, for any order in which the files are found', async () => {
    const found = ['b', 'e', 'a', 'd', 'c'].map((name) => ({ moduleId: name, project: { name: 'api' } }));
    const namesOf = async (index: number, files: typeof found) => {
      const sequencer = new ByProject({ config: { shard: { index, count: 2 } } } as Vitest);
      return (await sequencer.shard(files as TestSpecification[])).map(({ moduleId }) => moduleId);
    };
    expect(await namesOf(1, found)).toEqual(['a', 'c', 'e']);
    expect(await namesOf(2, found.toReversed())).toEqual(['b', 'd']);
  });

  test(`none is longer than ${LINES_PER_FILE_MAX} lines`, () => {
    for (const file of [...written, ...filesBelow('test', '.ts')]) {
      expect(read(file).split('\n').length, file).toBeLessThanOrEqual(LINES_PER_FILE_MAX);
    }
  });

  test('each comment begins with its subject, in lines of at most 100 characters', () => {
    const straight = COMMENT_FOLDERS.flatMap((folder) =>
      ['.ts', '.js'].flatMap((end) => filesBelow(folder, end)),
    ).filter((file) => !/node_modules|generated/.test(file));
    const found = (expression: RegExp) =>
      straight.flatMap((file) => [...read(file).matchAll(expression)].map(([text]) => ({ file, text })));
    expect(found(COMMENT_LINE).length).toBeGreaterThan(2_000);

    expect(found(COMMENT_WITHOUT_SUBJECT)).toEqual([]);
    expect(found(COMMENT_LINE).filter(({ text }) => text.length > COMMENT_WIDTH_MAX)).toEqual([]);
  });

  test('no code has a TODO, and no test is switched off', () => {
    for (const file of written) {
      expect(read(file), file).not.toMatch(/\b(?:TODO|FIXME|XXX)\b|@ts-(?:ignore|expect-error)|\bas any\b|: any\b/);
    }
    for (const file of filesBelow('test', '.test.ts')) {
      if (file !== 'test/tidy.test.ts')
        expect(read(file), file).not.toMatch(/\b(?:test|describe)\.(?:skip|only|todo)\b/);
    }
  });

  test('every table has a comment with its query, its bound, its kind and its writers', () => {
    for (const file of declared) {
      const parts = read(file).split(/(?=CREATE TABLE)/);
      parts.slice(1).forEach((part, index) => {
        const above = parts[index]?.split(/^(?!--).*;$/m).at(-1) ?? '';
        const table = /EXISTS (\w+)/.exec(part)?.[1] ?? '';
        for (const word of ['Quer', 'Bound: ', 'Kind: ', 'Written by: '])
          expect(above, `${file}: ${table}`).toContain(word);
      });
    }
  });

  test('every file that names the version of Node or of Cassandra names the same one', () => {
    const { engines, devDependencies } = JSON.parse(read('package.json')) as {
      engines: { node: string };
      devDependencies: { node: string };
    };
    const [major] = devDependencies.node.split('.');
    expect(read('.nvmrc').trim()).toBe(major);
    expect(engines.node).toBe(`>=${major}`);

    const cassandras = ['tools/launch/docker.ts', 'tools/launch/embedded.ts', 'tools/launch/pom.xml', 'README.md'].map(
      (file) => /(?:cassandra:|VERSION = '|<cassandra\.version>)(\d+\.\d+\.\d+)/.exec(read(file))?.[1],
    );
    expect(new Set(cassandras).size, String(cassandras)).toBe(1);
    expect(cassandras[0]).toMatch(/^\d/);
  });

  test('the lock files name no registry', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { resolved?: string }> };
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    for (const [path, { resolved }] of Object.entries(packages)) expect(resolved ?? '', path).not.toMatch(/^https?:/);
    for (const folder of ['bench/postgraphile', 'tools/contract', 'tools/manifests', 'examples/web'])
      expect(read(`${folder}/package-lock.json`)).not.toContain('"resolved"');
  });
});
