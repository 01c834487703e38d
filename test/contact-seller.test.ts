import { beforeAll, expect, test } from 'vitest';
import { sharedKeyspace, startServer, type TestServer } from './support/app.ts';
import { ownBooks } from './support/books.ts';
import type { Client } from './support/client.ts';
import { mailSettings, tokenIn, type Mailbox } from './support/mails.ts';

/** Messages to the sellers of copies. */

const SUBJECT = 'A reader writes about your copy of a book';
let mailbox: Mailbox;
let server: TestServer;
let book: string;

beforeAll(async () => {
  const readerUrl = { READER_URL: 'https://app.example/reader/{id}' };
  const settings = await mailSettings({ MESSAGES_PER_DAY: '3', ...readerUrl });
  ({ mailbox } = settings);
  server = await startServer(settings.config);
  [book] = (await ownBooks(server.app, 1)) as [string];
});

const verify = async (reader: Client) => {
  const { body } = await mailbox.arrived(reader.email, 'Is this your email?');
  await server.client().mutate('verifyEmail', { token: tokenIn(body) }, 'viewer { id }');
  return reader;
};
const verified = async (name: string) => verify(await server.client().registerSomebody(name));
const offer = async (seller: Client) => {
  const input = { bookId: book, price: { amount: '12.50', currency: 'EUR' }, condition: 'GOOD' };
  return (await seller.mutate('listItem', input, 'item { id }')).item.id as string;
};
const write = (buyer: Client, itemId: string, message: string, input: Record<string, unknown> = {}) =>
  buyer.mutate('contactSeller', { itemId, message, showsMyEmail: true, ...input }, 'item { id }');

test('a message to a seller is a mail that the seller answers; its repetition sends nothing, and it is limited', async () => {
  const [seller, buyer] = [await verified('Ann Lee'), await verified('Bo Berg')];
  const itemId = await offer(seller);
  // The second line looks like a header, and the third like the library's own words.
  const message = 'Is it still there?\r\nBcc: everybody@example.com\n\nThe library has read this message.';
  expect(await write(buyer, itemId, message)).toEqual({ item: { id: itemId }, userErrors: [] });
  expect(await write(buyer, itemId, message)).toEqual({ item: { id: itemId }, userErrors: [] });
  expect((await write(buyer, itemId, 'Another one')).userErrors).toEqual([]);

  const { body } = await mailbox.arrived(seller.email, SUBJECT, 2);
  expect(body).toContain('> Another one');
  const [first, ...others] = mailbox.to(seller.email, SUBJECT);
  expect(others).toHaveLength(1);
  expect(first?.replyTo).toBe(buyer.email);
  const quoted =
    '> Is it still there?\r\n> Bcc: everybody@example.com\r\n>\r\n> The library has read this message.\r\n';
  expect(first?.body).toContain(quoted);
  expect(first?.body).toMatch(/^Bo Berg writes about your copy of /);
  expect(first?.body).toContain(`\r\nhttps://app.example/reader/${buyer.viewerId}\r\n`);
  expect(mailbox.to('everybody@example.com')).toEqual([]);

  expect((await write(buyer, itemId, 'A third one')).userErrors).toEqual([]);
  expect((await write(buyer, itemId, 'A fourth one')).userErrors).toMatchObject([{ code: 'RATE_LIMITED' }]);
  // A repetition is not a new message.
  expect((await write(buyer, itemId, message)).userErrors).toEqual([]);
});

test('a message is refused without consent or a verified email, about a copy not for sale, and if the seller takes none', async () => {
  const [seller, buyer] = [await verified('Cy Dent'), await verified('Di Eck')];
  const unverified = await server.client().registerSomebody();
  const [itemId, sold, theirs] = [await offer(seller), await offer(seller), await offer(unverified)];
  await seller.mutate('markAsSold', { itemId: sold }, '__typename');
  const refusal = (answer: { item: unknown; userErrors: { code: string; path: string[] }[] }) =>
    answer.item === null && answer.userErrors.map(({ code, path }) => `${code} ${path.join('.')}`);

  expect(refusal(await write(buyer, itemId, 'Hello', { showsMyEmail: false }))).toEqual([
    'INVALID_INPUT input.showsMyEmail',
  ]);
  expect(refusal(await write(buyer, itemId, 'x'.repeat(2_001)))).toEqual(['INVALID_INPUT input.message']);
  expect(refusal(await write(unverified, itemId, 'Hello'))).toEqual(['EMAIL_NOT_VERIFIED input']);
  expect(refusal(await write(seller, itemId, 'Hello'))).toEqual(['INVALID_INPUT input.itemId']);
  expect(refusal(await write(buyer, sold, 'Hello'))).toEqual(['INVALID_INPUT input.itemId']);
  expect(refusal(await write(buyer, theirs, 'Hello'))).toEqual(['FORBIDDEN input.itemId']);

  for (const [one, other] of [
    [seller, buyer],
    [buyer, seller],
  ] as const) {
    await one.mutate('block', { id: other.viewerId }, 'changed');
    expect(refusal(await write(buyer, itemId, 'Hello'))).toEqual(['NOT_FOUND input.itemId']);
    await one.mutate('unblock', { id: other.viewerId }, 'changed');
  }

  const privacy = 'viewer { privacy { likes takesMessages } }';
  const { viewer } = await seller.mutate('updatePrivacy', { takesMessages: false }, privacy);
  expect(viewer.privacy).toEqual({ likes: 'EVERYONE', takesMessages: false });
  expect(refusal(await write(buyer, itemId, 'Hello'))).toEqual(['FORBIDDEN input.itemId']);
  await seller.mutate('updatePrivacy', { likes: 'ONLY_ME' }, privacy);
  expect(refusal(await write(buyer, itemId, 'Hello'))).toEqual(['FORBIDDEN input.itemId']);
  await seller.mutate('updatePrivacy', { takesMessages: true }, privacy);
  expect(refusal(await write(buyer, itemId, 'Hello'))).toBe(false);
  await mailbox.arrived(seller.email, SUBJECT);
  expect(mailbox.to(seller.email, SUBJECT)).toHaveLength(1);
});

test('a message to a seller needs mail', async () => {
  const silent = await startServer(await sharedKeyspace({ NODE_ENV: 'production' }));
  const [seller, buyer] = [await silent.client().registerSomebody(), await silent.client().registerSomebody()];
  const { userErrors } = await write(buyer, await offer(seller), 'Hello');
  expect(userErrors).toMatchObject([{ code: 'MAIL_NOT_SET_UP' }]);
});
