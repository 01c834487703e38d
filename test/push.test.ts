import { randomBytes } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pusher } from '../src/notifications/pushes.ts';
import { readEndpoint } from '../src/push/endpoints.ts';
import { registerAdministrator } from './support/accounts.ts';
import { ownKeyspace, startServer, testEnvironment, type TestServer } from './support/app.ts';
import { PASSWORD, type Client } from './support/client.ts';
import { keyOf } from './support/ids.ts';
import { callersOf, testInput, type Callers } from './support/input-errors.ts';
import { untilImported } from './support/library-imports.ts';
import { listOf, markRead, notificationsOf, reviewOf as reviewBy } from './support/notifications.ts';
import { Browser, startPushService, type PushService } from './support/push-service.ts';

/** News is pushed to the browsers of its reader (RFC 8030, RFC 8291, RFC 8292). */

const DAY = 24 * 3_600_000;
const CONTACT = 'mailto:people@library.example';

let service: PushService;
let server: TestServer;
let callers: Callers;
let now = Date.UTC(2026, 11, 30, 9);

const clock = () => new Date((now += 10));
const settings = () => ({
  ACCESS_TOKEN_SECONDS: '86400',
  PUSH_PRIVATE_KEY: randomBytes(32).toString('base64'),
  PUSH_CONTACT: CONTACT,
  PUSH_HOSTS: `${service.host},*.push.example`,
});

beforeAll(async () => {
  service = await startPushService();
  server = await startServer(await ownKeyspace(testEnvironment(settings())), { clock });
  callers = await callersOf(server);
});
beforeEach(() => {
  service.answers.clear();
});

const somebody = (name?: string) => server.client().registerSomebody(name);
const reviewOf = (reader: Client) => reviewBy(server, reader);
const follow = (reader: Client, followed: Client) => reader.mutate('follow', { id: followed.viewerId }, 'changed');

const SETTINGS = 'viewer { notificationSettings { isPushed } }';
const add = (reader: Client, browser: Browser) => reader.mutate('addPushSubscription', browser.subscription, SETTINGS);

/** Lets a reader's session subscribe. */
async function subscribed(reader: Client): Promise<Browser> {
  const browser = new Browser(service);
  expect(await add(reader, browser)).toEqual({
    viewer: { notificationSettings: { isPushed: true } },
    userErrors: [],
  });
  return browser;
}

const isPushed = async (reader: Client) =>
  (await reader.data(`{ ${SETTINGS} }`)).viewer.notificationSettings.isPushed as boolean;

/** Waits until everything was pushed that the answered calls caused. */
const pushed = () => pusher(server.app).idle();

/** Lets the ten minutes pass in which a reader gets one message of a kind. */
const later = () => server.app.cassandra.client.execute('TRUNCATE pushes_by_user');

/** Logs a reader in on another device. */
const elsewhere = (reader: Client) => server.client().login(reader.email);

const subscriptions = async (reader: Client) => {
  const { rows } = await server.app.cassandra.client.execute(
    'SELECT session_id, TTL(endpoint) AS ttl FROM push_subscriptions_by_user WHERE user_id = ?',
    [keyOf(reader.viewerId)],
    { prepare: true },
  );
  return rows.map((row) => row['ttl'] as number);
};

describe('a message', () => {
  test('is encrypted for the browser, and signed for its push service', async () => {
    const [ann, bob] = [await somebody(), await somebody('Bob')];
    const browser = await subscribed(ann);
    await bob.like(await reviewOf(ann));
    await pushed();
    const [message, ...more] = browser.messages;
    expect(more).toEqual([]);
    expect(message!.method).toBe('POST');
    expect(message!.headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' });
    expect(browser.texts).toEqual([{ kind: 'REVIEW_LIKED' }]);

    const { settings } = await server.client().data('{ settings { pushPublicKey } }');
    const { pushPublicKey } = settings;
    const point = Buffer.from(pushPublicKey as string, 'base64url');
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
    expect([point.length, point[0]]).toEqual([65, 4]);
    const [, jwt = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(message!.headers.authorization ?? '') ?? [];
    expect(key).toBe(pushPublicKey);
    const { payload, protectedHeader } = await jwtVerify(
      jwt,
      await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256'),
      { audience: `https://${service.host}`, subject: CONTACT, currentDate: new Date(now) },
    );
    expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'ES256' });
    expect(payload.exp! * 1_000 - now).toBeLessThanOrEqual(DAY);
  });

  test('is decrypted as in the example of RFC 8291', () => {
    const browser = new Browser(service, {
      privateKey: Buffer.from('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url'),
      auth: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
    });
    const body =
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6P' +
      'Bru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN';
    expect(browser.decrypt(Buffer.from(body, 'base64url'))).toBe('When I grow up, I want to be a watermelon');
  });

  test('is about each kind of news, and tells the push service nothing of it', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const browser = await subscribed(ann);
    await bob.like(await reviewOf(ann));
    await bob.like(await listOf(ann));
    await follow(bob, ann);
    const file = 'Title,Author,Bookshelves,Exclusive Shelf\nNo Such Book,Nobody,odd,read\n';
    await untilImported(ann, Buffer.from(file));
    await pushed();
    expect(browser.texts.map((text) => (text as { kind: string }).kind).toSorted()).toEqual([
      'FOLLOWED',
      'IMPORT_ENDED',
      'LIST_LIKED',
      'REVIEW_LIKED',
    ]);
    expect(new Set(browser.messages.map(({ body }) => body.length)).size).toBe(1);
    const topics = browser.messages.map(({ headers }) => headers['topic'] as string);
    expect(new Set(topics).size).toBe(4);
    for (const topic of topics) expect(topic).toMatch(/^[\w-]{22}$/);
  });

  test('of a kind is sent once in ten minutes, to each browser, whatever is liked at once', async () => {
    const other = await startServer(server.app.config, { clock });
    const [ann, readers] = [await somebody(), await Promise.all(Array.from({ length: 6 }, () => somebody()))];
    const browsers = [await subscribed(ann), await subscribed(await elsewhere(ann))];
    const ids = [await reviewOf(ann), await reviewOf(ann)];
    await Promise.all(
      readers.map(async (reader, index) => {
        const there = other.client();
        there.token = reader.token;
        for (const id of ids) await (index % 2 === 0 ? reader : there).like(id);
      }),
    );
    await Promise.all([pushed(), pusher(other.app).idle()]);
    for (const browser of browsers) expect(browser.texts).toEqual([{ kind: 'REVIEW_LIKED' }]);

    await later();
    await (await somebody()).like(ids[0]!);
    await pushed();
    const [first, second] = browsers[0]!.messages;
    // The push service replaces a message that still waits by the newer one.
    expect(second!.headers['topic']).toBe(first!.headers['topic']);
    expect(second!.headers['topic']).not.toBe(browsers[1]!.messages[0]!.headers['topic']);
  });
});

describe('nothing is pushed', () => {
  test('unless it is set up', async () => {
    const off = await startServer(await ownKeyspace(), { clock });
    const [ann, bob] = [await off.client().registerSomebody(), await off.client().registerSomebody()];
    expect(await off.client().data('{ settings { pushPublicKey } }')).toEqual({ settings: { pushPublicKey: null } });
    expect(await add(ann, new Browser(service))).toMatchObject({
      viewer: null,
      userErrors: [{ code: 'PUSH_NOT_SET_UP', path: ['input'] }],
    });
    const before = service.received.length;
    await bob.like(await reviewBy(off, ann));
    await pusher(off.app).idle();
    expect(service.received.length).toBe(before);
    expect(await isPushed(ann)).toBe(false);
  });

  test('of a reader’s own likes, of kinds that are off, and of what is read already', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const browser = await subscribed(ann);
    const [review, list] = [await reviewOf(ann), await listOf(ann)];
    await ann.like(review);
    await ann.mutate('updateNotificationSettings', { listLiked: false }, 'viewer { id }');
    await bob.like(list);
    await markRead(ann, now + 60_000);
    await bob.like(review);
    await pushed();
    expect(browser.texts).toEqual([]);

    now += 120_000;
    await (await somebody()).like(review);
    await pushed();
    expect(browser.texts).toEqual([{ kind: 'REVIEW_LIKED' }]);
  });

  /** Tells of a like of a reader's thing once more, as a process that was late would do. */
  async function told(reader: Client, id: string, at: string) {
    const of = { kind: 'REVIEW_LIKED', subject: `Review:${keyOf(id)}` } as const;
    pusher(server.app).post({ userId: keyOf(reader.viewerId), ...of, at: new Date(at) });
    await pushed();
  }

  test('of readers who are hidden from each other by then, whoever blocks whom', async () => {
    const [ann, bob, cid, dan] = [await somebody(), await somebody(), await somebody(), await somebody()];
    const review = await reviewOf(ann);
    const likedBy = async (reader: Client) => {
      await reader.like(review);
      return (await notificationsOf(ann))[0]!.at;
    };
    const [byDan, byBob, byCid] = [await likedBy(dan), await likedBy(bob), await likedBy(cid)];
    const browser = await subscribed(ann);
    await cid.mutate('block', { id: ann.viewerId }, 'changed');
    await told(ann, review, byCid);
    await ann.mutate('block', { id: bob.viewerId }, 'changed');
    await told(ann, review, byBob);
    expect(browser.texts).toEqual([]);
    await told(ann, review, byDan);
    expect(browser.texts).toHaveLength(1);
  });

  test('of a like that is taken back by then, and to a reader who is suspended', async () => {
    const [ann, bob, administrator] = [await somebody(), await somebody(), await registerAdministrator(server)];
    const browser = await subscribed(ann);
    const review = await reviewOf(ann);
    await bob.like(review);
    const [{ at } = { at: '' }] = await notificationsOf(ann);
    await pushed();
    await later();
    await bob.unlike(review);
    await told(ann, review, at);
    expect(browser.texts).toHaveLength(1);

    await bob.like(review);
    await pushed();
    await later();
    const [{ at: again } = { at: '' }] = await notificationsOf(ann);
    await administrator.mutate('suspendAccount', { id: ann.viewerId, reason: 'A test' }, 'changed');
    await told(ann, review, again);
    expect(browser.texts).toHaveLength(2);
  });
});

describe('a subscription', () => {
  testInput('removePushSubscription', { who: 'reader', wrong: [] }, () => callers);
  testInput(
    'addPushSubscription',
    {
      who: 'reader',
      input: { endpoint: 'https://nonsense.example/', p256dh: 'nonsense', auth: 'nonsense' },
      wrong: ['endpoint', 'p256dh', 'auth'],
    },
    () => callers,
  );

  const ends: Record<string, (reader: Client, session: string) => Promise<unknown>> = {
    'is removed': (reader) => reader.data('mutation { removePushSubscription { userErrors { code } } }'),
    'logs out': (reader) => reader.mutate('logout', {}, '__typename'),
    'is ended from elsewhere': async (reader, id) =>
      (await elsewhere(reader)).mutate('endSession', { sessionId: id }, 'session { id }'),
    'is ended by a new password': async (reader) =>
      (await elsewhere(reader)).mutate(
        'changePassword',
        { password: PASSWORD, newPassword: 'another long and odd password' },
        'viewer { id }',
      ),
    'is suspended': async (reader) =>
      (await registerAdministrator(server)).mutate(
        'suspendAccount',
        { id: reader.viewerId, reason: 'A test' },
        'changed',
      ),
  };
  test.each(Object.keys(ends))('ends when its session or account %s', async (name) => {
    const [ann, bob] = [await somebody(), await somebody()];
    const browser = await subscribed(ann);
    const { viewer } = await ann.data('{ viewer { sessions { nodes { id } } } }');
    const review = await reviewOf(ann);
    await ends[name]!(ann, viewer.sessions.nodes[0].id as string);
    expect(await subscriptions(ann)).toEqual([]);
    await bob.like(review);
    await pushed();
    expect(browser.texts).toEqual([]);
  });

  test('ends with the account, and leaves nothing', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const browser = await subscribed(ann);
    await ann.mutate('deleteAccount', { password: PASSWORD }, '__typename');
    await follow(bob, ann);
    await pushed();
    expect(browser.texts).toEqual([]);
    expect(await server.rowsAbout([keyOf(ann.viewerId), browser.path])).toEqual(['users_by_id']);
  });

  test('is used while its session is open only', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const browser = await subscribed(ann);
    const list = await listOf(ann);
    expect(await subscriptions(ann)).toEqual([expect.toSatisfy((seconds: number) => seconds <= 30 * 86_400)]);
    now += 15 * DAY;
    bob.token = undefined;
    await bob.login(bob.email);
    await bob.like(list);
    await pushed();
    expect(browser.texts).toEqual([]);
    expect(await subscriptions(ann)).toEqual([]);
    callers = await callersOf(server);
  });

  test('takes the place of a former one of its session, and of another session of its browser', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const [former, browser] = [await subscribed(ann), await subscribed(ann)];
    expect(await subscriptions(ann)).toHaveLength(1);
    const again = await elsewhere(ann);
    await add(again, browser);
    expect(await subscriptions(ann)).toHaveLength(1);
    expect([await isPushed(ann), await isPushed(again)]).toEqual([false, true]);
    await follow(bob, ann);
    await pushed();
    expect([former.texts, browser.texts]).toEqual([[], [{ kind: 'FOLLOWED' }]]);
  });

  test('is one of the ten newest', async () => {
    const ann = await somebody();
    const devices = [ann];
    while (devices.length < 11) devices.push(await elsewhere(ann));
    for (const device of devices) await subscribed(device);
    expect(await subscriptions(ann)).toHaveLength(10);
    expect(await isPushed(ann)).toBe(false);
    expect(await isPushed(devices[1]!)).toBe(true);
  });

  test('is exported without its secrets', async () => {
    const ann = await somebody();
    const browser = await subscribed(ann);
    const { endpoint, p256dh, auth } = browser.subscription;
    const text = await (await ann.exportMyData()).text();
    expect(JSON.parse(text)).toMatchObject({ push_subscriptions_by_user: [{ pushService: service.host }] });
    for (const secret of [endpoint, p256dh, auth]) expect(text).not.toContain(secret);
  });
});

describe('an endpoint', () => {
  const HOSTS = ['push.example', '*.push.example', 'push.example:8443', 'localhost'];
  test.each([
    'https://push.example/a?b=c',
    'https://push.example:443/',
    'https://push.example:8443/a',
    'https://a.push.example/',
    'https://a.b.push.example/',
    'HTTPS://PUSH.EXAMPLE/a',
  ])('of a push service is accepted: %s', (endpoint) => {
    expect(readEndpoint(endpoint, HOSTS)).toBe(new URL(endpoint).href);
  });

  test.each([
    'http://push.example/',
    'ftp://push.example/',
    'file:///etc/passwd',
    'data:text/plain,a',
    '//push.example/',
    'push.example',
    'https://push.example:444/',
    'https://a.push.example:8443/',
    'https://push.example.evil.example/',
    'https://evilpush.example/',
    'https://push.example@evil.example/',
    'https://evil.example/push.example',
    'https://evil.example#push.example',
    'https://evil.example\\@push.example/',
    'https://user:password@push.example/',
    'https://user@push.example/',
    'https://push.example./',
    'https://push.example/#fragment',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://ⓔvil.example/',
    `https://push.example/${'a'.repeat(1_000)}`,
    `https://push.example/${'é'.repeat(200)}`,
    '',
    '\0',
  ])('that is not is refused: %s', (endpoint) => {
    expect(readEndpoint(endpoint, HOSTS)).toBeUndefined();
  });

  test('is refused by the API as well, and so are keys that are none', async () => {
    const ann = await somebody();
    const { subscription } = new Browser(service);
    const codesOf = async (input: object) =>
      (await ann.mutate('addPushSubscription', { ...subscription, ...input }, 'viewer { id }')).userErrors as object;
    const wrong = (field: string) => [{ code: 'INVALID_INPUT', path: ['input', field] }];
    for (const endpoint of ['https://127.0.0.1/', `https://user@${service.host}/`, `http://${service.host}/`])
      expect(await codesOf({ endpoint })).toMatchObject(wrong('endpoint'));
    const { p256dh, auth } = subscription;
    const offCurve = Buffer.from(p256dh, 'base64url').fill(7, 1).toString('base64url');
    for (const key of [auth, '', `${p256dh}A`, offCurve, p256dh.slice(1), `*${p256dh}`, 'A'.repeat(70_000)])
      expect(await codesOf({ p256dh: key })).toMatchObject(wrong('p256dh'));
    for (const secret of [p256dh, '', `${auth}A`, auth.slice(2), 'A'.repeat(70_000)])
      expect(await codesOf({ auth: secret })).toMatchObject(wrong('auth'));
    expect(await codesOf({ p256dh: `${p256dh}=`, auth: `${auth}==` })).toEqual([]);
  });
});

describe('a push service', () => {
  /** Lets a service answer a message, and returns whether the subscription is left. */
  async function answered(answer: Parameters<PushService['answers']['set']>[1]) {
    const [ann, bob] = [await somebody(), await somebody()];
    const browser = await subscribed(ann);
    service.answers.set(browser.path, answer);
    expect(await follow(bob, ann)).toMatchObject({ changed: true });
    await pushed();
    expect(browser.messages).toHaveLength(1);
    return isPushed(ann);
  }

  test.each([404, 410])('ends a subscription by %i', async (status) => {
    expect(await answered((response) => response.writeHead(status).end('gone'))).toBe(false);
  });

  test.each([400, 401, 403, 413, 429, 500, 503])('ends none by %i', async (status) => {
    expect(await answered((response) => response.writeHead(status, { 'retry-after': '1' }).end())).toBe(true);
  });

  test.each([301, 307, 308])('cannot redirect by %i', async (status) => {
    const elsewhere = '/elsewhere';
    const to = { location: `https://${service.host}${elsewhere}` };
    expect(await answered((response) => response.writeHead(status, to).end())).toBe(true);
    expect(service.received.filter(({ path }) => path === elsewhere)).toEqual([]);
  });

  test('can close the connection, or send an endless body', async () => {
    expect(await answered((response) => response.destroy())).toBe(true);
    let isClosed: (closed: true) => void;
    const closed = new Promise<true>((resolve) => (isClosed = resolve));
    const endless = (response: Parameters<Parameters<typeof answered>[0]>[0]) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      };
      response
        .writeHead(201)
        .on('drain', more)
        .on('close', () => isClosed(true));
      more();
    };
    expect(await answered(endless)).toBe(true);
    expect(await closed).toBe(true);
  });

  test('that never answers delays no call, and a server that ends gives it up', async () => {
    const ending = await startServer(server.app.config, { clock });
    const ann = await ending.client().registerSomebody();
    const browser = await subscribed(ann);
    service.answers.set(browser.path, () => undefined);
    const bob = await ending.client().registerSomebody();
    expect(await follow(bob, ann)).toMatchObject({ changed: true });
    await expect.poll(() => browser.messages.length).toBe(1);
    await pusher(ending.app).end();
  });

  test('that is not allowed any longer gets nothing, and the subscription ends', async () => {
    const config = { ...server.app.config, push: { ...server.app.config.push!, hosts: ['push.example'] } };
    const narrower = await startServer(config, { clock });
    const [ann, bob] = [await somebody(), await narrower.client().registerSomebody()];
    const browser = await subscribed(ann);
    await follow(bob, ann);
    await pusher(narrower.app).idle();
    expect(browser.messages).toEqual([]);
    expect(await isPushed(ann)).toBe(false);
  });
});
