import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountById } from '../src/identity/operations.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../src/context/context.ts';
import { idArgument, subjectOf } from '../src/graphql/ids.ts';
import type { DriftedTable } from '../src/likes/audit-checks.ts';
import { auditProgress, keepAuditProgress } from '../src/likes/audit-progress.ts';
import { EVERYTHING, type AuditScope } from '../src/likes/audit-scan.ts';
import { auditLikes } from '../src/likes/audit.ts';
import { progressBar, say } from '../src/terminal/progress.ts';
import { findDeadLetters } from '../src/transactions/operations.ts';
import { withApp } from './with-app.ts';

/** `npm run audit`: compares everything that is kept about likes with what the source of truth says, and repairs it if asked. */

const USAGE = `Usage: npm run audit -- [--repair] [--rate ROWS] [--part I/N | --reader ID | --likeable ID] [--restart]
  --repair    repair what has drifted, beside whatever servers are at work
  --rate      rows a second, 2000 unless given; an audit beside a busy server should be slower
  --part      only the I-th of N parts of all partitions, so that several can be audited side by side
  --reader    only this reader's likes; ID as an id field of the API gave it
  --likeable  only this book's or copy's likers and counts
  --restart   from the beginning, not from where an audit was that was ended before its end`;

class Usage extends Error {}

function readArguments() {
  const { values } = parseArgs({
    options: {
      repair: { type: 'boolean', default: false },
      rate: { type: 'string', default: '2000' },
      part: { type: 'string' },
      reader: { type: 'string' },
      likeable: { type: 'string' },
      restart: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) throw new Usage('');
  const rate = Number(values.rate);
  if (!Number.isSafeInteger(rate) || rate < 1) throw new Usage('--rate is a whole number of rows a second');
  if ([values.part, values.reader, values.likeable].filter((given) => given !== undefined).length > 1)
    throw new Usage('--part, --reader and --likeable exclude each other');
  return { ...values, rate };
}

async function scopeOf(app: AppContext, given: ReturnType<typeof readArguments>): Promise<AuditScope> {
  if (given.part !== undefined) {
    const [, part = NaN, parts = NaN] = (/^(\d{1,6})\/(\d{1,6})$/.exec(given.part) ?? []).map(Number);
    if (!(part >= 1 && part <= parts)) throw new Usage('--part is I/N, for example 1/4');
    return { part, parts };
  }
  if (given.reader !== undefined) {
    const { key } = idArgument('reader', given.reader);
    const account = await accountById(requestContext(app, ANONYMOUS), key);
    if (!account) throw new Usage('no reader has this id');
    const [from, to] = [account.registeredAt.getUTCFullYear(), app.clock().getUTCFullYear()];
    return { userId: key, years: Array.from({ length: to - from + 1 }, (_, index) => from + index) };
  }
  if (given.likeable !== undefined) return { likeableId: subjectOf(idArgument('likeable', given.likeable)) };
  return EVERYTHING;
}

async function audit(app: AppContext, given: ReturnType<typeof readArguments>): Promise<number> {
  const scope = await scopeOf(app, given);
  const name = 'parts' in scope ? `audit ${scope.part}/${scope.parts}` : undefined;
  const before = name === undefined || given.restart ? undefined : await auditProgress(app, name);
  if (before) say(`going on where an earlier audit ended, after ${before.rowsDone} rows`);
  let { rowsDone = 0, driftFound = 0 } = before ?? {};
  let rows = 0;
  const drift = new Map<DriftedTable, { found: number; repaired: number }>();
  const bar = progressBar('auditing likes', 'rows');
  const begun = performance.now();
  for await (const page of auditLikes(app, scope, given.repair, before?.position)) {
    rows += page.rows;
    rowsDone += page.rows;
    for (const { table, what, repaired } of page.drift) {
      driftFound++;
      const of = drift.get(table) ?? { found: 0, repaired: 0 };
      drift.set(table, { found: of.found + 1, repaired: of.repaired + Number(repaired ?? false) });
      say(`${table}: ${what}${repaired === undefined ? '' : repaired ? ', repaired' : ', could NOT be repaired'}`);
    }
    if (name !== undefined) await keepAuditProgress(app, name, { position: page.position, rowsDone, driftFound });
    bar.update({ items: rows, done: Math.round(page.progress * 1_000), total: 1_000 });
    await sleep(Math.max(0, (rows / given.rate) * 1_000 - (performance.now() - begun)));
  }
  bar.stop();
  if (name !== undefined) await keepAuditProgress(app, name, undefined);
  for (const table of ['item_by_user', 'user_by_item', 'like_counts'] as const) {
    const { found, repaired } = drift.get(table) ?? { found: 0, repaired: 0 };
    say(`${table.padEnd(12)}  drift ${found}${given.repair ? `, repaired ${repaired}` : ''}`);
  }
  let deadLetters = 0;
  for await (const { transaction_id, kind, reason } of findDeadLetters(app)) {
    deadLetters++;
    say(`dead letter: the transaction ${transaction_id} (${kind}): ${reason}`);
  }
  if (before && before.driftFound > 0) say(`drift ${before.driftFound} was found before this audit was ended`);
  say(
    `${rowsDone} rows audited: ${driftFound === 0 ? 'zero drift' : `drift ${driftFound}`}, ${deadLetters} transaction dead letters`,
  );
  return driftFound === 0 && deadLetters === 0 ? 0 : 1;
}

try {
  const given = readArguments();
  await withApp((app) => audit(app, given));
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`.trim());
  process.exitCode = 2;
}
