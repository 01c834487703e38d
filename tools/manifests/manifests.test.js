import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { problemsOf } from './manifests.js';

const FOLDER = join(import.meta.dirname, '../../deploy/kubernetes');

/** Returns the problems of the manifests after a change of one of them. */
async function problemsAfter(file, from, to) {
  const folder = await mkdtemp(join(tmpdir(), 'manifests-'));
  try {
    await cp(FOLDER, folder, { recursive: true });
    const text = await readFile(join(folder, file), 'utf8');
    assert.ok(text.includes(from), `${file} has no ${from}`);
    await writeFile(join(folder, file), text.replace(from, to));
    return await problemsOf(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [what, file, from, to, problem] of [
  ['a misspelt field', 'server.yaml', 'readOnlyRootFilesystem', 'readOnlyRootFileSystem', /readOnlyRootFileSystem/],
  ['a value of another type', 'server.yaml', 'replicas: 2', 'replicas: two', /replicas must be integer/],
  [
    'a missing field',
    'migration.yaml',
    '- name: migration\n',
    '- {}\n        - name: migration\n',
    /required property name|'name' is missing/,
  ],
  [
    'a file that is not listed',
    'kustomization.yaml',
    '  - storage.yaml\n',
    '',
    /storage\.yaml is not among the resources/,
  ],
]) {
  test(`${what} is a problem`, async () => {
    const problems = await problemsAfter(file, from, to);
    assert.ok(
      problems.some((text) => problem.test(text)),
      JSON.stringify(problems),
    );
  });
}
