import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { everyAudit } from '../../src/app/workers.ts';
import { audit, type Audit } from '../../src/audit/audit.ts';
import { auditStatesOf, HeldAudit, isEnded } from '../../src/audit/progress.ts';
import { EVERYTHING, type AuditScope } from '../../src/audit/scan.ts';
import { accountById } from '../../src/identity/operations.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { idArgument, subjectOf } from '../../src/graphql/ids.ts';
import { say } from '../../src/terminal/progress.ts';
import { progressBar } from '../support/progress-bar.ts';
import { findDeadLetters } from '../../src/transactions/operations.ts';
import { withApp } from '../with-app.ts';

/**
 * `npm run admin -- audit`: compares all stored data with its sources of truth, and repairs it on
 * request.
 */

const KINDS = everyAudit.map(({ kind }) => kind);
const USAGE = `Usage: npm run admin -- audit [--only KINDS] [--repair] [--rate ROWS]
                                [--part I/N | --reader ID | --likeable ID] [--restart]
  --only      these kinds alone, separated by commas; an unknown one lists them
  --repair    repair drift; servers may be running
  --rate      rows a second, by default 2000; use fewer beside a busy server
  --part      only the I-th of N parts of all partitions, so that several audits can run side by side
  --reader    only this reader's likes; ID is the id field of the API
  --likeable  only this book's or copy's likers and counts
  --restart   from the beginning, instead of continuing an earlier audit
It exits with 1 if anything has drifted or could not be read, or if a transaction is a dead letter.`;

class Usage extends Error {}

function readArguments() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      repair: { type: 'boolean', default: false },
      rate: { type: 'string', default: '2000' },
      part: { type: 'string' },
      reader: { type: 'string' },
      likeable: { type: 'string' },
      restart: { type: 'boolean', default: false },
    },
  });
  const rate = Number(values.rate);
  if (!Number.isSafeInteger(rate) || rate < 1) throw new Usage('--rate is a whole number of rows a second');
  if ([values.part, values.reader, values.likeable].filter((given) => given !== undefined).length > 1)
    throw new Usage('--part, --reader and --likeable exclude each other');
  const only = values.only?.split(',');
  const unknown = only?.find((kind) => !KINDS.includes(kind));
  if (unknown !== undefined) throw new Usage(`--only has no kind ${unknown}. The kinds are ${KINDS.join(', ')}`);
  return { ...values, rate, only };
}

/**
 * Chooses the audits to run. It leaves out kinds that were not named and have nothing in the scope.
 */
function auditsIn(scope: AuditScope, only: readonly string[] | undefined): readonly Audit[] {
  const possible = everyAudit.filter(({ tables }) => tables.some(({ isIn }) => isIn(scope)));
  const without = only?.filter((kind) => !possible.some((each) => each.kind === kind)) ?? [];
  if (without.length > 0) {
    const names = possible.map(({ kind }) => kind).join(', ');
    throw new Usage(
      `--reader and --likeable apply only to ${names}; audit ${without.join(', ')} without them, or with --part`,
    );
  }
  return possible.filter(({ kind }) => only?.includes(kind) ?? true);
}

type Arguments = Omit<ReturnType<typeof readArguments>, 'only'> & { readonly audits: readonly Audit[] };

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

/**
 * Continues an interrupted audit of the same scope, or begins a new one; `undefined` for a short
 * audit.
 */
async function held(app: AppContext, scope: AuditScope, { audits, restart }: Arguments) {
  if (!('parts' in scope)) return undefined;
  const name = `audit ${scope.part}/${scope.parts} of ${audits.map(({ kind }) => kind).join()}`;
  const before = (await auditStatesOf(app, [name])).get(name);
  const isLeft = before !== undefined && !isEnded(before) && !restart;
  return new HeldAudit(app, name, app.randomId(), before, (before?.round ?? 0) + (isLeft ? 0 : 1));
}

/** The result of an audit, by kind. */
interface Result {
  rows: number;
  found: number;
  repaired: number;
  unreadable: number;
}

async function run(app: AppContext, asked: ReturnType<typeof readArguments>): Promise<number> {
  const scope = await scopeOf(app, asked);
  const given = { ...asked, audits: auditsIn(scope, asked.only) };
  const own = await held(app, scope, given);
  const before = own?.state;
  if (before?.position) say(`continuing where an earlier audit ended, after ${before.rows_done} rows`);
  const results = await auditAll(app, scope, given, own);

  for (const [kind, { rows, found, repaired, unreadable }] of results)
    say(
      `${kind.padEnd(10)}  rows ${rows}, drift ${found}${given.repair ? `, repaired ${repaired}` : ''}, ` +
        `unreadable ${unreadable}`,
    );
  let deadLetters = 0;
  for await (const { transaction_id, kind, reason } of findDeadLetters(app)) {
    deadLetters++;
    say(`dead letter: the transaction ${transaction_id} (${kind}): ${reason}`);
  }
  if (before && before.drift_found > 0) say(`drift ${before.drift_found} was found before this audit was ended`);
  if (before && before.unreadable_found > 0)
    say(`unreadable ${before.unreadable_found} was found before this audit was ended`);

  const sumOf = (name: keyof Result) => [...results.values()].reduce((sum, each) => sum + each[name], 0);
  const rows = sumOf('rows') + Number(before?.rows_done ?? 0n);
  const drift = sumOf('found') + (before?.drift_found ?? 0);
  const unreadable = sumOf('unreadable') + (before?.unreadable_found ?? 0);
  say(
    `${rows} rows audited: ${drift === 0 ? 'zero drift' : `drift ${drift}`}, unreadable ${unreadable}, ` +
      `${deadLetters} transaction dead letters`,
  );
  return drift === 0 && unreadable === 0 && deadLetters === 0 ? 0 : 1;
}

async function auditAll(app: AppContext, scope: AuditScope, given: Arguments, own: HeldAudit | undefined) {
  const results = new Map<string, Result>(
    given.audits.map(({ kind }: Audit) => [kind, { rows: 0, found: 0, repaired: 0, unreadable: 0 }]),
  );
  const bar = progressBar('auditing', 'rows');
  const begun = performance.now();
  let rows = 0;
  for await (const page of audit(app, given.audits, scope, given.repair, own?.position)) {
    rows += page.rows;
    const result = results.get(page.kind);
    if (result) result.rows += page.rows;
    for (const { kind, table, what, repaired } of page.drift) {
      if (result) result.found++;
      if (result && repaired) result.repaired++;
      say(
        `${kind}: ${table}: ${what}` +
          (repaired === undefined ? '' : repaired ? ', repaired' : ', could NOT be repaired'),
      );
    }
    for (const { kind, table, partition } of page.unreadable) {
      if (result) result.unreadable++;
      say(`${kind}: ${table}: unreadable, skipped: ${partition}`);
    }
    own?.add(page);
    if (own && !(await own.keep(app)))
      throw new Error('another audit of the same scope has continued it; end one of the two');
    bar.update({ items: rows, done: Math.round(page.progress * 1_000), total: 1_000 });
    await sleep(Math.max(0, (rows / given.rate) * 1_000 - (performance.now() - begun)));
  }
  bar.stop();
  own?.end(app, given.audits);
  await own?.keep(app);
  return results;
}

try {
  const given = readArguments();
  await withApp((app) => run(app, given));
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`.trim());
  process.exitCode = 2;
}
