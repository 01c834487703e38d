import { errors, types } from 'cassandra-driver';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AppContext } from '../src/context/context.ts';
import { requireAllowedStatements, NEEDED, tooStrict } from '../src/cassandra/guardrails.ts';
import { sharedKeyspace, startServer } from './support/app.ts';

/** At its start, a server reports the limits of Cassandra that would refuse its statements. */

let app: AppContext;

beforeAll(async () => {
  ({ app } = await startServer(await sharedKeyspace()));
});

test('a default Cassandra allows everything, and knows each of the settings', async () => {
  await expect(requireAllowedStatements(app.cassandra.client)).resolves.toBeUndefined();
  for (const { name } of NEEDED) {
    const { rows } = await app.cassandra.client.execute(
      'SELECT name FROM system_views.settings WHERE name = ?',
      [name],
      {
        prepare: true,
      },
    );
    expect(rows, name).toHaveLength(1);
  }
});

describe('a setting that is too strict is reported, with the value that is needed', () => {
  test.each([
    ['user_timestamps_enabled', 'true', 'false'],
    ['group_by_enabled', 'true', 'false'],
    ['minimum_timestamp_fail_threshold', null, '365d'],
    ['maximum_timestamp_fail_threshold', null, '1d'],
    ['tombstone_failure_threshold', '100000', '99999'],
    ['batch_size_fail_threshold_in_kb', '50', '49'],
    ['partition_keys_in_select_fail_threshold', '-1', '99'],
    ['in_select_cartesian_product_fail_threshold', '202', '201'],
    ['page_size_fail_threshold', '1000', '500'],
  ])('%s: %s is enough, %s is not', (name, enough, tooLittle) => {
    expect(tooStrict([{ name, value: enough }])).toEqual([]);
    expect(tooStrict([{ name, value: tooLittle }])).toEqual([
      expect.stringMatching(`^${name} is ${tooLittle}, and must be`),
    ]);
  });
});

test('a role without permission to read the settings is accepted', async () => {
  const { client } = app.cassandra;
  const forbidden = Object.assign(Object.create(client) as typeof client, {
    execute: () =>
      Promise.reject(new errors.ResponseError(types.responseErrorCodes.unauthorized, 'no SELECT permission')),
  });
  await expect(requireAllowedStatements(forbidden)).resolves.toBeUndefined();
});
