import type { LimitFunction } from 'p-limit';
import { loadAccount } from '../bulk/accounts.ts';
import { updatePrivacy } from '../../src/accounts/changes.ts';
import { ActionsInBulk } from '../bulk/actions.ts';
import { block } from '../../src/blocks/operations.ts';
import type { Book } from '../../src/catalogue/book.ts';
import { bookIdsByNumber } from '../../src/catalogue/import.ts';
import { booksNow } from '../../src/catalogue/operations.ts';
import { ANONYMOUS, requestContext, type AppContext } from '../../src/context/context.ts';
import { follow } from '../../src/follows/operations.ts';
import { UserError } from '../../src/graphql/errors.ts';
import { encodeId, subjectOf, uuidOf } from '../../src/graphql/ids.ts';
import type { ItemCondition } from '../../src/graphql/generated/schema-types.ts';
import { accountById } from '../../src/identity/operations.ts';
import { importProgress, keepImportProgress } from '../../src/bulk-import/operations.ts';
import { refreshAlsoLiked } from '../../src/likes/also-liked.ts';
import { loadLikes } from '../bulk/likes.ts';
import { listItem } from '../../src/market/operations.ts';
import { loadReadings } from '../bulk/readings.ts';
import { setReadingStatus } from '../../src/reading/operations.ts';
import { say } from '../../src/terminal/progress.ts';
import { DAY_MS, MINUTE_MS } from '../../src/time/units.ts';
import { recordView } from '../../src/views/operations.ts';
import { SAMPLE } from '../places.ts';

/**
 * Invented readers, who make the API of a development server look like one in use. They like, read
 * and sell the most popular books of the sample, and follow each other. Their actions are the same
 * on every machine; the moments of likes and readings are relative to the first start.
 */

/** The password of the readers that a developer may log in as. */
export const SAMPLE_PASSWORD = 'a good book';

/** A reader that a developer may log in as. */
export interface SampleLogin {
  readonly email: string;
  readonly fullName: string;
  /** A short description of the lists of this reader. */
  readonly life: string;
}

const [AVID, SELLER, NEWCOMER] = [
  {
    email: 'reader@example.com',
    fullName: 'Robin Reader',
    life: 'has read, liked and shelved many books, and has followers',
  },
  { email: 'seller@example.com', fullName: 'Sam Seller', life: 'sells many copies' },
  {
    email: 'newcomer@example.com',
    fullName: 'Noa Newcomer',
    life: 'has just begun, follows some readers, shows nothing, and blocks a reader',
  },
] as const satisfies readonly SampleLogin[];
export const SAMPLE_LOGINS: readonly SampleLogin[] = [AVID, SELLER, NEWCOMER];

/** The index of the reader whom the newcomer blocks. */
const BLOCKED = SAMPLE_LOGINS.length;

/** Invented names. No developer logs in as these readers. */
const OTHERS = `
Ada Brightwater, Bela Korrin, Cato Wintermoor, Dunya Sarpel, Edda Holmvik, Farid Ashcombe, Greta Lindqvale,
Hugo Marrowick, Ines Calderra, Jonas Feldwyn, Kaja Rosenholt, Leo Tamarindo, Mira Okonjeva, Nilo Bergantes,
Oda Silverthwaite, Pavel Drozdik, Quinn Harrowgate, Rosa Almerin, Soren Kvistgard, Tala Winterbourne, Ugo Fiorellato,
Vera Nightingall, Wim van Oosterdael, Xenia Palamidou, Yusuf Demirhan, Zora Bielecka, Amos Thistledown, Britta Falkenau,
Cyril Montefer, Daria Voskrenko, Emil Straussberg, Fenna Hoekstraal, Gil Avraneth, Hedda Stormgren, Ivo Kastelan,
Juno Applegarth, Kiran Devasundar, Lumi Koskivaara, Marek Zelenograd, Nora Quillfeather, Otis Blackmere,
Petra Almasyova, Rafe Underhallow, Sanna Ylikoski, Tomas Rivadera, Una Kilbrannan, Viktor Hasselhorn`
  .split(',')
  .map((name) => name.trim().replaceAll('\n', ' '));

const READERS: readonly { readonly fullName: string; readonly email: string }[] = [
  ...SAMPLE_LOGINS,
  ...OTHERS.map((fullName, index) => ({ fullName, email: `sample-${index}@example.com` })),
];

const BOOKS = 100;
const LIKES_OF_ONE = 40;
const READINGS_OF_ONE = 16;
const READING_OF_ONE = 2;
const SHELVED_OF_ONE = 6;
const COPIES_OF_SELLER = 30;
const COPIES_OF_SOME = 3;
const LOOKS_OF_ONE = 12;
const FOLLOWED_OF_ONE = 4;
const FOLLOWED_OF_AVID = 12;
const REGISTERED_AT = new Date('2025-01-01T09:00:00Z');
const READ_WITHIN_MS = 400 * DAY_MS;
const LIKED_WITHIN_MS = 40 * DAY_MS;
const CONDITIONS: readonly ItemCondition[] = ['NEW', 'LIKE_NEW', 'GOOD', 'FAIR', 'POOR'];

/** The name under which the progress is stored. */
const LOAD = 'sample readers';

/** Maps each text to a fixed number from 0 to 1. */
export const fractionOf = (text: string): number => parseInt(uuidOf(text).slice(0, 8), 16) / 2 ** 32;

const userIdOf = (index: number) => uuidOf(`sample reader ${index}`);

/** Makes the accounts that developers may log in as. */
export async function makeSampleLogins(app: AppContext): Promise<void> {
  const passwordHash = await app.passwords.hash(SAMPLE_PASSWORD);
  const activityLog = new ActionsInBulk();
  await Promise.all(SAMPLE_LOGINS.map((_, index) => makeReader(app, index, passwordHash, activityLog)));
  await activityLog.write(app);
}

/** Returns whether all readers exist, with all of their actions. */
export const areSampleReadersLoaded = async (app: AppContext): Promise<boolean> =>
  (await importProgress(app, LOAD)).isFinished;

/**
 * Makes the other readers, and the actions of all readers. It can be repeated, and continues where
 * it was interrupted.
 * @param limit the number of readers at once
 * @param onReader called after each reader; an error that it throws ends the load
 */
export async function loadSampleReaders(app: AppContext, limit: LimitFunction, onReader: () => void): Promise<void> {
  if (await areSampleReadersLoaded(app)) return;
  say('loading readers, their likes, shelves and copies');
  const ids = [...(await bookIdsByNumber(SAMPLE)).values()].slice(0, BOOKS);
  const found = await booksNow(app, ids);
  const books = ids.flatMap((id) => found.get(id) ?? []);
  const now = app.clock().getTime();
  // The password of these readers is unknown.
  const passwordHash = await app.passwords.hash(app.randomId());

  await limit.map(READERS, async (_, index) => {
    await loadReader(app, index, books, passwordHash, now);
    onReader();
  });
  await limit.map(READERS, async (_, index) => {
    await followSome(app, index);
    onReader();
  });
  await hideNewcomer(app);
  await limit.map(books, ({ id }) => refreshAlsoLiked(app, id));
  await keepImportProgress(app, LOAD, READERS.length, true);
  say(`loaded ${READERS.length} readers`);
}

async function loadReader(
  app: AppContext,
  index: number,
  books: readonly Book[],
  passwordHash: string,
  now: number,
): Promise<void> {
  const activityLog = new ActionsInBulk();
  if (!SAMPLE_LOGINS[index]) await makeReader(app, index, passwordHash, activityLog);
  const reader = { index, userId: userIdOf(index), fullName: READERS[index]?.fullName ?? '' };
  const isThere = (await accountById(contextOf(app, reader.userId), reader.userId)) !== null;
  if (!isThere) return;

  if (READERS[index] !== NEWCOMER) {
    await loadReadings(app, readingsOf(reader, books, now), activityLog);
    await loadLikes(app, likesOf(reader, books, now), activityLog);
    await shelve(app, reader, books);
    await sell(app, reader, books);
  }
  if (SAMPLE_LOGINS[index]) await look(app, reader, books);
  await activityLog.write(app);
}

/** Makes an account, unless a developer has registered one with its email address before. */
async function makeReader(
  app: AppContext,
  index: number,
  passwordHash: string,
  activityLog: ActionsInBulk,
): Promise<void> {
  const reader = READERS[index];
  if (!reader) return;
  await loadAccount(app, userIdOf(index), { ...reader, passwordHash }, REGISTERED_AT, activityLog).catch(
    (error: unknown) => {
      if (!(error instanceof UserError && error.code === 'EMAIL_TAKEN')) throw error;
    },
  );
}

interface SampleReader {
  readonly index: number;
  readonly userId: string;
  readonly fullName: string;
}

/** Picks books for a reader. Popular books, which come first, are picked more often. */
function picked(books: readonly Book[], { index }: SampleReader, what: string, count: number): Book[] {
  const rank = (book: Book, place: number) => fractionOf(`${what} ${index} ${book.id}`) * (place + 20);
  return books
    .map((book, place) => ({ book, rank: rank(book, place) }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ book }) => book);
}

/** A moment of the past. There are more of them lately. */
function momentOf(text: string, now: number, withinMs: number): Date {
  return new Date(now - MINUTE_MS - Math.floor(fractionOf(text) ** 3 * withinMs));
}

const readingsOf = (reader: SampleReader, books: readonly Book[], now: number) =>
  picked(books, reader, 'read', READINGS_OF_ONE).map((book) => ({
    userId: reader.userId,
    book,
    readAt: momentOf(`read ${reader.index} ${book.id}`, now, READ_WITHIN_MS),
  }));

const likesOf = (reader: SampleReader, books: readonly Book[], now: number) =>
  picked(books, reader, 'liked', LIKES_OF_ONE).map((book) => ({
    userId: reader.userId,
    fullName: reader.fullName,
    likeableId: subjectOf({ type: 'Book', key: book.id }),
    title: book.title,
    authors: book.authors,
    likedAt: momentOf(`liked ${reader.index} ${book.id}`, now, LIKED_WITHIN_MS),
  }));

/** Puts books that a reader has not read on the reader's shelves, now. */
async function shelve(app: AppContext, reader: SampleReader, books: readonly Book[]): Promise<void> {
  const read = new Set(picked(books, reader, 'read', READINGS_OF_ONE));
  const others = picked(books, reader, 'shelved', books.length).filter((book) => !read.has(book));
  for (const [place, book] of others.slice(0, SHELVED_OF_ONE).entries()) {
    const isReading = place < READING_OF_ONE;
    await setReadingStatus(contextOf(app, reader.userId), {
      bookId: idOf(book),
      status: isReading ? 'READING' : 'WANT_TO_READ',
      progress: isReading ? Math.ceil(fractionOf(`progress ${reader.index} ${book.id}`) * 95) : 0,
    });
  }
}

/** Lists copies for sale, now; most of them are the seller's. */
async function sell(app: AppContext, reader: SampleReader, books: readonly Book[]): Promise<void> {
  const isSeller = READERS[reader.index] === SELLER;
  const count = isSeller ? COPIES_OF_SELLER : reader.index % 2 === 0 ? COPIES_OF_SOME : 0;
  for (const book of picked(books, reader, 'sold', count)) {
    const copy = `copy ${reader.index} ${book.id}`;
    await listItem(contextOf(app, reader.userId), {
      bookId: idOf(book),
      price: { amount: (2 + Math.floor(fractionOf(`price ${copy}`) * 20)).toFixed(2), currency: 'EUR' },
      condition: CONDITIONS[Math.floor(fractionOf(`condition ${copy}`) * CONDITIONS.length)] ?? 'GOOD',
      idempotencyKey: copy,
    });
  }
}

async function look(app: AppContext, reader: SampleReader, books: readonly Book[]): Promise<void> {
  for (const book of picked(books, reader, 'looked', LOOKS_OF_ONE))
    await recordView(contextOf(app, reader.userId), { bookId: idOf(book) });
}

/** Makes a reader follow others, now. The first readers are followed more often than others. */
async function followSome(app: AppContext, index: number): Promise<void> {
  const isThere = async (userId: string) => (await accountById(contextOf(app, userId), userId)) !== null;
  const userId = userIdOf(index);
  if (!(await isThere(userId))) return;

  const newcomer = READERS.indexOf(NEWCOMER);
  const never = index === newcomer ? [newcomer, BLOCKED] : [newcomer, index];
  const others = [...READERS.keys()].filter((other) => !never.includes(other));
  const rank = (other: number) => fractionOf(`followed ${index} ${other}`) * (other + 10);
  const ranked = others.toSorted((one, other) => rank(one) - rank(other));
  for (const other of ranked.slice(0, READERS[index] === AVID ? FOLLOWED_OF_AVID : FOLLOWED_OF_ONE)) {
    const id = userIdOf(other);
    if (await isThere(id)) await follow(contextOf(app, userId), { id: encodeId({ type: 'User', key: id }) });
  }
}

/** Sets the newcomer's audiences to the strictest, and makes the newcomer block a reader. */
async function hideNewcomer(app: AppContext): Promise<void> {
  const userId = userIdOf(READERS.indexOf(NEWCOMER));
  if (!(await accountById(contextOf(app, userId), userId))) return;
  await updatePrivacy(contextOf(app, userId), { likes: 'ONLY_ME', readings: 'ONLY_ME' });
  await block(contextOf(app, userId), { id: encodeId({ type: 'User', key: userIdOf(BLOCKED) }) });
}

const idOf = (book: Book) => encodeId({ type: 'Book', key: book.id });

const contextOf = (app: AppContext, userId: string) => requestContext(app, { ...ANONYMOUS, viewerId: userId });
