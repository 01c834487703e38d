import { expect, inject, test } from 'vitest';
import { IS_FULL } from './support/full.ts';
import { upgrade } from '../tools/upgrade/upgrade.ts';

test('two servers behind HAProxy are upgraded and downgraded under load: no request fails, and nothing is lost', async () => {
  const { problems } = await upgrade({ contactPoints: inject('contactPoints').split(','), rounds: IS_FULL ? 1 : 0 });
  expect(problems).toEqual([]);
});
