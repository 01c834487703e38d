import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { audited, auditOf } from './support/audit.ts';
import { PAGE_INFO, PASSWORD } from './support/client.ts';
import { runs } from './support/full.ts';
import { FIELDS, listOf, markRead, notificationsOf, reviewOf, unreadOf, type Shown } from './support/notifications.ts';

/** Notifications agree with a plain model of who likes what. */

const HOUR = 3_600_000;

let server: TestServer;
let now = Date.UTC(2026, 11, 30, 20);

beforeAll(async () => {
  const config = await ownKeyspace(testEnvironment({ ACCESS_TOKEN_SECONDS: '86400' }));
  server = await startServer(config, { clock: () => new Date((now += 10)) });
});

const READERS = 4;
const THINGS = 5;
const reader = fc.nat({ max: READERS - 1 });
/** The index of the owner among the things, whom readers follow. */
const OWNER = THINGS;
/** A liker; the last one is the owner of the things. */
const liker = fc.nat({ max: READERS });
const thing = fc.nat({ max: THINGS - 1 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ verb: fc.constant('like' as const), reader: liker, thing }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant('unlike' as const), reader: liker, thing }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constantFrom('follow', 'unfollow'), reader }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constantFrom('block', 'unblock', 'blocked', 'unblocked'), reader }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constantFrom('hide', 'show'), reader }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('erase' as const), reader }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('read' as const), of: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constantFrom('mute', 'unmute') }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('wait' as const), hours: fc.nat({ max: 9 }) }) },
);

test('agree after any likes, blocks, erasures and marks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const names = Array.from({ length: READERS }, (_, index) => `Reader ${index}`);
      const [ann, others] = await Promise.all([
        server.client().registerSomebody(),
        Promise.all(names.map((name) => server.client().registerSomebody(name))),
      ]);
      const things = [
        await reviewOf(server, ann),
        await reviewOf(server, ann),
        await reviewOf(server, ann),
        await listOf(ann),
        await listOf(ann),
        ann.viewerId,
      ];
      const everybody = [...others, ann];
      // The moments of the likes of each thing, and of the follows, by reader.
      const likes = things.map(() => new Map<number, number>());
      const [blocks, areBlocked, hidden] = [new Set<number>(), new Set<number>(), new Set<number>()];
      const gone = new Set<number>();
      let [readUntil, isMuted, waited] = [0, false, 0];

      const isAway = (index: number) => blocks.has(index) || areBlocked.has(index);
      const model = () =>
        things
          .flatMap((id, index) => {
            const seen = [...likes[index]!]
              .filter(([by]) => by < READERS && !isAway(by))
              .toSorted((a, b) => b[1] - a[1]);
            const kind = index === OWNER ? 'FOLLOWED' : index < 3 ? 'REVIEW_LIKED' : 'LIST_LIKED';
            if (seen.length === 0 || (isMuted && kind === 'LIST_LIKED')) return [];
            const at = seen[0]![1];
            const readers = seen.filter(([by]) => !hidden.has(by)).map(([by]) => ({ fullName: `Reader ${by}` }));
            const of = { kind, at: new Date(at).toISOString(), isRead: at <= readUntil, count: seen.length };
            return { ...of, readers: readers.slice(0, 3), subject: { id } };
          })
          .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));

      for (const each of steps) {
        const index = 'reader' in each ? each.reader : READERS;
        const client = everybody[index]!;
        if (gone.has(index)) continue;
        switch (each.verb) {
          case 'like': {
            const id = things[each.thing]!;
            const { likeable, changed } = await client.mutate('like', { id }, 'changed likeable { viewerLikedAt }');
            expect(changed).toBe(!likes[each.thing]!.has(index) && !(index < READERS && isAway(index)));
            if (changed) likes[each.thing]!.set(index, Date.parse(likeable.viewerLikedAt as string));
            break;
          }
          case 'unlike':
            await client.unlike(things[each.thing]!);
            likes[each.thing]!.delete(index);
            break;
          case 'follow':
          case 'unfollow': {
            const answer = await client.mutate(each.verb, { id: ann.viewerId }, 'changed followEdge { followedAt }');
            const isKnown = likes[OWNER]!.has(index);
            expect(answer.changed).toBe(each.verb === 'unfollow' ? isKnown : !isKnown && !isAway(index));
            if (each.verb === 'unfollow') likes[OWNER]!.delete(index);
            else if (answer.changed) likes[OWNER]!.set(index, Date.parse(answer.followEdge.followedAt as string));
            break;
          }
          case 'block':
          case 'unblock':
            await ann.mutate(each.verb, { id: client.viewerId }, 'changed');
            if (each.verb === 'block' && !areBlocked.has(index)) blocks.add(index);
            if (each.verb === 'unblock') blocks.delete(index);
            break;
          case 'blocked':
          case 'unblocked':
            await client.mutate(each.verb === 'blocked' ? 'block' : 'unblock', { id: ann.viewerId }, 'changed');
            if (each.verb === 'blocked' && !blocks.has(index)) areBlocked.add(index);
            if (each.verb === 'unblocked') areBlocked.delete(index);
            break;
          case 'hide':
          case 'show':
            await client.mutate(
              'updatePrivacy',
              { likes: each.verb === 'hide' ? 'ONLY_ME' : 'EVERYONE' },
              'viewer { id }',
            );
            hidden[each.verb === 'hide' ? 'add' : 'delete'](index);
            break;
          case 'erase':
            await client.mutate('deleteAccount', { password: PASSWORD }, '__typename');
            gone.add(index);
            for (const of of [...likes, blocks, areBlocked]) of.delete(index);
            break;
          case 'read': {
            const shown = model()[each.of];
            if (shown) await markRead(ann, shown.at);
            readUntil = Math.max(readUntil, shown ? Date.parse(shown.at) : 0);
            break;
          }
          case 'mute':
          case 'unmute':
            isMuted = each.verb === 'mute';
            await ann.mutate('updateNotificationSettings', { listLiked: !isMuted }, 'viewer { id }');
            break;
          case 'wait':
            // The access tokens are valid for a day.
            if (waited + each.hours > 22) break;
            waited += each.hours;
            now += each.hours * HOUR;
        }
        // A block ends the follow.
        if (isAway(index)) likes[OWNER]!.delete(index);
        const expected = model();
        expect(await notificationsOf(ann)).toEqual(expected);
        expect(await unreadOf(ann)).toBe(expected.filter(({ isRead }) => !isRead).length);
      }

      for (const direction of ['forward', 'backward'] as const) {
        const edges = await ann.allPages(2, direction, async (args) => {
          const query = `{ viewer { notifications(${args}) { edges { cursor at node { ${FIELDS} } } ${PAGE_INFO} } } }`;
          return (await ann.data(query)).viewer.notifications;
        });
        expect(edges.map(({ node }) => node as Shown)).toEqual(model());
        expect(edges.map(({ at }) => at as string)).toEqual(model().map(({ at }) => at));
      }
    }),
    { numRuns: runs(24) },
  );
  expect(await audited(server.app, [auditOf('likes'), auditOf('follows')])).toMatchObject({ drift: [] });
});
