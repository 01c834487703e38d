import type { Book } from '../../../src/catalogue/book.ts';
import { addBook, booksNow, removeBook, updateBook } from '../../../src/catalogue/operations.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import type { Effect } from '../../support/history.ts';
import { begin, FIRST_TITLE } from '../library.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import type { BookVerb } from './verbs.ts';

/** There are few titles, so that books share list entries and get former titles again. */
export const TITLES = [FIRST_TITLE, 'Ac', 'Bd'] as const;
export const AUTHORS = [['Cd'], ['Ce'], ['Cd', 'Ef']] as const;
export const GENRES = [[], ['War'], ['Art'], ['Art', 'War']] as const;
export const PUBLISHERS = [null, 'Gh', 'Gi'] as const;
const SERIES = [null, [], [{ name: 'Gj', position: '1' }], [{ name: 'Gj' }, { name: 'Gk', position: '2-3' }]] as const;
const OTHER_ISBNS = [[], ['9780439023481'], ['9780439023481', '9780439554930']] as const;

const VERBS = ['add', 'call', 'call', 'edit', 'edit', 'remove', 'look'] as const;

/** The state of a book that is not in the catalogue. The state of any other book is its title. */
export const NOT_THERE = '';
/** The state of a book that was removed. Only an administrator adds it again. */
const REMOVED = 'removed';

/**
 * Computes the next state of a book after a call. A call that adds, changes or removes a book
 * learns whether that was possible.
 */
export const effectOnBook: Effect<BookVerb, string> = (state, verb) => {
  const isThere = state !== NOT_THERE && state !== REMOVED;
  const [name, title = ''] = verb.split(' ');
  switch (name) {
    case 'look':
      return { state, answer: isThere ? state : NOT_THERE };
    case 'put':
      return { state: state === REMOVED ? REMOVED : title };
    case 'remove':
      return { state: isThere ? REMOVED : state, answer: String(isThere) };
    case 'add':
      return { state: isThere ? state : title, answer: String(!isThere) };
    default:
      return { state: name === 'call' && isThere ? title : state, answer: String(isThere) };
  }
};

/** The administrator adds, changes or removes a book, or a caller reads it. */
export async function callBooks(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const [bookId, title, name] = [world.pick(library.books), world.pick(TITLES), world.pick(VERBS)];
  const verb = name === 'add' || name === 'call' ? (`${name} ${title}` as const) : name;
  const call = begin(library.titles, bookId, verb, world.steps);
  const came = await attempt(scene, () => changeOrLook(scene, bookId, name, title));
  if (came.outcome === 'REFUSED') call.withdraw();
  if (came.outcome === 'DONE') call.end(world.steps, came.result);
  return came.outcome;
}

async function changeOrLook(scene: Scene, key: string, name: (typeof VERBS)[number], title: string): Promise<string> {
  const { world, library, app } = scene;
  // Readers may be shown an older state for a moment, on one server and not yet on another.
  if (name === 'look') return titleOf((await booksNow(app, [key])).get(key));
  if (name === 'remove') return String(await removeBook(app, key));

  const context = contextOf(scene, library.administrator);
  const bookId = encodeId({ type: 'Book', key });
  const said = {
    authors: world.pick(AUTHORS),
    genres: world.pick(GENRES),
    publisher: world.pick(PUBLISHERS),
    workId: world.chance(0.5) ? encodeId({ type: 'Work', key: world.pick(library.books) }) : null,
    otherIsbns: world.pick(OTHER_ISBNS),
    series: world.pick(SERIES),
  };
  if (name === 'add') await addBook(context, { isbn: key, title, ...said });
  else await updateBook(context, { bookId, ...(name === 'call' && { title }), ...(world.chance(0.5) && said) });
  return 'true';
}

const titleOf = (book: Book | undefined) => (!book || book.isRemoved ? NOT_THERE : book.title);
