import { everyAudit } from '../../src/app/workers.ts';
import { rebuild } from './rebuild.ts';
import type { AppContext } from '../../src/context/context.ts';
import { say } from '../../src/terminal/progress.ts';
import { withBar } from './progress-bar.ts';

/**
 * Rebuilds the rows that follow from a table, and returns whether the whole table could be read.
 */
export async function rebuildFrom(app: AppContext, source: string): Promise<boolean> {
  const unreadable: string[] = [];
  let rows = 0;
  let rebuilt = 0;
  await withBar(`rebuilding from ${source}`, 'rows', async (update) => {
    for await (const page of rebuild(app, everyAudit, source)) {
      rows += page.rows;
      rebuilt += page.rebuilt;
      unreadable.push(...page.unreadable);
      update({ items: rows, done: Math.round(page.progress * 1_000), total: 1_000 });
    }
  });
  for (const partition of unreadable) say(`${source}: unreadable, skipped: ${partition}`);
  say(`read ${rows} rows of ${source}, and rebuilt missing rows for ${rebuilt} of them`);
  return unreadable.length === 0;
}
