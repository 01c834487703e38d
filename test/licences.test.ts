import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

/**
 * The licences that allow everybody to run and change the server, without an obligation to publish
 * it.
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
];

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
    .map(([path, { version, license }]) => ({ name: path.replace(/^.*node_modules\//, ''), version, license }));

test.each(['package-lock.json', 'examples/web/package-lock.json'])(
  'each package that %s installs in production has a licence that we accept',
  (file) => {
    const installed = installedBy(file);
    expect(installed.length).toBeGreaterThan(10);
    expect(installed.filter(({ license }) => !ACCEPTED.includes(license ?? ''))).toEqual([]);
  },
);

test('npm sbom lists each package that is installed in production', () => {
  const bill = z
    .object({ components: z.array(z.object({ name: z.string(), version: z.string().optional() })) })
    .parse(
      JSON.parse(execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], { encoding: 'utf8', maxBuffer: 2 ** 26 })),
    );
  const listed = new Set(bill.components.map(({ name, version }) => `${name} ${version}`));
  expect(installedBy('package-lock.json').filter(({ name, version }) => !listed.has(`${name} ${version}`))).toEqual([]);
});
