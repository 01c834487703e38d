import { encodeId } from '../../../src/graphql/ids.ts';
import { bookEvenRemoved } from '../../../src/catalogue/operations.ts';
import { markAsRead, setReadingStatus, unmarkAsRead, updateReading } from '../../../src/reading/operations.ts';
import { readingIdOf } from '../../../src/reading/reads.ts';
import { viewerReading } from '../../../src/reading/shelves.ts';
import type { ReadingStatus } from '../../../src/graphql/generated/schema-types.ts';
import type { Effect } from '../../support/history.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import type { ReadingVerb } from './verbs.ts';

const VERBS = [
  'mark',
  'mark',
  'day',
  'unknown',
  'give a day',
  'forget the day',
  'unmark',
  'unmark',
  'take off',
  'WANT_TO_READ',
  'READING',
  'READ',
  'GIVEN_UP',
  'look',
] as const;

/**
 * The day of every reading that is marked with a day. It is the day on which the simulation begins,
 * whose noon is still in the future.
 */
const DAY = '2026-01-01';
/** The sorts of reads before and after a correction. */
const CORRECTED = { 'give a day': ['unknown', 'day'], 'forget the day': ['day', 'unknown'] } as const;
const TIMES = { mark: {}, day: { finishedOn: DAY }, unknown: { finishedOn: null } } as const;

/** The stored fields of a reading that this file uses. */
export interface StoredReading {
  readonly marked: boolean;
  readonly reads: readonly { readonly read_at: Date | null; readonly finished_on: unknown }[] | null;
  readonly history: readonly { readonly status: string; readonly progress: number; readonly at: Date }[] | null;
}

/**
 * Describes the state of a reader and a book: the status, the kinds of its readings (at a moment,
 * on the day, at an unknown time), and `again` if the book was begun after it was read.
 */
export function standingOf({ marked, reads, history }: StoredReading): string {
  const sorts = new Set(
    (marked ? (reads ?? []) : []).map(({ read_at, finished_on }) =>
      finished_on ? 'day' : read_at ? 'mark' : 'unknown',
    ),
  );
  const statuses = (history ?? []).map(({ status }) => status);
  const ended = statuses.findLastIndex((status) => status === 'READ' || status === 'NONE');
  const isAgain = statuses.slice(ended + 1).includes('READING');
  return standing(statuses.at(-1) ?? 'NONE', sorts, isAgain);
}

const standing = (status: string, sorts: ReadonlySet<string>, isAgain: boolean): string =>
  `${status} [${[...sorts].sort().join()}]${isAgain ? ' again' : ''}`;

/** The state of a reader and a book without any relation. */
export const UNREAD = standing('NONE', new Set(), false);

/**
 * Computes the next state of a reading after a call. Only a call that reads it learns the state.
 */
export const effectOnReading: Effect<ReadingVerb, string> = (state, verb) => {
  const [, status = '', listed = '', again] = /^(\w+) \[(.*)\]( again)?$/.exec(state) ?? [];
  const sorts = new Set(listed === '' ? [] : listed.split(','));
  const read = (sort: string) => ({ state: standing('READ', new Set([...sorts, sort]), false) });
  switch (verb) {
    case 'look':
      return { state, answer: state };
    case 'mark':
      return sorts.size > 0 ? { state } : read('mark');
    case 'day':
    case 'unknown':
      return sorts.has(verb) ? { state } : read(verb);
    case 'give a day':
    case 'forget the day': {
      const [from, to] = CORRECTED[verb];
      if (!sorts.has(from) || sorts.has(to)) return { state };
      return { state: standing(status, new Set([...sorts, to].filter((sort) => sort !== from)), again !== undefined) };
    }
    case 'unmark':
      if (sorts.size === 0) return { state };
      return { state: standing(status === 'READ' ? 'NONE' : status, new Set(), again !== undefined) };
    case 'take off':
      return { state: status === 'NONE' ? state : standing('NONE', sorts, false) };
    case 'READ':
      if (status === 'READ') return { state };
      return sorts.size > 0 && !again ? { state: standing('READ', sorts, false) } : read('mark');
    default:
      return { state: standing(verb, sorts, verb === 'READING' || again !== undefined) };
  }
};

/** A reader changes their reading of a book, or reads its state. */
export async function callReadings(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const [userId, bookId, verb] = [world.pick(library.readers), world.pick(library.books), world.pick(VERBS)];
  const call = begin(library.readings, `${userId} ${bookId}`, verb, world.steps);
  const came = await attempt(scene, () => changeOrLook(scene, userId, bookId, verb));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function changeOrLook(scene: Scene, userId: string, key: string, verb: ReadingVerb): Promise<string | undefined> {
  const context = contextOf(scene, userId);
  if (verb === 'look') {
    const book = await bookEvenRemoved(context, key);
    const reading = book && (await viewerReading(context, book));
    return reading ? standingOf({ ...reading, marked: true }) : UNREAD;
  }
  const bookId = encodeId({ type: 'Book', key });
  if (verb === 'mark' || verb === 'day' || verb === 'unknown') await markAsRead(context, { bookId, ...TIMES[verb] });
  else if (verb === 'give a day' || verb === 'forget the day') {
    const book = await bookEvenRemoved(context, key);
    const reads = (book && (await viewerReading(context, book)))?.reads ?? [];
    const [from, to] = CORRECTED[verb];
    const read = reads.find(({ finished_on, read_at }) => (from === 'day' ? finished_on === DAY : read_at === null));
    const readingId = readingIdOf(key, read ?? { noted_at: new Date(0) });
    await updateReading(context, { bookId, readingId, ...TIMES[to] });
  } else if (verb === 'unmark') await unmarkAsRead(context, { bookId });
  else if (verb === 'take off') await setReadingStatus(context, { bookId, status: null });
  else await setReadingStatus(context, { bookId, status: verb satisfies ReadingStatus });
  return undefined;
}
