import { parseSubject } from '../ids.ts';
import { findLikeable } from '../likes/operations.ts';
import type { Resolvers } from '../schema.generated.ts';
import { actionsOf, bookOfSubject } from './operations.ts';

export const resolvers: Resolvers = {
  User: {
    actions: (user, args, context) => (user.id === context.viewerId ? actionsOf(context, user.id, args, args) : null),
  },
  Action: {
    likeable: ({ kind, subject }, _args, context) => {
      const id = parseSubject(subject);
      const isLikeable = kind === 'LIKED' || kind === 'UNLIKED' || id?.type === 'Item';
      return id && isLikeable ? findLikeable(context, id) : null;
    },
    book: ({ subject }, _args, context) => bookOfSubject(context, subject),
  },
};
