import { encodeId } from '../../../src/graphql/ids.ts';
import { changePrice, listItem, markAsSold, withdrawItem } from '../../../src/market/operations.ts';
import { attempt, contextOf, type Outcome, type Scene } from './act.ts';
import { OWN_TITLE } from './take-downs.ts';

/** A reader lists a copy, changes its price, sells it or withdraws it. */
export async function callCopies(scene: Scene): Promise<Outcome> {
  const { world, library } = scene;
  const price = { amount: String(1 + world.below(5)), currency: 'EUR' };
  const copy = library.copies.length > 0 && world.chance(0.7) ? world.pick(library.copies) : undefined;
  if (copy) {
    const context = contextOf(scene, copy.sellerId);
    const itemId = encodeId({ type: 'Item', key: copy.itemId });
    const change = world.pick([changePrice, changePrice, withdrawItem, markAsSold]);
    return (await attempt(scene, () => change(context, { itemId, price }))).outcome;
  }

  const sellerId = world.pick(library.readers);
  const bookId = encodeId({ type: 'Book', key: world.pick(library.books) });
  const title = world.chance(0.5) ? OWN_TITLE : null;
  const offer = { bookId, price, condition: 'GOOD', title } as const;
  const came = await attempt(scene, () => listItem(contextOf(scene, sellerId), offer));
  if (came.outcome === 'DONE') library.copies.push({ itemId: came.result.item.id, sellerId, hasTitle: title !== null });
  return came.outcome;
}
