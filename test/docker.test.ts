import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../src/config/settings.ts';
import { DOCKER_IMAGE } from '../tools/launch/docker.ts';

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

test('without its package Docker is not used, and the message explains how to install it', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(WITHOUT_TESTCONTAINERS)}`],
      ...['--input-type=module', '--eval'],
      "import { dockerUnavailable } from './tools/launch/docker.ts'; console.log(await dockerUnavailable(() => {}))",
    ],
    { cwd: PROJECT },
  );
  expect(stdout).toBe('the package testcontainers is not installed; `npm ci` without --omit=dev installs it\n');
});

/** The sum of DRAIN_SECONDS in production, 20 s for ending all parts, and a margin. */
const ENDS_WITHIN_SECONDS = 30;

interface Manifest {
  readonly spec: {
    readonly template?: {
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly containers: readonly { readonly env: readonly { readonly name: string }[] }[];
      };
    };
  };
}

describe('the files of containers', () => {
  const { devDependencies, scripts } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

  test('run the same Node as the scripts, with the memory settings that only the image has', () => {
    const dockerfile = read('Dockerfile');
    const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
    const [base = ''] = images;
    expect(new Set(images)).toEqual(new Set([base]));
    const [tag, digest] = base.split('@');
    expect(tag).toBe(`node:${devDependencies?.['node']}-slim`);
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);

    const command = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    expect(command).toEqual(['node', 'src/main.ts']);
    expect(dockerfile).toMatch(/^ENV .* NODE_COMPILE_CACHE=\S+ MALLOC_ARENA_MAX=2$/m);
    expect(scripts?.['start']).not.toMatch(/MALLOC_|-size=/);
  });

  test('name the same image of Cassandra', () => {
    for (const file of ['docker-compose.yml', 'docker-compose.cluster.yml']) {
      const images = [...read(file).matchAll(/image: (cassandra[^\s@]*)/g)].map(([, image]) => image);
      expect(images, file).toEqual([DOCKER_IMAGE]);
    }
  });

  const { services } = parse(read('docker-compose.production.yml'), { merge: true }) as {
    services: Record<string, { environment: Record<string, unknown>; read_only: boolean; stop_grace_period?: string }>;
  };
  const manifests = ['server', 'migration'].flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document) => document.toJS() as Manifest),
  );
  const pods = manifests.flatMap(({ spec: { template } }) => (template ? [template.spec] : []));

  test('name settings that there are', () => {
    const composed = ['server-1', 'server-2', 'migrate'].flatMap((name) => Object.keys(services[name]!.environment));
    const files = [...read('deploy/kubernetes/settings.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    const inPods = pods.flatMap(({ containers }) => containers.flatMap(({ env }) => env.map(({ name }) => name)));
    const named = [...composed, ...files, ...inPods].filter((name) => name !== 'SERVER');
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !Object.hasOwn(settings, name!))).toEqual([]);
  });

  test('have a read-only root filesystem, and give a server enough time to end', () => {
    expect(pods).toHaveLength(2);
    for (const { containers } of pods)
      expect(containers).toMatchObject([{ securityContext: { readOnlyRootFilesystem: true } }]);
    expect(pods[0]!.terminationGracePeriodSeconds).toBe(ENDS_WITHIN_SECONDS);
    for (const [name, { read_only: isLocked }] of Object.entries(services)) expect(isLocked, name).toBe(true);
    for (const name of ['server-1', 'server-2'])
      expect(services[name]!.stop_grace_period).toBe(`${ENDS_WITHIN_SECONDS}s`);
  });
});
