import { mutation } from '../graphql/errors.ts';
import type { Resolvers } from '../graphql/generated/resolver-types.ts';
import { addPushSubscription, isPushed, pushPublicKey, removePushSubscription } from './operations.ts';

const unchanged = { viewer: null };

export const resolvers = {
  Settings: {
    pushPublicKey: (_settings, _args, context) => pushPublicKey(context),
  },
  Mutation: {
    addPushSubscription: (_mutation, { input }, context) =>
      mutation(unchanged, () => addPushSubscription(context, input)),
    removePushSubscription: (_mutation, _args, context) => mutation(unchanged, () => removePushSubscription(context)),
  },
  // The settings are shown to their reader alone.
  NotificationSettings: {
    isPushed: (_settings, _args, context) => isPushed(context),
  },
} satisfies Resolvers;
