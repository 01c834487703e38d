import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { isUndecided, points, startSurvivor, type Survivor } from './support/crash.ts';

/**
 * Kills a server (-9) at every crash point of a block, and of its removal: both directions hold, or
 * neither.
 */

let survivor: Survivor;

beforeAll(async () => {
  survivor = await startSurvivor();
});

const change = (reader: Client, verb: 'block' | 'unblock', other: Client) =>
  reader.mutate(verb, { id: other.viewerId }, 'changed');
const sees = async (one: Client, other: Client) =>
  (await one.data('query ($id: ID!) { node(id: $id) { id } }', { id: other.viewerId })).node !== null;
const blockedBy = async (reader: Client) =>
  (await reader.data('{ viewer { blocked { edges { node { id } } } } }')).viewer.blocked.edges.map(
    ({ node }: { node: { id: string } }) => node.id,
  ) as string[];

const unblocked = ['compare-and-set', 'hidden', 'list', 'readers'];
const blocked = [...unblocked, 'follows'];
const former = (steps: readonly string[]) => steps.slice(1).map((step) => `former ${step}`);

describe.each([
  ['block', blocked, false],
  // A block that is taken back must have ended the follows before.
  ['unblock', [...former(blocked), ...unblocked], true],
  // The state no longer has the moment under which the list had the block before.
  ['block', [...former(unblocked), ...blocked], true],
] as const)('%s (%#), killed at every point', (verb, all, isBlockedBefore) => {
  const pairs = new Map<string, { reader: Client; other: Client }>();
  const killedAt = points('block', all);

  beforeAll(async () => {
    for (const point of killedAt) {
      const [reader, other] = [await survivor.client().registerSomebody(), await survivor.client().registerSomebody()];
      if (isBlockedBefore) await change(reader, 'block', other);
      if (isBlockedBefore && verb === 'block') await change(reader, 'unblock', other);
      pairs.set(point, { reader, other });
    }
    await survivor.crashAtEach(killedAt, (client, point) => {
      const { reader, other } = pairs.get(point)!;
      client.token = reader.token;
      return change(client, verb, other);
    });
  });

  test.each(killedAt)('%s: both directions hold or neither, and the list agrees', async (point) => {
    const { reader, other } = pairs.get(point)!;
    const isBlocked = (verb === 'block') !== isUndecided(point);
    expect([await sees(reader, other), await sees(other, reader)]).toEqual([!isBlocked, !isBlocked]);
    expect(await blockedBy(reader)).toEqual(isBlocked ? [other.viewerId] : []);
    const again = await change(reader, verb, other);
    expect(again).toEqual({ changed: isUndecided(point), userErrors: [] });
  });
});
