import { expect, test } from 'vitest';
import { makeLogger } from '../src/app/logger.ts';
import { audit, type Audit, type Drift } from '../src/audit/audit.ts';
import { EVERYTHING } from '../src/audit/scan.ts';
import type { AppContext } from '../src/context/context.ts';

/** How an audit judges one suspect row by repeated checks. */

const app = {
  logger: makeLogger('silent'),
  cassandra: { backOff: () => Promise.resolve() },
} as unknown as AppContext;
const position = { above: 0n, upTo: 1n, tries: 0, token: 0n, pageState: '' };

/** Audits a suspect whose successive checks have these results. The last one repeats. */
async function judged(...looks: (readonly string[] | undefined)[]) {
  let [looked, repairs] = [0, 0];
  const suspect = {
    what: 'something',
    look: () => Promise.resolve(looks[Math.min(looked++, looks.length - 1)]),
    repair: () => Promise.resolve(void repairs++),
  };
  const page = {
    rows: 1,
    rowsRead: () => 1,
    suspects: [suspect],
    partitions: [],
    isFailed: false,
    position,
    progress: 1,
  };
  const pages = async function* () {
    yield await Promise.resolve(page);
  };
  const audits: Audit[] = [{ kind: 'things', tables: [{ table: 'a list', isIn: () => true, pages }] }];
  const drift: Drift[] = [];
  for await (const found of audit(app, audits, EVERYTHING, true)) drift.push(...found.drift);
  return { tables: drift.map(({ table }) => table), repairs };
}

const WRONG = ['a list'];
const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);

test('a row that seems wrong once during a change, and then cannot be judged, is not drift', async () => {
  expect(await judged(WRONG, undefined)).toEqual({ tables: [], repairs: 0 });
  expect(await judged(...times(7, WRONG), undefined)).toEqual({ tables: [], repairs: 0 });
});

test('a row that always seems wrong is drift, even if it sometimes cannot be judged', async () => {
  expect(await judged(WRONG)).toEqual({ tables: WRONG, repairs: 1 });
  expect(await judged(...times(8, undefined), WRONG)).toEqual({ tables: WRONG, repairs: 1 });
});

test('a row that seems right once is right', async () => {
  expect(await judged(...times(7, WRONG), [], WRONG)).toEqual({ tables: [], repairs: 0 });
});

/** Audits a row that always seems wrong, and stops at a point. All waiting ends only then. */
async function stopped(at: 'look' | 'repair') {
  const stopping = new AbortController();
  const forGood = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) resolve();
      signal?.addEventListener('abort', () => resolve());
    });
  const did = { begun: 0, repaired: 0 };
  const suspect = {
    what: 'something',
    look: () => {
      if (at === 'look') stopping.abort();
      return Promise.resolve(did.repaired > 0 ? [] : WRONG);
    },
    repair: async () => {
      did.begun++;
      stopping.abort();
      await Promise.resolve();
      did.repaired++;
    },
  };
  const pages = async function* () {
    for (const progress of [0.5, 1])
      yield await Promise.resolve({
        rows: 7,
        rowsRead: () => 7,
        suspects: [suspect],
        partitions: [],
        isFailed: false,
        position,
        progress,
      });
  };
  const audits: Audit[] = [{ kind: 'things', tables: [{ table: 'a list', isIn: () => true, pages }] }];
  const waiting = { ...app, cassandra: { backOff: at === 'look' ? forGood : () => Promise.resolve() } };
  const found = [];
  const from = { done: ['things another'] };
  for await (const page of audit(waiting as unknown as AppContext, audits, EVERYTHING, true, from, stopping.signal))
    found.push(page);
  return { did, found };
}

test('an audit that is being stopped makes no further check and no repair, and keeps its position before the page', async () => {
  const { did, found } = await stopped('look');
  expect(did).toEqual({ begun: 0, repaired: 0 });
  expect(found).toMatchObject([{ rows: 0, drift: [], position: { done: ['things another'] } }]);
});

test('a repair that has begun is finished and reported, and its page is audited again', async () => {
  const { did, found } = await stopped('repair');
  expect(did).toEqual({ begun: 1, repaired: 1 });
  expect(found).toMatchObject([
    { rows: 0, drift: [{ table: 'a list', repaired: true }], position: { done: ['things another'] } },
  ]);
});
