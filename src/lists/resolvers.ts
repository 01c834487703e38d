import { existingBook } from '../catalogue/operations.ts';
import type { CountedConnection } from '../graphql/connections.ts';
import { mutation } from '../graphql/errors.ts';
import { encodeId } from '../graphql/ids.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import type { UserError as UserErrorData } from '../graphql/generated/schema-types.ts';
import { shownReader } from '../identity/privacy.ts';
import {
  addToList,
  entriesOf,
  moveInList,
  removeFromList,
  updateListEntry,
  type BookListEntryEdge,
} from './entries.ts';
import {
  createList,
  deleteList,
  existingList,
  listsOf,
  updateList,
  type BookList,
  type BookListAnswer,
  type BookListEdge,
} from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    BookList: BookList;
    BookListPayload: BookListAnswer & { readonly userErrors: UserErrorData[] };
    BookListConnection: CountedConnection<BookListEdge>;
    BookListEdge: BookListEdge;
    BookListEntryConnection: CountedConnection<BookListEntryEdge>;
    BookListEntryEdge: BookListEntryEdge;
  }
}

const nothing = { list: null, changed: false };

export const resolvers = {
  Mutation: {
    createList: (_mutation, { input }, context) => mutation(nothing, () => createList(context, input)),
    updateList: (_mutation, { input }, context) => mutation(nothing, () => updateList(context, input)),
    deleteList: (_mutation, { input }, context) => mutation(nothing, () => deleteList(context, input)),
    addToList: (_mutation, { input }, context) => mutation(nothing, () => addToList(context, input)),
    updateListEntry: (_mutation, { input }, context) => mutation(nothing, () => updateListEntry(context, input)),
    removeFromList: (_mutation, { input }, context) => mutation(nothing, () => removeFromList(context, input)),
    moveInList: (_mutation, { input }, context) => mutation(nothing, () => moveInList(context, input)),
  },
  User: {
    lists: (user, page, context) => listsOf(context, user.id, page),
  },
  BookList: {
    id: ({ id }) => encodeId({ type: 'BookList', key: id }),
    name: ({ title }) => title,
    owner: ({ ownerId }, _args, context) => (ownerId === null ? null : shownReader(context, ownerId)),
    audience: ({ ownerId, audience }, _args, { viewerId }) =>
      ownerId !== null && ownerId === viewerId ? audience : null,
    entries: (list, page, context) => entriesOf(context, list, page),
  },
  BookListEdge: {
    node: ({ listId }, _args, context) => existingList(context, listId),
  },
  BookListEntryEdge: {
    node: ({ bookId }, _args, context) => existingBook(context, bookId),
  },
} satisfies Resolvers;
