import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pLimit, { type LimitFunction } from 'p-limit';
import { importBooks } from '../../src/catalogue/import.ts';
import type { AppContext } from '../../src/context/context.ts';
import { checksumOf, importProgress } from '../../src/bulk-import/operations.ts';
import { Lease } from '../../src/leases/operations.ts';
import { importLibraries } from '../../src/libraries/import.ts';
import { SAMPLE, SAMPLE_LIBRARIES } from '../places.ts';
import { areSampleReadersLoaded, loadSampleReaders } from './sample-readers.ts';
import { say } from '../../src/terminal/progress.ts';
import { showImport } from '../support/progress-bar.ts';

/**
 * Imports the sample data while the API answers. One server imports it, and another one takes over
 * if that server dies.
 */

/** The number of books imported before the API answers: the most popular ones. */
const FIRST_BOOKS = 100;
const WRITES_AT_ONCE = 8;
const LOOK_MS = 500;

const samples = [
  { what: 'libraries', file: SAMPLE_LIBRARIES, importIt: importLibraries },
  { what: 'books', file: SAMPLE, importIt: importBooks },
] as const;

/**
 * Makes a limit for writes that yields to requests: several at once while the server is idle, one
 * at a time while it answers requests.
 * @param server a server that does not listen yet
 */
export function yieldingLimit(server: FastifyInstance): LimitFunction {
  const limit = pLimit(WRITES_AT_ONCE);
  let underWay = 0;
  server.addHook('onRequest', (_request, reply, done) => {
    underWay++;
    limit.concurrency = 1;
    // `close` is also emitted when the caller has disconnected.
    reply.raw.once('close', () => {
      underWay--;
      if (underWay === 0) limit.concurrency = WRITES_AT_ONCE;
    });
    done();
  });
  return limit;
}

/**
 * Imports the missing part of the sample data, or waits for the server that does. The next start
 * continues an interrupted import.
 * @param limit the number of writes at once
 * @param ending aborted when the server is to end
 * @returns `firstBooks` resolves when the most popular books are imported; `all` when everything
 *   is, or the server ends
 */
export function importSampleData(
  app: AppContext,
  limit: LimitFunction,
  ending: AbortSignal,
): { firstBooks: Promise<void>; all: Promise<void> } {
  const { promise: firstBooks, resolve } = Promise.withResolvers<undefined>();
  const all = importAll(app, limit, ending, () => {
    resolve(undefined);
  });
  return { firstBooks: Promise.race([firstBooks, all]), all };
}

async function importAll(
  app: AppContext,
  limit: LimitFunction,
  ending: AbortSignal,
  onFirstBooks: () => void,
): Promise<void> {
  const lease = new Lease('sample data', app.randomId());
  const files = await Promise.all(samples.map(async (each) => ({ ...each, checksum: await checksumOf(each.file) })));
  let isAnnounced = false;
  while (!ending.aborted) {
    const looked = await Promise.all(
      files.map(async (each) => ({ ...each, ...(await importProgress(app, each.checksum)) })),
    );
    if (looked.some(({ what, rowsDone }) => what === 'books' && rowsDone >= FIRST_BOOKS)) onFirstBooks();
    const missing = looked.filter(({ isFinished }) => !isFinished);
    const isDone = missing.length === 0 && (await areSampleReadersLoaded(app));
    if (isDone) return;
    if (await lease.hold(app)) {
      await lease.during(app, (lost) => {
        const stopping = AbortSignal.any([lost, ending]);
        return importSamples(app, missing, limit, stopping, onFirstBooks);
      });
      await lease.release(app);
      continue;
    }
    if (!isAnnounced) say('another server imports the sample data');
    isAnnounced = true;
    await sleep(LOOK_MS, undefined, { signal: ending }).catch(() => undefined);
  }
}

/** Imports the first books, and then one file after the other, until it is aborted. */
async function importSamples(
  app: AppContext,
  missing: readonly (typeof samples)[number][],
  limit: LimitFunction,
  toEnd: AbortSignal,
  onFirstBooks: () => void,
): Promise<void> {
  try {
    if (missing.some(({ what }) => what === 'books')) {
      await importBooks(app, SAMPLE, { limit, rowsMax: FIRST_BOOKS });
      onFirstBooks();
    }
    await loadSampleReaders(app, limit, () => {
      toEnd.throwIfAborted();
    });
    for (const { what, file, importIt } of missing) {
      say(`importing the sample ${what}`);
      const { rows, imported, rejected } = await showImport(what, (show) =>
        importIt(app, file, {
          limit,
          onProgress: (progress) => {
            toEnd.throwIfAborted();
            show(progress);
          },
        }),
      );
      say(`imported ${imported} of ${rows} ${what}; ${rejected} refused`);
    }
  } catch (error) {
    if (!toEnd.aborted) throw error;
  }
}
