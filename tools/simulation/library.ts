import { insertLoginInfo, accountStates, type AccountState } from '../../src/accounts/tables.ts';
import type { ImportedFields } from '../../src/catalogue/aggregate.ts';
import { listingWrites } from '../../src/catalogue/lists.ts';
import { bookStates } from '../../src/catalogue/tables.ts';
import { accountState } from '../support/account-state.ts';
import { HOUR_MS } from '../../src/time/units.ts';
import { bind } from '../../src/cassandra/statement.ts';
import { insertSwept } from '../../src/events/tables.ts';
import { updateFullName } from '../../src/reading/tables.ts';
import type { Call, Operation } from '../support/history.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { BookVerb, ListVerb, NameVerb, RatingVerb, ReadingVerb, ReviewVerb } from './acts/verbs.ts';
import { seedList, type MadeList } from './lists.ts';
import { Process } from './process.ts';
import type { World } from './world.ts';

/**
 * The shared knowledge of the callers of a round: the known readers, books and copies, and the
 * observations.
 */

/**
 * The maximum number of readers. In a round with few, many calls contend; in a round with many,
 * failed changes are not repeated by others.
 */
const READERS = 10;
const BOOKS = 5;
/** The number of readers in a crowd. */
const CROWD = 3;
/** The number of readers who follow and block each other. */
const CIRCLE = 4;
/** There are fewer emails than readers who want one. */
const EMAILS = 12;

/** A session that a caller may continue, with its token. */
export interface OpenSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly startedAt: Date;
  refreshToken: string;
}

/** A session that began without a login: a visitor's, or a reader's. */
export interface Visit {
  readonly userId: string | null;
  readonly sessionId: string;
  readonly startedAt: Date;
}

/** A click that a client sent, and whether its recording was confirmed to the client. */
export interface SentClick {
  /** The sender: null for a visitor, who may be a reader later. */
  readonly userId: string | null;
  readonly sessionId: string;
  readonly at: Date;
  readonly id: string;
  isDone: boolean;
}

/** A file of books whose import is repeated until it is done. */
export interface ImportedFile {
  readonly checksum: string;
  readonly rows: readonly { readonly bookId: string; readonly fields: ImportedFields }[];
  isDone: boolean;
}

export interface Library {
  readonly readers: string[];
  readonly books: readonly string[];
  /** The administrator of the catalogue, who makes no other calls. */
  readonly administrator: string;
  /** The reader who imports their own library, and makes no other calls. */
  readonly importer: string;
  /** The ids of their imports. */
  readonly libraryImports: Set<string>;
  readonly emails: readonly string[];
  /** Readers who have deleted their account, or tried to. */
  readonly leaving: Set<string>;
  /** The copies that callers know of, each with its seller, and whether it has its own title. */
  readonly copies: { readonly itemId: string; readonly sellerId: string; readonly hasTitle: boolean }[];
  readonly sessions: OpenSession[];
  readonly visits: Visit[];
  /**
   * Every view of a book that a reader made or tried to make, and whether its recording was
   * confirmed.
   */
  readonly views: {
    readonly userId: string;
    readonly bookId: string;
    readonly at: Date;
    readonly minute: Date;
    isDone: boolean;
  }[];
  readonly clicks: SentClick[];
  readonly imports: ImportedFile[];
  /** The ids of reviews that were written. */
  readonly writtenReviews: Set<string>;
  /** The ids of reports that were made. */
  readonly reports: Set<string>;
  /** The calls that were made, by their subjects. */
  readonly blocks: Map<string, Call[]>;
  /**
   * The pairs of readers who must be hidden from each other, because the latest call about them was
   * a block, which was answered. A pair is removed when another call about it begins.
   */
  readonly hidden: Set<string>;
  readonly suspensions: Map<string, Call[]>;
  readonly follows: Map<string, Call[]>;
  readonly likes: Map<string, Call[]>;
  readonly names: Map<string, Operation<NameVerb, string>[]>;
  readonly ownTitles: Map<string, Call[]>;
  readonly readings: Map<string, Operation<ReadingVerb, string>[]>;
  readonly ratings: Map<string, Operation<RatingVerb, string>[]>;
  readonly reviews: Map<string, Operation<ReviewVerb, string>[]>;
  readonly lists: MadeList[];
  readonly listCalls: Map<string, Operation<ListVerb, string>[]>;
  readonly titles: Map<string, Operation<BookVerb, string>[]>;
}

export const emailOf = (index: number) => `reader${index}@example.com`;

/**
 * The first title of books. Titles are short because a book is listed under each prefix of their
 * words.
 */
export const FIRST_TITLE = 'Ab';

/** The initial state of a book, as a call. */
const SEEDED = { verb: `add ${FIRST_TITLE}`, begun: 0, ended: 0, answer: 'true' } as const;
/** The name that readers register with, as a call. */
const NAMED = { verb: 'call Somebody', begun: 0, ended: 0 } as const;

/** Makes an ISBN-13. */
function isbnOf(index: number): string {
  const digits = `978${String(index).padStart(9, '0')}`;
  const sum = Array.from(digits).reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The kind of a round. */
export interface RoundKind {
  /** True if a few readers like one book, and make no other calls. */
  readonly isCrowd: boolean;
  /** True if readers only make lists and write reviews. There are books enough to put in order. */
  readonly isWriting: boolean;
  /** True if a few readers only follow and block each other. */
  readonly isCircle: boolean;
}

/** Makes the readers and books of a round. */
export async function foundLibrary(world: World, cluster: Cluster, kind: RoundKind): Promise<Library> {
  const { isCrowd, isWriting, isCircle } = kind;
  const count = isCircle ? CIRCLE : 1 + world.below(isCrowd ? CROWD : READERS);
  const readers = Array.from({ length: count }, (_, index) => seedReader(world, cluster, emailOf(index)));
  const bookCount = isCrowd ? 1 : isWriting ? BOOKS : 1 + world.below(BOOKS);
  const books = Array.from({ length: bookCount }, (_, index) => isbnOf(index));
  for (const bookId of books) await seedBook(world, cluster, bookId);
  const { query, params } = bind(insertSwept, sweptAt(world.now));
  cluster.seed(query, params);
  return {
    readers,
    // The last book is not added yet.
    books: isCrowd ? books : [...books, isbnOf(books.length)],
    administrator: seedReader(world, cluster, 'administrator@example.com', 'ADMINISTRATOR'),
    importer: seedReader(world, cluster, 'importer@example.com'),
    libraryImports: new Set(),
    emails: Array.from({ length: EMAILS }, (_, index) => emailOf(index)),
    leaving: new Set(),
    copies: [],
    sessions: [],
    visits: [],
    views: [],
    clicks: [],
    imports: [],
    writtenReviews: new Set(),
    reports: new Set(),
    blocks: new Map(),
    hidden: new Set(),
    suspensions: new Map(),
    follows: new Map(),
    likes: new Map(),
    names: new Map(readers.map((userId) => [userId, [NAMED]])),
    ownTitles: new Map(),
    readings: new Map(),
    ratings: new Map(),
    lists: isCrowd ? [] : readers.slice(0, 1).map((ownerId) => seedList(world, cluster, ownerId, books)),
    listCalls: new Map(),
    reviews: new Map(),
    titles: new Map(books.map((bookId) => [bookId, [SEEDED]])),
  };
}

/**
 * Makes a reader, with an account.
 * @returns their id
 */
export function seedReader(world: World, cluster: Cluster, email: string, role: AccountState['role'] = null): string {
  const [user_id, at] = [world.uuid(), new Date(world.now)];
  const state = { ...accountState(() => world.uuid(), at), email, role };
  const { query, params } = accountStates.bind({ user_id }, null, state);
  cluster.seed(query, params);
  const reservation = {
    email: state.email,
    user_id,
    reservation_id: state.email_reservation_id,
    account_version: 0,
    reserved_at: at,
  };
  for (const { query: cql, params: values } of [
    bind(insertLoginInfo, reservation),
    bind(updateFullName, { user_id, full_name: state.full_name, version: BigInt(state.name_version) }),
  ])
    cluster.seed(cql, values);
  return user_id;
}

/** Makes a book, with its lists. */
export async function seedBook(world: World, cluster: Cluster, book_id: string): Promise<void> {
  const unknown = { original_title: null, published_year: null, language_code: null, publisher: null };
  const said = { ...unknown, isbn: book_id, title: FIRST_TITLE, authors: ['Cd'], genres: [] };
  const edition = { average_rating: null, ratings_count: null, pages: null, published_on: null, cover_url: null };
  const references = { work_id: null, source_ids: [], other_isbns: [], series: null, description: null };
  const decided = { version: 1, changed_at: new Date(world.now), change_id: world.uuid() };
  const kept = {
    added_at: decided.changed_at,
    removed_at: null,
    former: null,
    retitled: false,
    relisted: false,
    edited: null,
    edited_by: null,
  };
  const state = { ...said, ...edition, ...references, ...decided, ...kept };
  const lists = await listingWrites(cluster.connect(new Process(world, '')), book_id, state);
  for (const { query, params } of [bookStates.bind({ book_id }, null, state), ...lists]) cluster.seed(query, params);
}

/** Makes the row which records that everything before a moment is counted. */
const sweptAt = (now: number) => ({
  all_buckets: 0,
  // This bucket is earlier than any that a server whose clock is behind may write to.
  bucket: new Date(now - HOUR_MS),
  version: BigInt(now - HOUR_MS),
});

/** A call in progress. */
interface Begun<Verb, State> {
  /** All other calls about the same subject that have begun. */
  readonly others: readonly Operation<Verb, State>[];
  readonly end: (now: number, answer?: State) => void;
  /** Records that the call was refused: nothing was done. */
  readonly withdraw: () => void;
}

/** Records a call as in progress. */
export function begin<Verb, State>(
  histories: Map<string, Operation<Verb, State>[]>,
  key: string,
  verb: Verb,
  now: number,
): Begun<Verb, State> {
  const history = histories.get(key) ?? [];
  histories.set(key, history);
  let own: Operation<Verb, State> = { verb, begun: now, ended: Infinity };
  history.push(own);
  return {
    get others() {
      return history.filter((other) => other !== own);
    },
    end: (ended, answer) => {
      const index = history.indexOf(own);
      history[index] = own = { ...own, ended, ...(answer !== undefined && { answer }) };
    },
    withdraw: () => {
      history.splice(history.indexOf(own), 1);
    },
  };
}
