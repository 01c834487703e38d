import { expect, test } from 'vitest';
import { brokenForms, formsNow, formsOf, readReleased, type StoredForms } from '../tools/support/stored-forms.ts';

/** Servers of the released code run at the same time as servers of this code during an upgrade. */

const released = formsOf(await readReleased());
const now = await formsNow();

test('this code can read data of the released code, and stores data that the released code can read', () => {
  expect(brokenForms(released, now), 'write a migration: CONTRIBUTING.md, "A change of the schema"').toEqual([]);
});

/** Changes a copy of the stored forms of this code. */
function changed(change: (forms: StoredForms) => void): StoredForms {
  const forms = structuredClone(now);
  change(forms);
  return forms;
}

test.each<[string, (forms: StoredForms) => void, RegExp]>([
  ['a table that is gone', ({ tables }) => delete tables['books'], /^The table books\.book_id was .* and is gone$/],
  [
    'a column that is gone',
    ({ tables }) => delete tables['books']!['state'],
    /^The table books\.state was .* is gone$/,
  ],
  ['a column of another type', ({ tables }) => (tables['books']!['state'] = 'text regular'), /and is text regular$/],
  ['a field that is gone', ({ types }) => delete types['like_state']!['version'], /^The type like_state\.version was/],
  ['a value that is gone', ({ values }) => values['items.state.status']!.pop(), /^items\.state\.status may contain/],
  ['a kind of transaction that is gone', ({ transactions }) => delete transactions['like'], /^The kind of transaction/],
  [
    'a field of a payload that is gone',
    ({ transactions }) => delete transactions['like']!['userId'],
    /^The payload of like\.userId was required and is gone$/,
  ],
  [
    'a field of a payload that older entries lack',
    ({ transactions }) => (transactions['like']!['more'] = 'required'),
    /^The payload of like has the new field more, which must be optional$/,
  ],
  ['a kind of job that is gone', ({ jobs }) => delete jobs['RENAME'], /^The kind of job RENAME was removed/],
  [
    'a part of a job that is gone',
    ({ jobs }) => jobs['RETITLE']!.pop(),
    /^The part copies of the job RETITLE was removed/,
  ],
])('%s breaks released servers', (_what, change, told) => {
  expect(brokenForms(now, changed(change))[0]).toMatch(told);
});

test('additions break nothing', () => {
  const more = changed(({ tables, types, values, transactions, jobs }) => {
    tables['later'] = { id: 'uuid partition_key 0' };
    tables['books']!['later'] = 'text regular';
    types['like_state']!['later'] = 'text';
    values['items.state.status']!.push('LENT');
    transactions['later'] = { id: 'required' };
    transactions['like']!['more'] = 'optional';
    jobs['LATER'] = [];
  });
  expect(brokenForms(now, more)).toEqual([]);
});
