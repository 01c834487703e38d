import { onlyForSelf, shownReader } from '../identity/privacy.ts';
import { existingBook } from '../catalogue/operations.ts';
import { mutation } from '../graphql/errors.ts';
import { encodeId } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { contactSeller } from './contact.ts';
import { currencyOf } from './currency.ts';
import { currencies } from './iso-4217.ts';
import { changePrice, existingItem, listItem, markAsSold, withdrawItem, type Item } from './operations.ts';
import { allCopies, copiesOf, listingEdgeOf, listingsOf, type ItemConnection, type ItemEdge } from './listings.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Item: Item;
    ItemConnection: ItemConnection;
    ItemEdge: ItemEdge;
  }
}

const nothing = { item: null, viewer: null };

export const resolvers = {
  Query: {
    currencies: () => [...currencies],
    copies: (_query, args, context) => allCopies(context, args, args),
  },
  Mutation: {
    listItem: (_mutation, { input }, context) => mutation(nothing, () => listItem(context, input)),
    changePrice: (_mutation, { input }, context) => mutation(nothing, () => changePrice(context, input)),
    withdrawItem: (_mutation, { input }, context) => mutation(nothing, () => withdrawItem(context, input)),
    contactSeller: (_mutation, { input }, context) => mutation({ item: null }, () => contactSeller(context, input)),
    markAsSold: (_mutation, { input }, context) => mutation(nothing, () => markAsSold(context, input)),
  },
  Item: {
    id: (item) => encodeId({ type: 'Item', key: item.id }),
    seller: ({ sellerId }, _args, context) => (sellerId === null ? null : shownReader(context, sellerId)),
    book: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
  ItemPayload: {
    itemEdge: ({ item }, { orderBy }, context) => (item ? listingEdgeOf(context, item, orderBy) : null),
  },
  ItemEdge: {
    node: ({ itemId }, _args, context) => existingItem(context, itemId),
  },
  User: {
    currency: onlyForSelf((context, userId) => currencyOf(context, userId)),
    listings: (user, args, context) => listingsOf(context, user, args, args),
  },
  Book: {
    copies: (book, args, context) => copiesOf(context, book, args),
  },
} satisfies Resolvers;
