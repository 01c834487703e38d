import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clearScreenDown, cursorTo } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildSchema } from 'graphql';
import pLimit from 'p-limit';
import type { AppContext } from '../../src/context/context.ts';
import { pointsOf, type DataPoint } from '../../src/measurements/operations.ts';
import { operationsOf, SERVER_SERIES, seriesOf } from '../../src/measurements/series.ts';
import { drawn, PERIODS, periodsBefore, type Points } from '../top/drawing.ts';
import { withApp } from '../with-app.ts';

/** `npm run admin -- top`: shows the measurements of the servers live. */

const USAGE = `Usage: npm run admin -- top [--by-server]
  --by-server  each server on its own
It refreshes every five seconds until Ctrl-C; without a terminal it prints once.`;

const REFRESHED_MS = 5_000;
const AT_ONCE = 16;
const SERVERS_MAX = 100;

async function read(app: AppContext, operations: readonly string[]): Promise<Points> {
  const range = periodsBefore(app.clock());
  const readAll = async (series: readonly string[]): Promise<[string, DataPoint[]][]> =>
    pLimit(AT_ONCE).map(series, async (each) => [each, await pointsOf(app, each, range, PERIODS * SERVERS_MAX)]);
  const counts = new Map(
    await readAll([...SERVER_SERIES, ...operations.map((operation) => seriesOf('requests', operation))]),
  );
  // The busiest operations of one server may be busy only on that server.
  const asked = operations.filter((operation) => (counts.get(seriesOf('requests', operation)) ?? []).length > 0);
  const durations = asked.flatMap((operation) => [seriesOf('p50', operation), seriesOf('p99', operation)]);
  return new Map([...counts, ...(await readAll(durations))]);
}

async function top(app: AppContext, byServer: boolean): Promise<number> {
  const schema = buildSchema(await readFile(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const operations = operationsOf(schema);
  const lines = async () => drawn(await read(app, operations), app.clock(), byServer);
  const { stdout } = process;
  if (!stdout.isTTY) {
    stdout.write(`${(await lines()).join('\n')}\n`);
    return 0;
  }

  const stopping = new AbortController();
  process.once('SIGINT', () => {
    stopping.abort();
  });
  cursorTo(stdout, 0, 0);
  clearScreenDown(stdout);
  while (!stopping.signal.aborted) {
    const shown = await lines().catch((error: unknown) => [String(error), 'Trying again.']);
    cursorTo(stdout, 0, 0);
    clearScreenDown(stdout);
    stdout.write(shown.slice(0, stdout.rows - 1).join('\n'));
    await sleep(REFRESHED_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  stdout.write('\n');
  return 0;
}

try {
  const { values } = parseArgs({ options: { 'by-server': { type: 'boolean', default: false } } });
  await withApp(
    (app) => top(app, values['by-server']),
    (line) => process.stderr.write(`${line}\n`),
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exitCode = 2;
}
