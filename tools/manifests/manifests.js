import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';

/**
 * The check of manifests by the schemas of Kubernetes. The schemas accept fields that they do not
 * know, such as misspelt ones, so TypeScript looks for those by the types of the same package.
 */

const ROOT = join(import.meta.dirname, '../..');
const TYPED = join(import.meta.dirname, 'node_modules/.cache/typed.ts');
const KUSTOMIZATION = 'kustomization.yaml';

/**
 * Returns what is wrong with the manifests of a folder, one sentence each.
 * @param {string} folder the folder of a kustomization
 * @returns {Promise<string[]>}
 */
export async function problemsOf(folder) {
  const { resources } = parse(await readFile(join(folder, KUSTOMIZATION), 'utf8'));
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== KUSTOMIZATION);
  const unlisted = files.filter((name) => !resources.includes(name));
  const manifests = (await Promise.all(resources.map((name) => manifestsIn(join(folder, name))))).flat();
  return [
    ...unlisted.map((name) => `${name} is not among the resources of ${KUSTOMIZATION}`),
    ...(await Promise.all(manifests.map(schemaProblem))).filter((problem) => problem !== undefined),
    ...(await unknownFields(manifests)),
  ];
}

/** Reads the documents of a file of YAML. */
async function manifestsIn(file) {
  return parseAllDocuments(await readFile(file, 'utf8')).map((document) => ({
    name: basename(file),
    manifest: document.toJS(),
  }));
}

/** Returns why Kubernetes would refuse a manifest; `undefined` if it would not. */
async function schemaProblem({ name, manifest }) {
  const { [manifest.kind]: Model } = await import(`kubernetes-models/${manifest.apiVersion}`);
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return `${name}, ${manifest.kind} ${manifest.metadata.name}: ${error.message}`;
  }
}

/** Returns the messages of TypeScript about fields that Kubernetes does not know. */
async function unknownFields(manifests) {
  const typed = manifests.map(
    ({ manifest }, index) =>
      `export const m${index}: import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind} = ${JSON.stringify(manifest, null, 2)};\n`,
  );
  await mkdir(join(TYPED, '..'), { recursive: true });
  await writeFile(TYPED, typed.join(''));
  const options = ['--ignoreConfig', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--strict', '--types', ''];
  const tsc = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [...options, TYPED]);
  return tsc.then(
    () => [],
    (error) => error.stdout.split('\n').filter((line) => /error/.test(line)),
  );
}
