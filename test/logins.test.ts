import fc from 'fast-check';
import { DateTime } from 'luxon';
import { beforeAll, describe, expect, test } from 'vitest';
import { countWithin, recordLogin } from '../src/logins/operations.ts';
import { currentWindow, lastWindow, partsOf } from '../src/logins/windows.ts';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { PASSWORD } from './support/client.ts';
import { runs } from './support/full.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;
let now: Date | undefined;

beforeAll(async () => {
  server = await startServer(await sharedKeyspace(), { clock: () => now ?? new Date() });
});

const instant = fc.integer({ min: Date.UTC(2025, 11, 20), max: Date.UTC(2026, 2, 10) }).map((time) => new Date(time));
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/St_Johns',
  'Pacific/Apia',
  'Africa/Casablanca',
];

describe('the parts of a window', () => {
  test('cover each moment of the window exactly once, and are few', () => {
    fc.assert(
      fc.property(instant, instant, (one, two) => {
        const [from, to] = one < two ? [one, two] : [two, one];
        const parts = partsOf({ from, to });
        const all = [...parts.days, ...parts.hours, ...parts.moments].toSorted(
          (first, second) => first.from.getTime() - second.from.getTime(),
        );
        // The parts adjoin from the first moment to the last.
        expect(all.at(0)?.from ?? to).toEqual(from);
        expect(all.at(-1)?.to ?? from).toEqual(to);
        all.slice(1).forEach((part, index) => {
          expect(part.from).toEqual(all[index]!.to);
        });
        for (const { from: begin, to: end } of parts.days) {
          expect([begin.getTime() % DAY_MS, end.getTime() % DAY_MS]).toEqual([0, 0]);
        }
        const length = ({ from: begin, to: end }: { from: Date; to: Date }) => end.getTime() - begin.getTime();
        for (const part of parts.hours) {
          expect([part.from.getTime() % HOUR_MS, part.to.getTime() % HOUR_MS]).toEqual([0, 0]);
          expect(length(part)).toBeLessThan(DAY_MS);
        }
        for (const part of parts.moments) expect(length(part)).toBeLessThan(HOUR_MS);
        expect(parts.days.length).toBeLessThanOrEqual(1);
        expect(parts.hours.length).toBeLessThanOrEqual(2);
        expect(parts.moments.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe('windows in time zones', () => {
  test.each([
    // The clocks go forward on 29 March 2026 in Berlin, so that day has 23 hours.
    ['P1D', 'Europe/Berlin', '2026-03-29T20:00:00+02:00', '2026-03-28T20:00:00+01:00'],
    ['PT24H', 'Europe/Berlin', '2026-03-29T20:00:00+02:00', '2026-03-28T19:00:00+01:00'],
    ['P7D', 'Asia/Kathmandu', '2026-03-10T00:10:00+05:45', '2026-03-03T00:10:00+05:45'],
    ['P1M', 'UTC', '2026-03-31T00:00:00Z', '2026-02-28T00:00:00Z'],
    ['PT0.5S', 'UTC', '2026-03-31T00:00:00.500Z', '2026-03-31T00:00:00Z'],
    ['P1W', 'UTC', '2026-03-31T00:00:00Z', '2026-03-24T00:00:00Z'],
  ])('%s in %s until %s begins at %s', (last, zone, to, from) => {
    expect(lastWindow(last, zone, new Date(to))).toEqual({ from: new Date(from), to: new Date(to) });
  });

  test.each([
    ['day', 'Asia/Kathmandu', '2026-03-10T18:20:00Z', '2026-03-10T18:15:00Z'],
    ['day', 'Australia/Lord_Howe', '2026-04-05T10:00:00+10:30', '2026-04-05T00:00:00+11:00'],
    ['week', 'America/St_Johns', '2026-03-10T12:00:00Z', '2026-03-09T00:00:00-02:30'],
    ['month', 'Pacific/Chatham', '2026-05-01T00:00:00+12:45', '2026-05-01T00:00:00+12:45'],
  ] as const)('this %s in %s at %s began at %s', (unit, zone, at, from) => {
    expect(currentWindow(unit, zone, new Date(at)).from).toEqual(new Date(from));
  });

  test.each([['P7'], ['7D'], [''], ['-P7D'], ['P'], ['PT'], ['P-7D'], ['P1.5D'], ['PT24H ']])(
    'the duration %j is refused',
    async (last) => {
      const reader = await server.client().registerSomebody();
      const query = 'query ($last: Duration!) { viewer { loginCount(last: $last) } }';
      expect(await reader.errorCode(query, { last })).toBe('BAD_USER_INPUT');
    },
  );

  test.each([['Europe/Atlantis'], [''], ['UTC+1'], ['x'.repeat(10_000)]])(
    'the time zone %.30j is refused',
    async (timeZone) => {
      const reader = await server.client().registerSomebody();
      const query = 'query ($timeZone: String!) { viewer { loginCount(last: "P1D", timeZone: $timeZone) } }';
      expect(await reader.errorCode(query, { timeZone })).toBe('BAD_USER_INPUT');
      const windows = 'query ($timeZone: String!) { viewer { logins(timeZone: $timeZone) { thisDay { failed } } } }';
      expect(await reader.errorCode(windows, { timeZone })).toBe('BAD_USER_INPUT');
    },
  );
});

describe('the counts', () => {
  test('equal a count over a plain list of moments, for any window, even with repeated or simultaneous writes', async () => {
    const login = fc.record({ at: instant, succeeded: fc.boolean(), id: fc.uuid({ version: 4 }) });
    const windows = fc.array(fc.tuple(instant, instant), { minLength: 5, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.uuid({ version: 4 }),
        fc.array(login, { maxLength: 40 }),
        windows,
        async (userId, all, asked) => {
          // Some moments are full hours, some are midnights, and some are exactly at the ends of
          // windows.
          const logins = all.map((each, index) => {
            const unit = [1, HOUR_MS, DAY_MS][index % 3]!;
            const at = index % 5 === 0 ? asked[0]![0] : new Date(Math.floor(each.at.getTime() / unit) * unit);
            return { ...each, at, userId };
          });
          await Promise.all([...logins, ...logins.slice(0, 5)].map((each) => recordLogin(server.app, each)));
          for (const [one, two] of asked) {
            const window = one < two ? { from: one, to: two } : { from: two, to: one };
            const within = logins.filter(({ at }) => at >= window.from && at < window.to);
            const succeeded = within.filter((each) => each.succeeded).length;
            expect(await countWithin(server.app, userId, window)).toEqual({
              succeeded,
              failed: within.length - succeeded,
            });
          }
        },
      ),
      { numRuns: runs(30) },
    );
  });

  test('through the API: register and login count once each, refreshing does not, failures are counted separately', async () => {
    const moments = ['2026-03-01T05:20:00Z', '2026-03-26T22:30:00Z', '2026-03-28T23:10:00Z', '2026-03-29T18:15:00Z'];
    now = new Date(moments[0]!);
    const { email } = await server.client().registerSomebody();
    let reader = server.client();
    for (const at of moments.slice(1)) {
      now = new Date(at);
      reader = await server.client().login(email);
      await server.client().mutate('login', { email, password: 'wrong horse' }, 'accessToken');
      await server.client().mutate('refreshTokens', { refreshToken: reader.refreshToken }, 'accessToken');
    }
    now = new Date('2026-03-29T18:20:00Z');
    for (const zone of ZONES) {
      const local = DateTime.fromJSDate(now, { zone });
      const since = (begin: DateTime) => moments.filter((at) => DateTime.fromISO(at) >= begin);
      const tally = (begin: DateTime) => ({
        succeeded: since(begin).length,
        failed: since(begin).filter((at) => at !== moments[0]).length,
      });
      const { viewer } = await reader.data(
        `query ($zone: String!) { viewer {
           hours: loginCount(last: "PT24H", timeZone: $zone) days: loginCount(last: "P1D", timeZone: $zone)
           month: loginCount(last: "P28D", timeZone: $zone)
           logins(timeZone: $zone) { last24Hours { ...T } last7Days { ...T } last30Days { ...T } thisDay { ...T } thisWeek { ...T } thisMonth { ...T } } } }
         fragment T on LoginTally { succeeded failed }`,
        { zone },
      );
      expect(viewer, zone).toEqual({
        hours: since(local.minus({ hours: 24 })).length,
        days: since(local.minus({ days: 1 })).length,
        month: since(local.minus({ days: 28 })).length,
        logins: {
          last24Hours: tally(local.minus({ hours: 24 })),
          last7Days: tally(local.minus({ days: 7 })),
          last30Days: tally(local.minus({ days: 30 })),
          thisDay: tally(local.startOf('day')),
          thisWeek: tally(local.startOf('week')),
          thisMonth: tally(local.startOf('month')),
        },
      });
    }
    now = undefined;
  });

  test('a login is counted at once, on any server', async () => {
    const reader = await server.client().registerSomebody();
    for (let turn = 0; turn < 3; turn++)
      await server.client().mutate('login', { email: reader.email, password: PASSWORD }, 'accessToken');
    expect((await reader.data('{ viewer { loginCount(last: "PT1M") } }')).viewer.loginCount).toBe(4);
  });
});
