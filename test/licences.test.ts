import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

/**
 * The licences that allow everybody to run and change the server, without an obligation to publish
 * it. The MPL asks for that only if its own files are changed.
 */
const ACCEPTED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '(MIT AND BSD-3-Clause)',
  'MPL-2.0',
];

/** The packages with a licence of fonts: anybody may use and embed those of DejaVu. */
const FONTS = ['dejavu-fonts-ttf'];

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

/** Returns the packages that a lock file installs in production, except those of this project. */
const installedBy = (file: string) =>
  Object.entries(lock.parse(JSON.parse(readFileSync(file, 'utf8'))).packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .map(([path, { version, license }]) => ({ path, name: path.replace(/^.*node_modules\//, ''), version, license }));

test.each(['package-lock.json', 'examples/web/package-lock.json'])(
  'each package that %s installs in production has a licence that we accept',
  (file) => {
    const installed = installedBy(file);
    expect(installed.length).toBeGreaterThan(10);
    const others = installed.filter(({ license }) => !ACCEPTED.includes(license ?? ''));
    expect(others.filter(({ name }) => !FONTS.includes(name))).toEqual([]);
  },
);

test('npm sbom lists each package that is installed in production', () => {
  const bill = z
    .object({ components: z.array(z.object({ name: z.string(), version: z.string().optional() })) })
    .parse(
      JSON.parse(execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { encoding: 'utf8', maxBuffer: 2 ** 26 })),
    );
  const listed = new Set(bill.components.map(({ name, version }) => `${name} ${version}`));
  // A package for another platform is in the lock file, but not installed.
  const installed = installedBy('package-lock.json').filter(({ path }) => existsSync(path));
  expect(installed.filter(({ name, version }) => !listed.has(`${name} ${version}`))).toEqual([]);
});
