import { readFile } from 'node:fs/promises';
import pLimit from 'p-limit';
import { eraseAgain } from '../../src/accounts/changes.ts';
import type { AppContext } from '../../src/context/context.ts';
import { say } from '../../src/terminal/progress.ts';

/** The files in which servers write the ids of deleted accounts, one a line: `ERASED_IDS_FILE`. */

const ERASED_AT_ONCE = 4;

/**
 * Reads the ids of deleted accounts, each once.
 * @throws {Error} if a file has anything else
 */
export async function readErasedIds(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  const wrong = lines.find((line) => !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(line));
  if (wrong !== undefined) throw new Error(`${files.join(', ')} has a line that is not the id of an account: ${wrong}`);
  return [...new Set(lines)];
}

/** Erases accounts that were deleted before, and all of their data. It may be repeated. */
export async function eraseAllAgain(app: AppContext, ids: readonly string[]): Promise<void> {
  say(`erasing ${ids.length} deleted accounts again`);
  await pLimit(ERASED_AT_ONCE).map([...ids], (id) => eraseAgain(app, id));
}
