import { mutation } from '../errors.ts';
import { encodeId } from '../ids.ts';
import type { Resolvers } from '../schema.generated.ts';
import { existingAccount, login, register, viewerOf } from './operations.ts';

const nobody = { viewer: null, accessToken: null, accessTokenExpiresAt: null };

export const resolvers: Resolvers = {
  Query: {
    viewer: (_query, _args, context) => viewerOf(context),
  },
  Mutation: {
    register: (_mutation, { input }, context) => mutation(nobody, () => register(context, input)),
    login: (_mutation, { input }, context) => mutation(nobody, () => login(context, input)),
  },
  User: {
    id: (user) => encodeId({ type: 'User', key: user.id }),
    email: async (user, _args, context) =>
      user.id === context.viewerId ? (await existingAccount(context, user.id)).email : null,
    registeredAt: async (user, _args, context) => (await existingAccount(context, user.id)).registeredAt,
  },
};
