import { onlyForSelf } from '../identity/privacy.ts';
import type { Cursor } from '../graphql/connections.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { actionsOf, elementOf, newPriceOf, newStatusOf } from './operations.ts';
import type { Action } from './log.ts';

declare module '../graphql/models.ts' {
  interface Models {
    Action: Action;
    ActionEdge: { cursor: Cursor; node: Action; at: Date };
  }
}

export const resolvers = {
  User: {
    actions: onlyForSelf((context, userId, args) => actionsOf(context, userId, args, args)),
  },
  Action: {
    element: (action) => elementOf(action),
    status: (action) => newStatusOf(action),
    price: (action) => newPriceOf(action),
  },
} satisfies Resolvers;
