import type { BlockState } from '../../../src/blocks/tables.ts';
import type { ReportState } from '../../../src/reports/tables.ts';
import { isLinearizable } from '../../support/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { show, type Row } from '../cluster/values.ts';
import type { Library } from '../library.ts';
import { differences } from './differences.ts';

const columnsOf = (row: Row, columns: readonly string[]) => columns.map((column) => show(row[column])).join(' ');

/**
 * Compares blocks with the list of each reader, and with the pairs of readers who are hidden from
 * each other.
 */
export function* driftOfBlocks(cluster: Cluster): Generator<string> {
  const blocks = cluster
    .scan('blocks_by_user')
    .map((row): Row => ({ ...row, ...(row['state'] as BlockState) }))
    .filter((block) => block['blocked_at'] !== null);
  const listed = (row: Row) => columnsOf(row, ['user_id', 'blocked_at', 'other_id']);
  yield* differences(
    'blocked_by_user',
    blocks.filter((block) => block['blocked'] === true).map(listed),
    cluster.scan('blocked_by_user').map(listed),
  );
  const hidden = cluster
    .scan('hidden_by_user')
    .flatMap(({ user_id, other_id, blocks: isBlocking, is_blocked }) => [
      ...(isBlocking == null ? [] : [`${show(user_id)} of ${show(other_id)} ${show(isBlocking)}`]),
      ...(is_blocked == null ? [] : [`${show(user_id)} by ${show(other_id)} ${show(is_blocked)}`]),
    ]);
  const wanted = blocks.flatMap(({ user_id, other_id, blocked }) => [
    `${show(user_id)} of ${show(other_id)} ${show(blocked)}`,
    `${show(other_id)} by ${show(user_id)} ${show(blocked)}`,
  ]);
  yield* differences('hidden_by_user', wanted, hidden);
}

/** Checks that the calls about each block are linearizable and end with the stored state. */
export function* impossibleBlocks(cluster: Cluster, { blocks, leaving }: Library, now: number): Generator<string> {
  const states = new Map(
    cluster
      .scan('blocks_by_user')
      .map((row) => [columnsOf(row, ['user_id', 'other_id']), (row['state'] as BlockState).blocked]),
  );
  for (const [key, history] of blocks) {
    if (key.split(' ').some((userId) => leaving.has(userId))) continue;
    const last = { verb: 'read', begun: now, ended: now + 1, answer: states.get(key) ?? false } as const;
    if (!isLinearizable([...history, last])) yield `the calls about the block ${key} are not linearizable`;
  }
}

/** Returns the reporter and the reported reader of a report. */
export const readersOf = ({ reporter_id, subject }: ReportState) =>
  subject.startsWith('User:') ? [show(reporter_id), subject.slice('User:'.length)] : [show(reporter_id)];

/** Compares reports with the lists by status and by reader. */
export function* driftOfReports(cluster: Cluster, erased: ReadonlySet<string>): Generator<string> {
  const reports = cluster
    .scan('reports')
    .map((row) => ({ id: row['report_id'], state: row['state'] as ReportState }))
    .filter(({ state }) => state.reporter_id !== null);
  const listed = (row: Row) => columnsOf(row, ['status', 'month', 'reported_at', 'report_id']);
  const wanted = reports.map(({ id, state }) => {
    const month = new Date(Date.UTC(state.reported_at.getUTCFullYear(), state.reported_at.getUTCMonth()));
    return listed({ ...state, month, report_id: id });
  });
  yield* differences('reports_by_status', wanted, cluster.scan('reports_by_status').map(listed));

  const months = new Set(cluster.scan('report_months').map((row) => columnsOf(row, ['status', 'month'])));
  for (const row of cluster.scan('reports_by_status'))
    if (!months.has(columnsOf(row, ['status', 'month']))) yield `report_months lacks the month of: ${show(row)}`;

  // An erased report may still be in the list of the other reader, without any content.
  const ofReaders = new Set(cluster.scan('reports_by_user').map((row) => columnsOf(row, ['user_id', 'report_id'])));
  for (const { id, state } of reports) {
    for (const userId of readersOf(state)) {
      if (erased.has(userId)) yield `reports still has a report of a deleted reader: ${show(id)}`;
      else if (!ofReaders.has(`${userId} ${show(id)}`)) yield `reports_by_user lacks ${show(id)} of ${userId}`;
    }
  }
}
