import { encodeId } from '../../../src/graphql/ids.ts';
import { MINUTE_MS } from '../../../src/time/units.ts';
import { recordView } from '../../../src/views/operations.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';

/** A reader views a book. */
export async function callViews(scene: Scene): Promise<Outcome> {
  const { world, library, app } = scene;
  const [userId, bookId] = [world.pick(library.readers), world.pick(library.books)];
  const at = app.clock();
  const view = {
    userId,
    bookId,
    at,
    minute: new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS),
    isDone: false,
  };
  library.views.push(view);
  const input = { bookId: encodeId({ type: 'Book', key: bookId }) };
  const came = await attempt(scene, () => recordView(contextOf(scene, userId), input));
  if (came.outcome === 'DONE') view.isDone = true;
  return came.outcome;
}
