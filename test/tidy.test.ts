import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The house rules, as CONTRIBUTING.md explains them. */

const ROOT = join(import.meta.dirname, '..');
const LINES_PER_FILE_MAX = 500;
const PACKAGES_MAX = 400;

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const sources = filesBelow('src', '.ts').filter((file) => !file.endsWith('.generated.ts'));
const features = readdirSync(join(ROOT, 'src')).filter(
  (name) => statSync(join(ROOT, 'src', name)).isDirectory() && name !== 'cassandra',
);
const featureOf = (file: string) => features.find((feature) => file.startsWith(`src/${feature}/`));

interface Import {
  readonly from: string;
  readonly to: string;
}
const imports: Import[] = sources.flatMap((from) =>
  [...read(from).matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => ({ from, to: join(dirname(from), path) })),
);

/** Lower layers know nothing of higher ones. */
const LAYERS = ['tables.ts', 'loaders.ts', 'operations.ts', 'resolvers.ts'];

describe('the structure', () => {
  test('there are features, and each has its tables', () => {
    expect(features).toEqual(
      expect.arrayContaining(['accounts', 'activity', 'catalogue', 'likes', 'reading', 'transactions']),
    );
    for (const feature of features) expect(sources).toContain(`src/${feature}/tables.ts`);
  });

  test('within a feature: resolvers → operations → loaders → tables, never back', () => {
    for (const { from, to } of imports) {
      if (featureOf(from) === undefined || featureOf(from) !== featureOf(to)) continue;
      const [upper, lower] = [LAYERS.indexOf(basename(from)), LAYERS.indexOf(basename(to))];
      if (upper >= 0 && lower >= 0) expect(lower, `${from} imports ${to}`).toBeLessThanOrEqual(upper);
    }
  });

  test('another feature is reached only through its operations.ts or bulk.ts, or an authority.ts', () => {
    for (const { from, to } of imports) {
      const [mine, theirs] = [featureOf(from), featureOf(to)];
      if (mine === undefined || theirs === undefined || mine === theirs) continue;
      expect(['operations.ts', 'authority.ts', 'bulk.ts'], `${from} imports ${to}`).toContain(basename(to));
    }
  });

  test('src/cassandra knows no feature', () => {
    for (const { from, to } of imports) {
      if (from.startsWith('src/cassandra/')) expect(featureOf(to), `${from} imports ${to}`).toBeUndefined();
    }
  });

  test('statements are declared in tables.ts alone, and a table is named only by the feature that owns it', () => {
    const owners = new Map<string, string>();
    for (const file of filesBelow('cql', '.cql')) {
      for (const [, table = ''] of read(file).matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)) {
        owners.set(table, basename(file, '.cql'));
      }
    }
    expect(owners.size).toBeGreaterThan(10);
    for (const file of sources) {
      const text = read(file);
      if (basename(file) !== 'tables.ts') expect(text, file).not.toMatch(/= statement\(/);
      for (const [table, owner] of owners) {
        if (new RegExp(`(?:FROM|INTO|UPDATE) ${table}\\b`).test(text))
          expect(featureOf(file), `${file} names ${table}`).toBe(owner);
      }
    }
  });

  test('resolvers hold no logic: no loop, no CQL, no loader', () => {
    for (const file of sources.filter((name) => basename(name) === 'resolvers.ts')) {
      expect(read(file), file).not.toMatch(/\bfor \(|\bwhile \(|cassandra|\.loaders\b/);
    }
  });
});

describe('the files', () => {
  test(`none is longer than ${LINES_PER_FILE_MAX} lines`, () => {
    for (const file of [...sources, ...filesBelow('test', '.ts')]) {
      expect(read(file).split('\n').length, file).toBeLessThanOrEqual(LINES_PER_FILE_MAX);
    }
  });

  test('nothing is left to be done, nothing is switched off', () => {
    for (const file of sources) {
      expect(read(file), file).not.toMatch(/\b(?:TODO|FIXME|XXX)\b|@ts-(?:ignore|expect-error)|\bas any\b|: any\b/);
    }
    for (const file of filesBelow('test', '.test.ts')) {
      if (file !== 'test/tidy.test.ts')
        expect(read(file), file).not.toMatch(/\b(?:test|describe)\.(?:skip|only|todo)\b/);
    }
  });

  test('every table says which query it answers, its bound and who writes it', () => {
    for (const file of filesBelow('cql', '.cql')) {
      const parts = read(file).split(/(?=CREATE TABLE)/);
      parts.slice(1).forEach((part, index) => {
        const above = parts[index]?.split(/;$/m).at(-1) ?? '';
        const table = /EXISTS (\w+)/.exec(part)?.[1] ?? '';
        for (const word of ['Quer', 'Bound: ', 'Written by: ']) expect(above, `${file}: ${table}`).toContain(word);
      });
    }
  });

  test(`the lock file installs at most ${PACKAGES_MAX} packages, from whatever registry`, () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optional?: true; resolved?: string }>;
    };
    // Most optional ones are for another platform, and are not installed.
    const installed = Object.entries(packages).filter(([path, { optional }]) => path !== '' && !optional);
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.length).toBeLessThanOrEqual(PACKAGES_MAX);
    for (const [path, { resolved }] of Object.entries(packages)) expect(resolved ?? '', path).not.toMatch(/^https?:/);
  });
});
