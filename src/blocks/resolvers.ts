import { onlyForSelf } from '../identity/privacy.ts';
import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { existingAccount } from '../identity/operations.ts';
import { block, blockedOf, unblock, type BlockedReaderConnection, type BlockedReaderEdge } from './operations.ts';

declare module '../graphql/models.ts' {
  interface Models {
    BlockedReaderConnection: BlockedReaderConnection;
    BlockedReaderEdge: BlockedReaderEdge;
  }
}

const nobody = { user: null, changed: false };

export const resolvers = {
  Mutation: {
    block: (_mutation, { input }, context) => mutation(nobody, () => block(context, input)),
    unblock: (_mutation, { input }, context) => mutation(nobody, () => unblock(context, input)),
  },
  User: {
    blocked: onlyForSelf(blockedOf),
  },
  BlockedReaderEdge: {
    // Only this list shows readers whom the viewer blocks, so that the viewer can unblock them.
    node: ({ userId }, _args, context) => existingAccount(context, userId),
  },
} satisfies Resolvers;
