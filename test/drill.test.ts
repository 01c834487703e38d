import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { nodetoolOf } from '../tools/launch/embedded.ts';
import type { Manifest } from '../tools/backup/manifest.ts';
import { nodetoolBy } from '../tools/backup/node.ts';
import { begin, finish, load } from '../tools/backup/restore.ts';
import { loseAndBringBack, startDrill, type Drill } from '../tools/drill/drill.ts';
import { Ends } from '../tools/support/ends.ts';

/**
 * Tables that are lost on a separate node and restored by an operator, and restores that are
 * refused.
 */

const PORT = 19_342;

const ends = new Ends();
let drill: Drill;
let backup: string;
beforeAll(async () => {
  drill = await startDrill(ends, 1, PORT);
  backup = join(drill.folder, 'backup');
});
afterAll(() => ends.all());

test('lost data is restored, new changes are kept, and deleted accounts remain deleted', async () => {
  expect(await loseAndBringBack(drill, backup)).toEqual([]);
});

const folderOfPart = async (of: string) => join(of, (await readdir(of))[0]!);
const restore = (...given: string[]) => drill.tool('restore', ...given);
const refusal = (code: number, message: RegExp) => ({ code, stdout: expect.stringMatching(message) as unknown });
/** The steps of a restore, in this process. */
const config = () => readConfig(drill.environment);
const nodetool = () => nodetoolBy(nodetoolOf(drill.nodes[0]!.dataFolder));
const rowsOfItems = () => drill.execute('SELECT item_id FROM items');

type Change = (manifest: Manifest, part: string) => unknown;

/** Makes a copy of the backup with a change. */
async function changed(change: Change): Promise<string> {
  const copy = join(drill.folder, 'changed');
  await rm(copy, { recursive: true, force: true });
  await cp(backup, copy, { recursive: true });
  const part = await folderOfPart(copy);
  const file = join(part, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  await change(manifest, part);
  await writeFile(file, JSON.stringify(manifest));
  return copy;
}

const itemsIn = ({ tables }: Manifest) => tables.find(({ name }) => name === 'items')!;

describe('a restore is refused, and nothing is changed, for', () => {
  test.for<[string, Change, RegExp]>([
    [
      'a wrong checksum',
      async (manifest, part) => {
        const { name } = itemsIn(manifest).files.find((file) => file.name.endsWith('Data.db'))!;
        const path = join(part, 'drill', 'items', name);
        const bytes = await readFile(path);
        bytes[0]! ^= 1;
        await writeFile(path, bytes);
      },
      /The file \S+items\/\S+Data\.db differs from the backed-up file/,
    ],
    [
      'a file that is missing',
      (manifest, part) => rm(join(part, 'drill', 'items', itemsIn(manifest).files[0]!.name)),
      /The backup lacks the file \S+items/,
    ],
    [
      'a newer release',
      (manifest) => (manifest.release = '99.0.0'),
      /was made by release 99\.0\.0, but this is release/,
    ],
    [
      'a column that the keyspace lacks',
      (manifest) => itemsIn(manifest).columns.push({ name: 'weight', type: 'int', kind: 'regular', position: -1 }),
      /the column items\.weight is missing\. Restore it with release/,
    ],
    [
      'a table that the backup lacks',
      (manifest) => (manifest.tables = manifest.tables.filter(({ name }) => name !== 'items')),
      /has no table items/,
    ],
    ['another ring', (manifest) => (manifest.ring[0]!.tokens = ['1']), /a ring of 1 nodes whose tokens differ/],
    ['another keyspace', (manifest) => (manifest.keyspace = 'other'), /has the keyspace other/],
    ['a manifest that is none', (manifest) => Object.assign(manifest, { node: null }), /manifest\.json cannot be read/],
  ])('%s', async ([, change, message]) => {
    const before = await rowsOfItems();
    await expect(begin(config(), await changed(change), undefined)).rejects.toThrow(message);
    expect(await rowsOfItems()).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
  });

  test('a server that is running', async () => {
    const server = await drill.start();
    await expect(restore('begin', '--from', backup)).rejects.toMatchObject(refusal(1, /1 servers are running/));
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    expect((await rowsOfItems()).length).toBeGreaterThan(0);
    await server.stop();
  });

  test.for<[string, () => Promise<unknown>, RegExp]>([
    ['a folder without a backup', () => begin(config(), '/nowhere', undefined), /\/nowhere has no backup/],
    ['a derived table', () => begin(config(), backup, ['items_by_book']), /is derived: `npm run admin -- rebuild/],
    [
      'a table that is not restored',
      () => begin(config(), backup, ['trending']),
      /is not a table that can be restored/,
    ],
    ['a load before the begin', () => load(config(), nodetool(), backup), /No restore of drill has begun/],
    ['an end before the begin', () => finish(config(), nodetool(), []), /No restore of drill has begun/],
  ])('%s', async ([, step, message]) => {
    await expect(step()).rejects.toThrow(message);
  });

  test.for<[string[], RegExp]>([
    [['begin'], /--from is needed/],
    [['finish'], /--erased is needed/],
    [['load', '--from', 'a folder', '--table', 'items'], /--table belongs to begin/],
    [['go'], /the step is begin, load or finish/],
  ])('%s', async ([given, message]) => {
    await expect(restore(...given)).rejects.toMatchObject(refusal(2, message));
  });
});

test('between the steps of a restore no server starts, no other restore begins, and each step can be repeated', async () => {
  const beginAgain = () => begin(config(), backup, ['blocks_by_user']);
  await beginAgain();
  await beginAgain();

  await expect(drill.start()).rejects.toThrow(/is being restored from a backup/);
  await expect(begin(config(), backup, undefined)).rejects.toThrow(/A restore of other tables is/);
  await expect(finish(config(), nodetool(), [])).rejects.toThrow(/has not loaded its part/);
  await load(config(), nodetool(), backup);
  await load(config(), nodetool(), backup);
  const noIds = join(drill.folder, 'no-ids');
  await writeFile(noIds, 'somebody\n');
  await expect(finish(config(), nodetool(), [noIds])).rejects.toThrow(
    /a line that is not the id of an account: somebody/,
  );
  expect(await finish(config(), nodetool(), [])).toBe(true);

  await (await drill.start()).stop();
});

test('a backup does not overwrite another one, and its error names the nodetool that it needs', async () => {
  const nodetool = ['--nodetool', join(drill.nodes[0]!.dataFolder, 'nodetool')];
  await expect(drill.tool('backup', '--to', backup, ...nodetool)).rejects.toMatchObject(
    refusal(1, /already has a backup of this node/),
  );
  await expect(drill.tool('backup', '--to', backup, '--nodetool', 'false')).rejects.toMatchObject(
    refusal(1, /`false info` failed; use --nodetool for another command/),
  );
  await expect(drill.tool('backup')).rejects.toMatchObject(refusal(2, /--to is needed/));
});
