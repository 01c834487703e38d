import { beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { isUndecided, points, startSurvivor, type Survivor } from './support/crash.ts';

/**
 * Kills a server (-9) at every crash point of a follow, of its end, of an accepted request, and of
 * a block that ends a follow: all lists and counts show it, or none.
 */

let survivor: Survivor;

beforeAll(async () => {
  survivor = await startSurvivor();
});

type Verb = 'follow' | 'unfollow' | 'acceptFollower' | 'block';
const does = (verb: Verb, reader: Client, { viewerId }: Client) => reader.mutate(verb, { id: viewerId }, 'changed');

/** Reads whether each list and count shows a follow; all of them agree. */
async function isFollowed(reader: Client, other: Client): Promise<boolean> {
  const { viewer } = await reader.data('{ viewer { following { totalCount nodes { id } } } }');
  const followed = viewer.following.nodes.map(({ id }: { id: string }) => id) as string[];
  const { viewer: seen } = await other.data(
    '{ viewer { followerTally { count isExact } followers { totalCount nodes { id } } followRequests { nodes { id } } } }',
  );
  const { followers, followerTally, followRequests } = seen;
  const follows = followers.nodes.map(({ id }: { id: string }) => id) as string[];
  expect(followerTally).toEqual({ count: follows.length, isExact: true });
  expect([viewer.following.totalCount, followers.totalCount]).toEqual([followed.length, follows.length]);
  expect(followed).toEqual(follows.length === 1 ? [other.viewerId] : []);
  expect(follows).toEqual(followed.length === 1 ? [reader.viewerId] : []);
  if (follows.length === 1) expect(followRequests.nodes).toEqual([]);
  return follows.length === 1;
}

const steps = ['compare-and-set', 'followers', 'lists', 'count', 'ends'];
const former = ['former followers', 'former lists', 'former count', 'former ends'];

describe.each([
  ['follow', points('follow', steps), false],
  ['unfollow', points('follow', steps), true],
  ['acceptFollower', points('follow', ['former lists', 'former ends', ...steps]), false],
  // The state no longer has the moment under which the lists had the follow before.
  ['follow', points('follow', [...former, ...steps]), 'formerly'],
  [
    'block',
    [
      ...points('block', ['compare-and-set', 'hidden', 'list', 'readers', 'follows']),
      ...points('follow', ['hidden', ...steps]),
    ],
    true,
  ],
] as const)('%s (%#), killed at every point', (verb, killedAt, isFollowedBefore) => {
  const pairs = new Map<string, { reader: Client; other: Client }>();
  /** A follow that a block ends is decided after the block. */
  const isUndone = (point: string) => isUndecided(point) && !(verb === 'block' && point.startsWith('follow'));

  beforeAll(async () => {
    for (const point of killedAt) {
      const [reader, other] = [await survivor.client().registerSomebody(), await survivor.client().registerSomebody()];
      if (verb === 'acceptFollower') await other.mutate('updatePrivacy', { approvesFollowers: true }, 'viewer { id }');
      if (isFollowedBefore || verb === 'acceptFollower') await does('follow', reader, other);
      if (isFollowedBefore === 'formerly') await does('unfollow', reader, other);
      pairs.set(point, { reader, other });
    }
    await survivor.crashAtEach(killedAt, (client, point) => {
      const { reader, other } = pairs.get(point)!;
      const [who, whom] = verb === 'follow' || verb === 'unfollow' ? [reader, other] : [other, reader];
      client.token = who.token;
      return does(verb, client, whom);
    });
  });

  test.each(killedAt)('%s: everything shows it, or nothing', async (point) => {
    const { reader, other } = pairs.get(point)!;
    const isToFollow = verb === 'follow' || verb === 'acceptFollower';
    expect(await isFollowed(reader, other)).toBe(isToFollow !== isUndone(point));
    const [who, whom] = verb === 'follow' || verb === 'unfollow' ? [reader, other] : [other, reader];
    expect(await does(verb, who, whom)).toEqual({ changed: isUndone(point), userErrors: [] });
    expect(await isFollowed(reader, other)).toBe(isToFollow);
  });
});
