import { bookById } from '../catalogue/operations.ts';
import { parseSubject } from '../ids.ts';
import { findLikeable } from '../likes/operations.ts';
import type { Resolvers } from '../schema.generated.ts';
import { actionsOf } from './operations.ts';

export const resolvers: Resolvers = {
  User: {
    actions: (user, args, context) => (user.id === context.viewerId ? actionsOf(context, user.id, args, args) : null),
  },
  Action: {
    likeable: ({ kind, subject }, _args, context) => {
      const id = kind === 'LIKED' || kind === 'UNLIKED' ? parseSubject(subject) : undefined;
      return id ? findLikeable(context, id) : null;
    },
    book: ({ subject }, _args, context) => {
      const id = parseSubject(subject);
      return id?.type === 'Book' ? bookById(context, id.key) : null;
    },
  },
};
