import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DOCKER_IMAGE } from '../src/launch/docker.ts';

const PROJECT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');

/** A script without testcontainers, as after `npm ci --omit=dev`. */
const WITHOUT_TESTCONTAINERS = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      return next(specifier === 'testcontainers' ? 'there-is-no-such-package' : specifier, context);
    },
  });
`;

test('without its package Docker is not used, and a person learns how to get it', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(WITHOUT_TESTCONTAINERS)}`],
      ...['--input-type=module', '--eval'],
      "import { dockerUnavailable } from './src/launch/docker.ts'; console.log(await dockerUnavailable(() => {}))",
    ],
    { cwd: PROJECT },
  );
  expect(stdout).toBe('the package testcontainers is not installed; `npm ci` without --omit=dev installs it\n');
});

describe('the files of Docker', () => {
  const { devDependencies, scripts } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

  test('run the Node of the scripts, as `npm start` does', () => {
    const dockerfile = read('Dockerfile');
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`node:${devDependencies?.['node']}-slim`]));

    const command = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    const [arenas = '', cache = '', ...start] =
      scripts?.['start']?.replace('--env-file-if-exists=.env ', '').split(' ') ?? [];
    expect(['exec', ...command]).toEqual(start);
    expect([arenas, cache]).toEqual(['MALLOC_ARENA_MAX=2', expect.stringMatching(/^NODE_COMPILE_CACHE=/)]);
    expect(dockerfile).toMatch(new RegExp(`^ENV .* NODE_COMPILE_CACHE=\\S+ ${arenas}$`, 'm'));
  });

  test('name the one image of Cassandra', () => {
    for (const file of ['docker-compose.yml', 'docker-compose.cluster.yml']) {
      const images = [...read(file).matchAll(/image: (cassandra\S*)/g)].map(([, image]) => image);
      expect(images, file).toEqual([DOCKER_IMAGE]);
    }
  });
});
