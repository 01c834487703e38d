import { encodeId } from '../../../src/graphql/ids.ts';
import { bookEvenRemoved } from '../../../src/catalogue/operations.ts';
import { markAsRead, setReadingStatus, unmarkAsRead } from '../../../src/reading/aggregate.ts';
import { viewerReading } from '../../../src/reading/shelves.ts';
import type { ReadingStatus } from '../../../src/graphql/schema.generated.ts';
import type { Effect } from '../../support/history.ts';
import { begin } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

const VERBS = ['mark', 'mark', 'unmark', 'unmark', 'WANT_TO_READ', 'READING', 'READ', 'GIVEN_UP', 'look'] as const;
export type ReadingVerb = (typeof VERBS)[number];

/** How it stands with a reader and a book, as `status marked`. */
export const UNREAD = 'NONE false';

/** What a call about a reading makes of how it stood. Only who looks is told. */
export const effectOnReading: Effect<ReadingVerb, string> = (state, verb) => {
  const [status = '', marked = ''] = state.split(' ');
  switch (verb) {
    case 'look':
      return { state, answer: state };
    case 'mark':
      return { state: marked === 'true' ? state : 'READ true' };
    case 'unmark':
      return { state: marked === 'true' ? `${status === 'READ' ? 'NONE' : status} false` : state };
    case 'READ':
      return { state: 'READ true' };
    default:
      return { state: `${verb} ${marked}` };
  }
};

/** A reader says how it stands with a book, or looks. */
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
    return reading ? `${reading.status ?? 'NONE'} ${String(reading.reads.length > 0)}` : UNREAD;
  }
  const bookId = encodeId({ type: 'Book', key });
  if (verb === 'mark') await markAsRead(context, { bookId });
  else if (verb === 'unmark') await unmarkAsRead(context, { bookId });
  else await setReadingStatus(context, { bookId, status: verb satisfies ReadingStatus });
  return undefined;
}
