import { z } from 'zod';
import { accountNow } from '../identity/operations.ts';
import { actionWrites, type Action } from '../activity/log.ts';
import { settle } from '../cassandra/settle.ts';
import { applied, batch, bind, first, write } from '../cassandra/statement.ts';
import type { AppContext } from '../context/context.ts';
import { recordHappening } from '../events/operations.ts';
import { subjectOf } from '../graphql/ids.ts';
import { authority, changeOf, isFence } from '../aggregates/aggregate.ts';
import type { Step } from '../transactions/operations.ts';
import {
  deleteByBook,
  deleteByListedAt,
  deleteByPrice,
  insertByBook,
  insertByListedAt,
  insertByPrice,
  insertItem,
  insertOfSeller,
  selectItemSerially,
  updateItem,
  type ItemState,
} from './tables.ts';

const itemChange = z.strictObject({ itemId: z.uuid(), sellerId: z.uuid() });
type ItemChange = z.infer<typeof itemChange>;

const itemRow = ({ cassandra }: AppContext, { itemId: item_id }: Pick<ItemChange, 'itemId'>) => ({
  read: async () => (await first(cassandra, selectItemSerially, { item_id }))?.state,
  insert: (state: ItemState) => applied(cassandra, insertItem, { item_id, state }),
  replace: (current: ItemState, next: ItemState) => applied(cassandra, updateItem, { item_id, current, next }),
});

/** What decides what a copy costs and whether it is for sale. */
export const itemAuthority = authority<ItemChange, ItemState>({
  name: 'item',
  payload: itemChange,
  row: itemRow,
  unmade: {
    seller_id: null,
    book_id: '',
    own_title: null,
    condition: 'POOR',
    amount: 0n,
    currency: '',
    status: 'WITHDRAWN',
    listed_at: new Date(0),
    ended_at: null,
    priced_at: new Date(0),
    former_amount: null,
  },
  follow,
});

/** Changes a copy: the authority's row first, then the lists of its seller and book, and the diary. */
export const itemTransaction = itemAuthority.transaction;

/** Brings the lists and the diary up to a state of the authority. May be repeated at any time. */
export async function follow(app: AppContext, change: ItemChange, state: ItemState, step: Step): Promise<void> {
  const { itemId, sellerId } = change;
  // Read after the decision: an erasure that does not know of this copy yet has been decided before.
  if ((await accountNow(app, sellerId)).isErased) return forgetItem(app, change);
  if (state.seller_id === null) return;
  const { book_id, amount, former_amount, listed_at, status, ended_at, priced_at } = state;
  const version = BigInt(state.version);
  const row = { seller_id: sellerId, listed_at, item_id: itemId, version };
  const byBook = { book_id, listed_at, item_id: itemId, version };
  const isListed = status === 'FOR_SALE';
  const byPrice = [bind(isListed ? insertByPrice : deleteByPrice, { ...row, amount })];
  if (former_amount !== null && former_amount !== amount) {
    byPrice.push(bind(deleteByPrice, { ...row, amount: former_amount }));
  }
  const subject = subjectOf({ type: 'Item', key: itemId });
  const actions: Action[] = [{ kind: 'LISTED', at: listed_at, subject }];
  if (former_amount !== null) actions.push({ kind: 'PRICE_CHANGED', at: priced_at, subject });
  if (ended_at) actions.push({ kind: status === 'SOLD' ? 'SOLD' : 'WITHDRAWN', at: ended_at, subject });
  const sale = {
    kind: 'SALE',
    subject: subjectOf({ type: 'Book', key: book_id }),
    id: itemId,
    happened: true,
  } as const;
  const isSold = status === 'SOLD' && ended_at;
  await Promise.all([
    isSold
      ? step('event', () => recordHappening(app, { ...sale, at: ended_at, version: state.version }))
      : Promise.resolve(),
    // One partition: the old price goes and the new one comes in one mutation.
    step('byPrice', () => batch(app.cassandra, byPrice)),
    step('lists', () =>
      batch(app.cassandra, [
        isListed ? bind(insertByListedAt, { ...row, amount }) : bind(deleteByListedAt, row),
        bind(isListed ? insertByBook : deleteByBook, byBook),
        bind(insertOfSeller, { seller_id: sellerId, item_id: itemId }),
        ...actionWrites(sellerId, actions),
      ]),
    ),
  ]);
}

/**
 * Withdraws a copy of a seller whose account is deleted, and forgets whose it was; the likes of it keep its title.
 * May be repeated at any time.
 */
export async function forgetItem(app: AppContext, { itemId }: Pick<ItemChange, 'itemId'>): Promise<void> {
  const row = itemRow(app, { itemId });
  for (;;) {
    const state = await row.read();
    if (!state || isFence(state)) return;
    const { book_id, listed_at } = state;
    if (state.seller_id === null) {
      const version = BigInt(state.version);
      return write(app.cassandra, deleteByBook, { book_id, listed_at, item_id: itemId, version });
    }
    const now = app.clock();
    const ended = state.status === 'FOR_SALE' ? { status: 'WITHDRAWN', ended_at: now } as const : {}; // prettier-ignore
    const forgotten = { ...state, ...ended, ...changeOf(app, state, now), seller_id: null };
    await settle(app.cassandra, () => row.replace(state, forgotten));
  }
}
