import { beforeAll, describe, expect, test } from 'vitest';
import { idArgument } from '../src/graphql/ids.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import { PAGE_INFO, PASSWORD, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';

/** The reports of readers, and administrators' decisions about them. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REPORTS_PER_HOUR = 3;

let server: TestServer;
let administrator: Client;
let books: string[];
let now = Date.UTC(2026, 4, 1);

beforeAll(async () => {
  const environment = testEnvironment({ REPORTS_PER_HOUR: String(REPORTS_PER_HOUR), ACCESS_TOKEN_SECONDS: '86400' });
  server = await startServer(await ownKeyspace(environment), { clock: () => new Date((now += 10)) });
  books = await ownBooks(server.app, 40);
  administrator = await registerAdministrator(server, 'Ada');
});

const somebody = (fullName?: string) => server.client().registerSomebody(fullName);
const report = (reader: Client, input: object) => reader.mutate('report', { reason: 'SPAM', ...input }, '__typename');
const FIELDS = `id subject { __typename id } reader { fullName } reason comment reporter { fullName } at status decidedAt decidedBy { fullName } note`;
const decide = (input: object, by = administrator) => by.mutate('decideReport', { ...input }, `report { ${FIELDS} }`);
const page = async (status: string, args = 'first: 100') => {
  const { reports } = await administrator.data(
    `{ reports(status: ${status}, ${args}) { edges { cursor node { ${FIELDS} } } ${PAGE_INFO} } }`,
  );
  return reports;
};
const reportsOf = async (status: string, subject: string) =>
  (await page(status)).edges
    .map(({ node }: { node: object }) => node)
    .filter((node: { subject: { id: string } | null }) => node.subject?.id === subject) as { id: string }[];
const decisions = async (id: string, by = administrator) => {
  const { administration } = await by.data(
    'query ($id: ID!) { administration(id: $id) { edges { node { kind at administrator { fullName } reason } } } }',
    { id },
  );
  return administration.edges.map(({ node }: { node: object }) => node) as object[];
};
const list = async (seller: Client) => {
  const { item } = await seller.mutate(
    'listItem',
    { bookId: books[0]!, price: { amount: '5', currency: 'EUR' }, condition: 'GOOD' },
    'item { id }',
  );
  return item.id as string;
};

describe('report', () => {
  test('about a reader, a copy or a book is shown to administrators', async () => {
    const [reporter, seller] = [await somebody('Rita'), await somebody('Sid')];
    const item = await list(seller);
    const expected = {
      reason: 'SPAM',
      reporter: { fullName: 'Rita' },
      status: 'OPEN',
      decidedAt: null,
      decidedBy: null,
      note: null,
    };
    for (const [id, input, about] of [
      [seller.viewerId, { comment: '  Sells\n nothing ' }, { comment: 'Sells nothing', reader: { fullName: 'Sid' } }],
      [item, { reason: 'ILLEGAL' }, { reason: 'ILLEGAL', comment: null, reader: { fullName: 'Sid' } }],
      [books[1]!, { comment: '' }, { comment: null, reader: null }],
    ] as const) {
      expect(await report(reporter, { id, ...input })).toMatchObject({ userErrors: [] });
      const __typename = { User: 'User', Item: 'Item', Book: 'Book' }[idArgument('id', id).type as 'User'];
      expect(await reportsOf('OPEN', id)).toEqual([
        { ...expected, id: expect.any(String), at: expect.any(String), subject: { __typename, id }, ...about },
      ]);
    }
  });

  test('about the same thing again replaces nothing, is no error, and is not counted', async () => {
    const reporter = await somebody();
    const id = books[2]!;
    for (let time = 0; time < REPORTS_PER_HOUR + 2; time++)
      expect((await report(reporter, { id, comment: `time ${String(time)}` })).userErrors).toEqual([]);
    expect(await reportsOf('OPEN', id)).toMatchObject([{ comment: 'time 0' }]);
    const other = await somebody();
    await Promise.all([1, 2, 3].map(() => report(other, { id, reason: 'OTHER' })));
    expect(await reportsOf('OPEN', id)).toMatchObject([{ comment: 'time 0' }, { reason: 'OTHER' }]);
  });

  test(`of more than ${String(REPORTS_PER_HOUR)} things within an hour has to wait`, async () => {
    const reporter = await somebody();
    const ids = books.slice(3);
    for (const id of ids.slice(0, REPORTS_PER_HOUR)) expect((await report(reporter, { id })).userErrors).toEqual([]);
    const [refused] = (await report(reporter, { id: ids[REPORTS_PER_HOUR]! })).userErrors as [
      { retryAfterSeconds: number },
    ];
    expect(refused).toMatchObject({ code: 'RATE_LIMITED' });
    expect(refused.retryAfterSeconds).toBeGreaterThan(3_500);
    expect(await reportsOf('OPEN', ids[REPORTS_PER_HOUR]!)).toEqual([]);
    expect((await report(await somebody(), { id: ids[0]! })).userErrors).toEqual([]);
    now += refused.retryAfterSeconds * 1_000;
    expect((await report(reporter, { id: ids[REPORTS_PER_HOUR]! })).userErrors).toEqual([]);
  });

  test('with invalid input is refused, naming the field, and nothing is written', async () => {
    const reader = await somebody();
    const nobody = Buffer.from('User:00000000-0000-4000-8000-000000000000').toString('base64url');
    const id = books[8]!;
    for (const [input, code, field] of [
      [{ id: 'x' }, 'INVALID_INPUT', 'id'],
      [{ id: nobody }, 'NOT_FOUND', 'id'],
      [{ id: reader.viewerId }, 'INVALID_INPUT', 'id'],
      [{ id: Buffer.from('Library:US-1').toString('base64url') }, 'INVALID_INPUT', 'id'],
      [{ id, comment: 'x'.repeat(1_001) }, 'INVALID_INPUT', 'comment'],
      [{ id, comment: 'hidden\u202Etext' }, 'INVALID_INPUT', 'comment'],
    ] as const)
      expect((await report(reader, input)).userErrors, JSON.stringify(input)).toMatchObject([
        { code, path: ['input', field] },
      ]);
    const query = 'mutation ($input: ReportInput!) { report(input: $input) { userErrors { code } } }';
    const wrong = await reader.send(query, { input: { id, reason: 'DULL' } });
    expect(wrong.errors).toMatchObject([
      { message: expect.stringContaining('"input.reason"'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    expect(await server.client().errorCode(query, { input: { id, reason: 'SPAM' } })).toBe('UNAUTHENTICATED');
    expect(await reportsOf('OPEN', id)).toEqual([]);
  });

  test('may be about a reader who is hidden from the reporter', async () => {
    const [reader, other] = [await somebody(), await somebody()];
    await other.mutate('block', { id: reader.viewerId }, 'changed');
    expect((await report(reader, { id: other.viewerId })).userErrors).toEqual([]);
    expect(await reportsOf('OPEN', other.viewerId)).toHaveLength(1);
  });
});

describe('reports', () => {
  test('are listed oldest first, also over months, in pages in both directions', async () => {
    const ids = books.slice(10, 17);
    for (const id of ids) {
      await report(await somebody(), { id });
      now += 13 * DAY;
    }
    administrator = await server.client().login(administrator.email);
    for (const direction of ['forward', 'backward'] as const) {
      const edges = await administrator.allPages(3, direction, (args) => page('OPEN', args));
      const listed = edges.map(({ node }) => node.subject?.id as string).filter((id) => ids.includes(id));
      expect(listed).toEqual(ids);
    }
  });

  test('and decisions are for administrators', async () => {
    const reader = await somebody();
    const queries = ['{ reports { edges { cursor } } }', `{ administration(id: "${books[0]!}") { edges { cursor } } }`];
    for (const query of queries) {
      expect(await reader.errorCode(query)).toBe('FORBIDDEN');
      expect(await server.client().errorCode(query)).toBe('UNAUTHENTICATED');
    }
    const input = { id: server.app.randomId(), status: 'UPHELD' };
    expect((await decide(input, reader)).userErrors).toMatchObject([{ code: 'FORBIDDEN', path: ['input'] }]);
    const query = 'mutation ($input: DecideReportInput!) { decideReport(input: $input) { userErrors { code } } }';
    expect(await server.client().errorCode(query, { input })).toBe('UNAUTHENTICATED');
    for (const id of ['x', Buffer.from('Library:US-1').toString('base64url')])
      expect(await administrator.errorCode(`{ administration(id: "${id}") { edges { cursor } } }`)).toBe(
        'BAD_USER_INPUT',
      );
  });
});

describe('decideReport', () => {
  const openReport = async (id: string) => {
    await report(await somebody(), { id });
    return (await reportsOf('OPEN', id))[0]!;
  };

  test('removes a report from the open ones, and is recorded with its author, time and reason, like a second decision', async () => {
    const id = books[20]!;
    const open = await openReport(id);
    const first = await decide({ id: open.id, status: 'DISMISSED', note: ' Nothing  there' });
    expect(first.report).toMatchObject({
      id: open.id,
      status: 'DISMISSED',
      note: 'Nothing there',
      decidedBy: { fullName: 'Ada' },
    });
    expect(await decide({ id: open.id, status: 'DISMISSED', note: 'Nothing there' })).toEqual(first);
    expect(await reportsOf('OPEN', id)).toEqual([]);
    expect(await reportsOf('DISMISSED', id)).toEqual([first.report]);
    const dismissed = {
      kind: 'REPORT_DECIDED',
      at: first.report.decidedAt as string,
      administrator: { fullName: 'Ada' },
      reason: 'Nothing there',
    };
    expect(await decisions(id)).toEqual([dismissed]);
    const bo = await registerAdministrator(server, 'Bo');
    const second = await decide({ id: open.id, status: 'UPHELD' }, bo);
    expect(await reportsOf('DISMISSED', id)).toEqual([]);
    expect(await reportsOf('UPHELD', id)).toEqual([second.report]);
    const upheld = {
      ...dismissed,
      at: second.report.decidedAt as string,
      administrator: { fullName: 'Bo' },
      reason: null,
    };
    expect(await decisions(id)).toEqual([upheld, dismissed]);
  });

  test('with invalid input is refused, naming the field, and nothing is decided', async () => {
    const id = books[21]!;
    const open = await openReport(id);
    for (const [input, code, field] of [
      [{ id: 'x', status: 'UPHELD' }, 'INVALID_INPUT', 'id'],
      [{ id: server.app.randomId(), status: 'UPHELD' }, 'NOT_FOUND', 'id'],
      [{ id: open.id, status: 'OPEN' }, 'INVALID_INPUT', 'status'],
      [{ id: open.id, status: 'UPHELD', note: 'x'.repeat(1_001) }, 'INVALID_INPUT', 'note'],
    ] as const)
      expect(await decide(input), JSON.stringify(input)).toMatchObject({
        report: null,
        userErrors: [{ code, path: ['input', field] }],
      });
    expect(await reportsOf('OPEN', id)).toEqual([open]);
    expect(await decisions(id)).toEqual([]);
  });
});

describe('when an account is deleted', () => {
  test('the reports by and about the account are deleted; the export has the reports that it made', async () => {
    const [reporter, reported] = [await somebody(), await somebody()];
    await report(reporter, { id: reported.viewerId, comment: 'Never again' });
    await report(reported, { id: books[22]! });
    const about = (await reportsOf('OPEN', reported.viewerId))[0]!;
    await decide({ id: about.id, status: 'UPHELD', note: 'Indeed' });
    const exported = async (reader: Client) =>
      (await (await reader.exportMyData()).json()) as { reports: object[]; administration_by_subject: object[] };
    expect((await exported(reporter)).reports).toMatchObject([
      { subject: `User:${keyOf(reported.viewerId)}`, comment: 'Never again', status: 'UPHELD' },
    ]);
    const ofReported = await exported(reported);
    expect(ofReported.reports).toMatchObject([{ reason: 'SPAM', status: 'OPEN' }]);
    expect(ofReported.administration_by_subject).toMatchObject([{ kind: 'REPORT_DECIDED', reason: 'Indeed' }]);
    await reported.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(await reportsOf('UPHELD', reported.viewerId)).toEqual([]);
    expect(await reportsOf('OPEN', books[22]!)).toEqual([]);
    // The limit of reports keeps their records for an hour.
    expect(await server.rowsAbout([keyOf(reported.viewerId)])).toEqual(['tries_by_subject', 'users_by_id']);
    await report(reporter, { id: books[23]! });
    await reporter.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    expect(await reportsOf('OPEN', books[23]!)).toEqual([]);
    expect(await server.rowsAbout([keyOf(reporter.viewerId)])).toEqual(['tries_by_subject', 'users_by_id']);
  });
});
